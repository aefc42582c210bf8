"""MadaBoost weights: as AdaBoost's for records that are right, and never more than one (2.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discreet.accounting.adjacency import Adjacency
from discreet.boosting.sensitivity import MassBounds
from discreet.engines.base import Counts, LevelWeights

BITS = 20
"""A full weight is 2^20: finer than any noise, and exact sums hold for 2^42 records."""


@dataclass(frozen=True)
class MadaBoost:
    """The measure w(s) = min(1, exp(-2 learning_rate s)) of Domingo and Watanabe (2000).

    A record that is misclassified, or undecided, has full weight; one that is right fades away. No other
    record's weight ever moves, so there is no slack, whatever the density (PRIVACY.md 2.3).
    """

    learning_rate: float

    def bounds(self, adjacency: Adjacency, max_records: int) -> MassBounds:
        """Declare a cap of 2^20 and no slack."""
        return MassBounds(cap=2**BITS, slack=0, adjacency=adjacency)

    def weights(self, done: int, max_level: int, counts: Callable[[], Counts]) -> LevelWeights:
        """Return floor(2^20 w(s)); the same for both labels, and public."""
        levels = np.arange(-max_level, max_level + 1)
        weight = np.exp(-2 * self.learning_rate * np.maximum(levels, 0))
        return np.tile(np.floor(2**BITS * weight).astype(np.int64), (2, 1))
