"""Class weights: public constants that scale the records of a class (PRIVACY.md 2.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from discreet.accounting.adjacency import Adjacency
from discreet.boosting.reweighting.base import Measure
from discreet.boosting.sensitivity import MassBounds
from discreet.engines.base import Counts, LevelWeights

UNIT = 2**20
"""Class weights are rounded down to multiples of 1/UNIT, so that scaling is exact in integers; caps are below
2^43."""


@dataclass(frozen=True)
class ClassWeights:
    """A measure whose weights are multiplied by a public constant of the record's class.

    The bounds stay as they are. Each weight is at most what it was, and where a projection moves the
    weight of a record by d, as an integer, it now moves by at most d in the same direction, since
    floor(c (w + d)) - floor(c w) is between 0 and d for c in (0, 1] (docs/proofs/class-weights.md).

    Parameters
    ----------
    measure : Measure
        What is scaled.
    negative, positive : float
        The constants of the two classes, above 0 and at most 1.
    """

    measure: Measure
    negative: float
    positive: float

    def bounds(self, adjacency: Adjacency, max_records: int) -> MassBounds:
        """Declare the bounds of the measure that is scaled."""
        return self.measure.bounds(adjacency, max_records)

    def weights(self, done: int, max_level: int, counts: Callable[[], Counts]) -> LevelWeights:
        """Return the scaled weights, rounded down."""
        weights = self.measure.weights(done, max_level, counts)
        factors = np.array([[self.negative], [self.positive]])
        return np.asarray(weights * np.floor(factors * UNIT).astype(np.int64) // UNIT)
