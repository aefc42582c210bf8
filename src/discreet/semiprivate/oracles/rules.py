"""The class of single rules, minimised by looking at each of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discreet.boosting.literals import Rule, literals_of
from discreet.schema.encode import Codes
from discreet.schema.schema import Schema
from discreet.semiprivate.oracles.base import Certified, Costs, Labels
from discreet.semiprivate.oracles.exact import best_of, holds, whole

# Objectives of so many runs are held at a time.
_RUNS = 2**8


@dataclass(frozen=True)
class ExactRules:
    """Every literal of the schema, the constant among them, and the negation of each.

    It always finds the minimum, and never refuses.
    """

    def on(self, schema: Schema, public: Codes) -> _RulesOnPoints:
        """Prepare for these public points; reads nothing private."""
        return _RulesOnPoints(schema, public)

    def always_answers(self, schema: Schema) -> bool:
        """Say yes: every rule is looked at."""
        return True

    def vc_dimension(self, schema: Schema) -> int:
        """Return the logarithm of the number of rules."""
        return int(math.log2(2 * len(literals_of(schema))))


class _RulesOnPoints:
    """Rules in a fixed order: all literals, then all negations."""

    def __init__(self, schema: Schema, public: Codes) -> None:
        self._literals = literals_of(schema)
        self._points = holds(self._literals, public)
        self._labellings = np.concatenate([self._points, ~self._points]).astype(np.int8)

    def minimise(self, private: Codes, labels: Labels, costs: Costs) -> Certified:
        """Return the minimum, and of the labellings that attain it the first."""
        prices = whole(costs, len(labels))
        objectives = self._errors(private, labels) + self._labellings.astype(prices.dtype) @ prices
        best = best_of(objectives, self._labellings)
        negated, literal = divmod(best, len(self._literals))
        chosen = self._literals[literal]
        return Certified(
            self._labellings[best],
            int(objectives[best]),
            Rule(chosen, -1 if negated else 1, private.n_codes[chosen.column]),
        )

    def minimise_many(
        self, private: Codes, labels: Labels, weight: int, costs: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int8]:
        """Return, for each row of costs, the labelling of the rule with the least weighted errors plus costs.

        An error counts ``weight``. Of several rules it is the first one's. Objectives have to fit int64.
        """
        errors = weight * self._errors(private, labels)[:, None]
        labellings = self._labellings.astype(np.int64)
        best = [
            (errors + labellings @ costs[start : start + _RUNS].T).argmin(axis=0)
            for start in range(0, len(costs), _RUNS)
        ]
        return np.asarray(self._labellings[np.concatenate(best)])

    @property
    def labellings(self) -> npt.NDArray[np.int8]:
        """The different labellings of the points, in a fixed order; with each one its opposite."""
        return np.asarray(np.unique(self._labellings, axis=0))

    def _errors(self, private: Codes, labels: Labels) -> npt.NDArray[np.int64]:
        """Count the errors of each rule: by histograms over codes, and sums of intervals of them."""
        negative, positive = labels == 0, labels == 1
        sums = []
        for column, n_codes in zip(private.values, private.n_codes, strict=True):
            # Labelling a record 1 costs an error if its label is 0, and saves one if it is 1.
            cost = np.bincount(column[negative], minlength=n_codes)
            cost -= np.bincount(column[positive], minlength=n_codes)
            sums.append(np.concatenate([[0], np.cumsum(cost)]))
        inside = [sums[test.column][test.last + 1] - sums[test.column][test.first] for test in self._literals]
        errors = np.count_nonzero(positive) + np.array(inside, dtype=np.int64)
        classified = np.count_nonzero(positive) + np.count_nonzero(negative)
        return np.concatenate([errors, classified - errors])
