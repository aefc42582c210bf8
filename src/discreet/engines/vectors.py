"""The engine of records that are integer vectors: weighted sums, and levels by exact inner products."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from discreet.engines import kernels, vector_kernels
from discreet.engines.base import Counts, Direction, LevelWeights
from discreet.engines.local import LocalLevels
from discreet.engines.rows import over_parts, parts_of
from discreet.errors import EngineError

MOST_WEIGHT = 2**31
"""Weights of a record; with coordinates below 2^15 a block of records sums up within int64."""

_BLOCK = 2**16
_LARGEST_SUM = 2**61
_PRODUCT_BITS = 31
_LARGEST_RATE = 2**32 - 1

Vectors = npt.NDArray[np.int16]


class VectorEngine:
    """Exact aggregates over vectors in memory.

    Parameters
    ----------
    vectors : array of int16, [record, coordinate]
        Every record's vector.
    norm : int
        No vector is longer.
    threads : int, default 1
        Rows are divided among this many threads; the result is the same.
    """

    def __init__(self, vectors: Vectors, norm: int, threads: int = 1) -> None:
        self._vectors = vectors
        self._norm = norm
        self._parts = parts_of(len(vectors), threads)

    def open(self, labels: npt.NDArray[np.int8], max_level: int) -> VectorTask:
        """Begin a task: every record at level 0. Labels are 0, 1, or 2 for a record of weight 0."""
        return VectorTask(self._vectors, self._norm, self._parts, LocalLevels.start(labels, max_level))


class VectorTask:
    """One task's records as a weak learner may ask about them: aggregates, never rows."""

    def __init__(self, vectors: Vectors, norm: int, parts: list[slice], levels: LocalLevels) -> None:
        self._vectors = vectors
        self._norm = norm
        self._parts = parts
        self._levels = levels
        self._total = np.zeros(vectors.shape[1], dtype=object)

    def level_counts(self) -> Counts:
        """Count the records at each label and level."""
        levels = self._levels

        def partial(rows: slice) -> npt.NDArray[np.int64]:
            counts = np.zeros(2 * levels.n_levels + 1, dtype=np.int64)
            kernels.add_counts(levels.state[rows], counts)
            return counts

        return np.asarray(sum(over_parts(self._parts, partial)))[:-1].reshape(2, levels.n_levels)

    def weighted_sum(self, weights: LevelWeights) -> npt.NDArray[np.int64]:
        """Sum weight times label times vector over the records, with labels read as -1 and +1.

        The sum is exact in unbounded integers. A coordinate beyond 2^61 is set to 2^61: of two vectors
        that brings none further apart, so any number of records is safe.
        """
        signed = np.append(np.array([[-1], [1]]) * weights, 0)

        def partial(rows: slice) -> npt.NDArray[np.object_]:
            total = np.zeros(self._vectors.shape[1], dtype=object)
            for start in range(rows.start, max(rows.stop, rows.start + 1), _BLOCK):
                block = slice(start, min(start + _BLOCK, rows.stop))
                sums = np.zeros(self._vectors.shape[1], dtype=np.int64)
                vector_kernels.add_vectors(self._vectors[block], self._levels.state[block], signed, sums)
                total += sums
            return total

        exact = sum(over_parts(self._parts, partial), start=np.zeros(self._vectors.shape[1], dtype=object))
        return np.array([max(-_LARGEST_SUM, min(_LARGEST_SUM, value)) for value in exact], dtype=np.int64)

    def advance(self, hypothesis: Direction) -> None:
        """Add a released direction to the running sum, and set every record's level by it.

        The sum is public. It is rounded to a length at which inner products fit 32 bits, and its levels a
        unit of inner product to a whole number of 2^-SHIFT.
        """
        if hypothesis.values.shape != self._total.shape:
            raise EngineError("a direction needs one value a coordinate")
        self._total = self._total + hypothesis.values
        direction, shift = rounded(self._total, 2**_PRODUCT_BITS // self._norm - 1)
        rate = min(_LARGEST_RATE, round(hypothesis.rate * 2.0 ** (shift + vector_kernels.SHIFT)))
        levels = self._levels
        over_parts(
            self._parts,
            lambda rows: vector_kernels.set_levels(
                self._vectors[rows], direction.astype(np.int32), rate, levels.max_level, levels.state[rows]
            ),
        )


def rounded(total: npt.NDArray[np.object_], norm: int) -> tuple[npt.NDArray[np.int64], int]:
    """Divide a vector by the smallest power of two that makes it this short, rounding toward zero.

    Returns
    -------
    direction : array of int64
    shift : int
        The exponent.
    """
    shift = max(0, math.isqrt(sum(int(value) ** 2 for value in total)).bit_length() - norm.bit_length())
    while True:
        shorter = [abs(int(value)) >> shift for value in total]
        direction = np.sign(total).astype(np.int64) * np.array(shorter, dtype=np.int64)
        if sum(int(value) ** 2 for value in direction) <= norm**2:
            return direction, shift
        shift += 1
