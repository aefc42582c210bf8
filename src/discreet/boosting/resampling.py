"""Boosting by resampling, Boost-S of Bun, Carmosino and Sorrell (2020): a base learner on drawn records.

Each round draws records independently from the current measure, and runs a purely private learner on them
with equal weights. One record of the table is rarely drawn, so it costs less than one record of the sample:
by their Lemma 55, with the constant of docs/proofs/resampling.md.

A comparison, not an option of the estimators: the same budget spent on all records adds the same noise, and
drawing adds the noise of the sample (docs/decisions/0005).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np

from discreet.boosting.sensitivity import MassBounds, sampling_distance
from discreet.boosting.weak_learners.base import WeakLearner
from discreet.engines.base import Hypothesis, LevelWeights, View
from discreet.errors import PlanError
from discreet.mechanisms.claims import Claim, Sampling
from discreet.mechanisms.release import Release

H = TypeVar("H", bound=Hypothesis)


@dataclass(frozen=True)
class Resampled(Generic[H]):
    """A weak learner that runs another one on drawn records.

    A draw gives record j with probability W_j / (n cap), and otherwise a blank, which counts for nothing. So
    the distribution has a public denominator, whatever the density.

    Parameters
    ----------
    base : WeakLearner
        Releases one selection a round.
    draws : int
        How many records are drawn in a round, blanks included.
    n_records : int
        The public number of records.
    bounds : MassBounds
        Of the measure that the records are drawn by.
    """

    base: WeakLearner[H]
    draws: int
    n_records: int
    bounds: MassBounds

    @property
    def n_candidates(self) -> int:
        """As many as the base learner's."""
        return self.base.n_candidates

    def claims(self, bounds: MassBounds) -> tuple[Claim, ...]:
        """Declare the base learner's selection, made on a sample."""
        if bounds != self.bounds:
            raise PlanError("resampling was set up for another measure")
        sampling = Sampling(self.draws, sampling_distance(bounds, self.n_records))
        claims = self.base.claims(self._sample_bounds)
        if [(claim.kind, claim.count) for claim in claims] != [("selection", 1)]:
            raise PlanError(
                "resampling needs a base learner that is purely private and releases one selection a round: "
                "what a delta costs on a sample is not known for sure"
            )
        return (replace(claims[0], proof="docs/proofs/resampling.md", sampling=sampling),)

    def propose(self, view: View[Any], weights: LevelWeights, release: Release) -> H:
        """Draw, and let the base learner propose."""
        cap = self.bounds.cap
        drawn = view.sample(weights, self.n_records * cap, self.draws, release.draw)
        return self.base.propose(drawn, np.full((2, 1), cap, dtype=np.int64), release)

    @property
    def _sample_bounds(self) -> MassBounds:
        """Every record of the sample has full weight, and one of them may be replaced."""
        return MassBounds(self.bounds.cap, 0, "replace")
