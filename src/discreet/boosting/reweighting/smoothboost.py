"""SmoothBoost weights: a record fades only once its margin is ahead of a schedule (PRIVACY.md 6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discreet.accounting.adjacency import Adjacency
from discreet.boosting.sensitivity import MassBounds
from discreet.engines.base import Counts, LevelWeights

BITS = 20
"""A full weight is 2^20, as MadaBoost's."""


@dataclass(frozen=True)
class SmoothBoost:
    """The measure min(1, (1 - advantage)^((s - t margin) / 2)) of Servedio (2003) after t hypotheses.

    A level s of t margin is an average margin of ``margin``. Up to there a record keeps its full weight. No
    other record's weight ever moves, so there is no slack, whatever the density (PRIVACY.md 2.3).

    Parameters
    ----------
    advantage : float
        Gamma, above 0 and below 1: the advantage of the weak learner in the paper's theorem.
    margin : float
        Theta, 0 or more.
    """

    advantage: float
    margin: float

    def bounds(self, adjacency: Adjacency, max_records: int) -> MassBounds:
        """Declare a cap of 2^20 and no slack."""
        return MassBounds(cap=2**BITS, slack=0, adjacency=adjacency)

    def weights(self, done: int, max_level: int, counts: Callable[[], Counts]) -> LevelWeights:
        """Return the rounded weights; the same for both labels, and public."""
        ahead = np.maximum(np.arange(-max_level, max_level + 1) - done * self.margin, 0.0)
        weight = np.exp(np.log1p(-self.advantage) * ahead / 2)
        return np.tile(np.floor(2**BITS * weight).astype(np.int64), (2, 1))
