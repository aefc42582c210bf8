"""From rows of numbers to short integer vectors of one length, each row by itself; and back from weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discreet.engines import projection_kernels as kernels
from discreet.engines.rows import over_parts, parts_of
from discreet.schema.points import Chunk, Points

NORM = 2**14
"""The length of a record's vector, in grid steps; coordinates fit int16. A zero row has length 0."""

MOST_COMPONENTS = 2**14

MOST_FEATURES = 2**31

_BITS = 40

Vectors = npt.NDArray[np.int16]
"""[record, component], in grid steps."""

Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Projection:
    """A public linear map of rows, by signs or not at all.

    Parameters
    ----------
    n_features : int
        How many numbers a row has.
    n_components : int
        How many coordinates its vector has.
    intercept : bool
        Whether a row has one more number behind the others, as large as its norm.
    negative : array of uint64, or None
        Where the matrix is -1, in bits (`halfspaces.matrices`); None if rows stay as they are.
    present : array of uint64, or None
        Where it is not 0; None if it never is.
    """

    n_features: int
    n_components: int
    intercept: bool
    negative: Words | None = None
    present: Words | None = None

    def vectors(self, points: Points, threads: int = 1) -> Vectors:
        """Return the vector of each row.

        A row becomes whole numbers, in steps of a power of two that the largest of them decides; these are
        added up with the signs of the matrix, exactly; and the sums are scaled to the norm, truncated toward
        zero. So the vector is a function of this row alone.
        """
        vectors = np.empty((points.n_records, self.n_components), dtype=np.int16)
        signs = self._signs
        for rows, chunk in points.chunks():
            chosen = vectors[rows]

            def work(part: slice, chunk: Chunk = chunk, chosen: Vectors = chosen) -> None:
                kernels.project(*_part(chunk, part), *self._bits, *signs, self._extra, NORM, chosen[part])

            over_parts(parts_of(len(chosen), threads), work)
        return vectors

    def coefficients(self, weights: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the weights of the original columns, the intercept's last: w R, in exact integers."""
        through, negative, present = self._signs
        if through == kernels.ALL:
            return weights
        coefficients = np.empty(self.width, dtype=np.int64)
        kernels.add_up(negative, present, through == kernels.SPARSE_SIGNS, weights, coefficients)
        return coefficients

    def scores(self, points: Points, coefficients: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the inner product of each row, brought to norm 1, with coefficients of its columns."""
        scores = np.empty(points.n_records)
        for rows, chunk in points.chunks():
            kernels.score(*chunk, *self._bits, coefficients, self._extra, scores[rows])
        return scores

    @property
    def width(self) -> int:
        """How many numbers a row has, with that of the intercept."""
        return self.n_features + self.intercept

    @property
    def _extra(self) -> int:
        """The column of the intercept; -1 for none."""
        return self.n_features if self.intercept else -1

    @property
    def _bits(self) -> tuple[int, int]:
        """Bits of a number, so that a row adds up within 61; and how many to leave out before squaring."""
        row = (self.width + 1).bit_length()
        bits = min(_BITS, 61 - row)
        return bits, bits - (62 - row) // 2

    @property
    def _signs(self) -> tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        none = np.zeros((0, 0), dtype=np.int64)
        if self.negative is None:
            return kernels.ALL, none, none
        if self.present is None:
            return kernels.SIGNS, self.negative.view(np.int64), none
        return kernels.SPARSE_SIGNS, self.negative.view(np.int64), self.present.view(np.int64)


def _part(chunk: Chunk, rows: slice) -> Chunk:
    """Return some rows of a chunk; bounds go on counting from its first."""
    return Chunk(chunk.values, chunk.bounds[rows.start : rows.stop + 1], chunk.columns)
