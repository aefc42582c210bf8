"""Rules in a model file, in the words of the schema."""

from __future__ import annotations

from typing import Literal

import msgspec

from discreet.boosting.literals import Rule, Test
from discreet.models.ensemble import RuleEnsemble
from discreet.models.files import SavedTableModel
from discreet.models.words import Dictionary, words_of
from discreet.schema.schema import Schema


class SavedRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule in the words of the schema."""

    column: str | None
    test: Test
    value: str | bool | int | float | None
    vote: Literal[-1, 1]


class SavedRules(SavedTableModel, frozen=True, forbid_unknown_fields=True):
    """The contents of a file with rules, in the order of their rounds."""

    learning_rate: float
    rules: list[SavedRule]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.learning_rate < float("inf") or not self.rules:
            raise ValueError("a model has rules and a positive learning rate")
        self.check_rounds(len(self.rules))

    def restored(self, schema: Schema) -> RuleEnsemble:
        """Rebuild the rules; every one must be one that the schema offers."""
        offered = Dictionary(schema)
        n_codes = [column.n_codes for column in schema.columns.values()]
        literals = [offered[rule.column, rule.test, rule.value] for rule in self.rules]
        rules = tuple(
            Rule(literal, saved.vote, n_codes[literal.column])
            for literal, saved in zip(literals, self.rules, strict=True)
        )
        return RuleEnsemble(rules, self.learning_rate)


def saved_rules(ensemble: RuleEnsemble, schema: Schema) -> list[SavedRule]:
    """Put rules into the words of the schema, in the order of their rounds."""
    return [
        SavedRule(*words_of(rule.literal, schema), vote=1 if rule.sign > 0 else -1) for rule in ensemble.rules
    ]
