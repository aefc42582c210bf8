"""Literals in the words of a schema, as model files keep them."""

from __future__ import annotations

from discreet.boosting.literals import Literal, Test, literals_of
from discreet.errors import ModelFileError
from discreet.schema.columns import Category
from discreet.schema.schema import Schema

Words = tuple[str | None, Test, Category | bool | None]
"""Column, test and value."""


def words_of(literal: Literal, schema: Schema) -> Words:
    """Say a literal in the words of its schema; the constant has no column."""
    column = None if literal.test == "always" else schema.names[literal.column]
    return column, literal.test, literal.value


class Dictionary:
    """Finds the literals that a schema offers by their words."""

    def __init__(self, schema: Schema) -> None:
        self._literals = {words_of(literal, schema): literal for literal in literals_of(schema)}

    def __getitem__(self, words: Words) -> Literal:
        if words not in self._literals:
            raise ModelFileError("a rule of the model is not one that its schema offers")
        return self._literals[words]
