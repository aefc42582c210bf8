"""The Gaussian centring learner of halfspaces (Bun, Carmosino, Sorrell 2020, 5.2; PRIVACY.md 5)."""

from __future__ import annotations

from typing import Any

from discreet.boosting.features import NORM
from discreet.boosting.sensitivity import MassBounds, vector_sensitivity
from discreet.engines.base import Direction, LevelWeights
from discreet.engines.vectors import MOST_WEIGHT
from discreet.errors import PlanError
from discreet.mechanisms.claims import Claim
from discreet.mechanisms.release import Release


class Centring:
    """Releases the weighted sum of label times vector: the direction from one class's centre to the other's.

    Parameters
    ----------
    dimension : int
        How many coordinates a record's vector has.
    rate : float
        Levels a unit of inner product; public constants only.
    """

    def __init__(self, dimension: int, rate: float) -> None:
        self._dimension = dimension
        self._rate = rate

    @property
    def n_candidates(self) -> int:
        """How many coordinates are released in a round."""
        return self._dimension

    def claims(self, bounds: MassBounds) -> tuple[Claim, ...]:
        """Declare one vector a round, of the L2 sensitivity of a weighted sum."""
        if bounds.cap > MOST_WEIGHT:
            raise PlanError("weights of so many bits do not sum up exactly over vectors")
        return (
            Claim(
                "vector",
                "l2",
                vector_sensitivity(bounds, NORM),
                1,
                "docs/proofs/boosted-halfspaces.md",
                unit=NORM,
            ),
        )

    def propose(self, view: Any, weights: LevelWeights, release: Release) -> Direction:
        """Release one direction."""
        (claim,) = release.claims
        return Direction(release.vector(claim, view.weighted_sum(weights)), self._rate)
