"""The engine of the hinge: label times vector, summed over the records with too small a margin."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discreet.engines.compiled import kernel
from discreet.engines.rows import over_parts, parts_of
from discreet.errors import EngineError

LARGEST_PRODUCT = 2**31 - 1
"""Inner products fit 32 bits."""

_BLOCK = 2**16
"""So many records of coordinates below 2^15 add up within 32 bits."""


class HingeEngine:
    """Exact sums over records in memory.

    Parameters
    ----------
    vectors : array of int16, [record, coordinate]
        Every record's vector, none longer than ``norm``; the engine overwrites it.
    labels : array of int8
        0, 1, or 2 for a record that never counts.
    norm : int
        No vector is longer; at most 2^14.
    threads : int, default 1
        Rows are divided among this many threads; the result is the same.
    """

    def __init__(
        self, vectors: npt.NDArray[np.int16], labels: npt.NDArray[np.int8], norm: int, threads: int = 1
    ) -> None:
        # A record outside the classes becomes zero, and adds nothing whether or not it is below a threshold.
        vectors *= np.array([-1, 1, 0], dtype=np.int16)[labels][:, None]
        self._signed = vectors
        self._norm = norm
        self._parts = parts_of(len(vectors), threads)

    def sum_below(self, direction: npt.NDArray[np.int32], least: int) -> npt.NDArray[np.int64]:
        """Add up y x over the records with y <direction, x> < ``least``; labels are read as -1 and 1.

        Parameters
        ----------
        direction : array of int32
            A released vector.
        least : int
            The least inner product that is enough.
        """
        square = sum(int(value) ** 2 for value in direction)
        # By Cauchy and Schwarz on absolute values, no part of a sum of products is larger.
        if square * self._norm**2 > LARGEST_PRODUCT**2 or direction.shape != self._signed.shape[1:]:
            raise EngineError("inner products with this direction do not fit 32 bits")
        enough = np.int32(min(max(least, -LARGEST_PRODUCT), LARGEST_PRODUCT))

        def partial(rows: slice) -> npt.NDArray[np.int64]:
            sums = np.zeros(self._signed.shape[1], dtype=np.int64)
            for start in range(rows.start, max(rows.stop, rows.start + 1), _BLOCK):
                _add_below(self._signed[start : min(start + _BLOCK, rows.stop)], direction, enough, sums)
            return sums

        return np.asarray(sum(over_parts(self._parts, partial)))

    def one_below(self, row: int, direction: npt.NDArray[np.int32], least: int) -> npt.NDArray[np.int64]:
        """Return y x of one record if y <direction, x> < ``least``, and else zeros: as secret as the row.

        Parameters
        ----------
        row : int
            Which record.
        direction : array of int32
            A released vector.
        least : int
            The least inner product that is enough.
        """
        signed = self._signed[row].astype(np.int64)
        # At most 2^14 products below 2^46: exact in 64 bits.
        return np.asarray(signed * (int(signed @ direction.astype(np.int64)) < least))


@kernel
def _add_below(signed, direction, enough, sums):  # type: ignore[no-untyped-def]
    """Add each vector whose inner product with the direction is not enough; one pass over the rows."""
    n_records, dimension = signed.shape
    block = np.zeros(dimension, dtype=np.int32)
    for i in range(n_records):
        product = np.int32(0)
        for k in range(dimension):
            product = np.int32(product + np.int32(np.int32(signed[i, k]) * direction[k]))
        if product < enough:
            for k in range(dimension):
                block[k] += signed[i, k]
    for k in range(dimension):
        sums[k] += block[k]
