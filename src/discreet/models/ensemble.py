"""A vote of rules: the model itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from discreet.boosting.literals import Rule
from discreet.schema.encode import Codes


class Ensemble(Protocol):
    """What was learned: a vote on every record."""

    @property
    def learning_rate(self) -> float:
        """Half the log odds of a vote."""
        ...

    def votes(self, records: Any) -> npt.NDArray[np.int64]:
        """Add up the votes on each record; exact integers, a public function of each record."""
        ...

    def positive_probability(self, votes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Turn votes into probabilities of the last class."""
        ...


@dataclass(frozen=True)
class RuleEnsemble:
    """The released rules in the order of their rounds, and what a vote is worth.

    Parameters
    ----------
    rules : tuple of Rule
        One a round.
    learning_rate : float
        Half the log odds of a vote.
    """

    rules: tuple[Rule, ...]
    learning_rate: float

    def votes(self, records: Codes) -> npt.NDArray[np.int64]:
        """Add up the votes on each record; exact integers."""
        total = np.zeros(records.values.shape[1], dtype=np.int64)
        for column, table in self._tables.items():
            total += table[records.values[column]]
        return total

    def positive_probability(self, votes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Turn votes into probabilities of the last class."""
        return probability_of_votes(votes, self.learning_rate)

    def votes_by_round(self, codes: Codes) -> Iterator[npt.NDArray[np.int64]]:
        """Yield the votes of one rule after the other on each record."""
        for rule in self.rules:
            yield rule.votes[codes.values[rule.column]].astype(np.int64)

    @cached_property
    def _tables(self) -> dict[int, npt.NDArray[np.int64]]:
        """The rules of one column add up to one table of votes by code."""
        tables: dict[int, npt.NDArray[np.int64]] = {}
        for rule in self.rules:
            tables[rule.column] = tables.get(rule.column, 0) + rule.votes.astype(np.int64)
        return tables


def probability_of_votes(votes: npt.NDArray[np.int64], learning_rate: float) -> npt.NDArray[np.float64]:
    """Turn votes into probabilities of the last class, by the link of the loss.

    At the minimum of the expected loss the weights of both labels balance: p w(F) = (1 - p) w(-F).
    For AdaBoost's exponential weights and for MadaBoost's capped ones alike w(-F)/w(F) =
    exp(2 learning_rate F), so the link is logistic.
    """
    log_odds = 2 * learning_rate * votes
    return np.asarray(np.exp(-np.logaddexp(0.0, -log_odds)))


def net_votes(rules: Sequence[Rule]) -> list[tuple[Rule, int]]:
    """Add up the signs of equal literals: (any rule with that literal, votes where it holds).

    A rule and its negation cancel. Order: most weighty first, then as the schema has it.
    """
    tally: dict[object, tuple[Rule, int]] = {}
    for rule in rules:
        _, votes = tally.get(rule.literal, (rule, 0))
        tally[rule.literal] = (rule, votes + rule.sign)
    kept = [(rule, votes) for rule, votes in tally.values() if votes]
    return sorted(
        kept,
        key=lambda entry: (
            -abs(entry[1]),
            entry[0].literal.test == "always",
            entry[0].column,
            entry[0].literal.last,
            entry[0].literal.first,
        ),
    )
