"""DP-1R: select one literal, its negation or a constant by its correlation with the label (3)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.boosting.literals import Literal, Rule, literals_of
from discreet.boosting.sensitivity import MassBounds, correlation_range
from discreet.boosting.weak_learners.correlation import literal_correlations
from discreet.engines.base import LevelWeights, View
from discreet.mechanisms.claims import Claim
from discreet.mechanisms.release import Release
from discreet.schema.schema import Schema


class OneRule:
    """The weak learner of one-rules over all literals of a schema.

    Candidates are numbered in pairs: 2i votes with literal i, 2i + 1 against it; the constants are the
    last pair.

    Parameters
    ----------
    schema : Schema
        The public columns.
    """

    def __init__(self, schema: Schema) -> None:
        self._n_codes = np.array([column.n_codes for column in schema.columns.values()])
        self._literals = literals_of(schema)
        columns = np.array([literal.column for literal in self._literals])
        starts = np.concatenate([[0], np.cumsum(self._n_codes)])[columns]
        self._first = starts + np.array([literal.first for literal in self._literals])
        self._last = starts + np.array([literal.last for literal in self._literals])
        self._log_prior = np.repeat(_log_base_measure(self._literals), 2)

    @property
    def n_candidates(self) -> int:
        """Every literal and the constant, with their negations."""
        return 2 * len(self._literals)

    def claims(self, bounds: MassBounds) -> tuple[Claim, ...]:
        """Declare one selection a round, of the range of correlation scores."""
        return (
            Claim("selection", "range", correlation_range(bounds), 1, "docs/proofs/boosted-one-rules.md"),
        )

    def propose(self, view: View[Any], weights: LevelWeights, release: Release) -> Rule:
        """Select one rule."""
        score = literal_correlations(view.masses(weights), self._first, self._last, int(self._n_codes[0]))
        (claim,) = release.claims
        chosen = release.select(claim, np.stack([score, -score], axis=1).ravel(), self._log_prior)
        literal = self._literals[chosen // 2]
        return Rule(literal, 1 - 2 * (chosen % 2), int(self._n_codes[literal.column]))


def _log_base_measure(literals: tuple[Literal, ...]) -> npt.NDArray[np.float64]:
    """Return ln p of each literal, p proportional to (literals of its column)^(-1/2).

    So wide columns do not win by their number of tries (PRIVACY.md 2.4). The constant counts as a column.
    """
    *tests, _constant = literals
    siblings = np.bincount([literal.column for literal in tests])
    return np.asarray(-0.5 * np.log(np.append(siblings[[literal.column for literal in tests]], 1)))
