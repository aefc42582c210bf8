"""DP-1R: select one literal, its negation or a constant by its correlation with the label (3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.boosting.literals import Rule
from discreet.boosting.sensitivity import MassBounds, correlation_range
from discreet.boosting.weak_learners.candidates import Candidates
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
        self._offered = Candidates.of(schema)
        self._log_prior = np.repeat(self._offered.log_prior, 2)

    @property
    def n_candidates(self) -> int:
        """Every literal and the constant, with their negations."""
        return 2 * len(self._offered)

    def claims(self, bounds: MassBounds) -> tuple[Claim, ...]:
        """Declare one selection a round, of the range of correlation scores."""
        return (
            Claim("selection", "range", correlation_range(bounds), 1, "docs/proofs/boosted-one-rules.md"),
        )

    def propose(self, view: View[Any], weights: LevelWeights, release: Release) -> Rule:
        """Select one rule."""
        offered = self._offered
        score = literal_correlations(
            view.masses(weights), offered.first, offered.last, int(offered.n_codes[0])
        )
        (claim,) = release.claims
        chosen = release.select(claim, np.stack([score, -score], axis=1).ravel(), self._log_prior)
        literal = offered.literals[chosen // 2]
        return Rule(literal, 1 - 2 * (chosen % 2), int(offered.n_codes[literal.column]))
