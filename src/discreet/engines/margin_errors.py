"""The engine of margin errors: for every candidate vector, how many records have too small a margin by it."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from discreet.engines.compiled import kernel
from discreet.engines.rows import over_parts, parts_of
from discreet.errors import EngineError

_BLOCK = 1024
_LARGEST_PRODUCT = 2**31 - 1

Vectors = npt.NDArray[np.int16]


class MarginErrors:
    """Exact counts over records in memory.

    Parameters
    ----------
    vectors : array of int16, [record, coordinate]
        Every record's vector, none longer than ``norm``.
    labels : array of int8
        0, 1, or 2 for a record that never counts.
    norm : int
        No vector is longer.
    threads : int, default 1
        Candidates are divided among this many threads; the result is the same.
    """

    def __init__(self, vectors: Vectors, labels: npt.NDArray[np.int8], norm: int, threads: int = 1) -> None:
        sign_of = np.array([-1, 1, 0], dtype=np.int16)
        self._signed = sign_of[labels][:, None] * vectors
        self._without_label = int(np.count_nonzero(labels == 2))
        self._norm = norm
        self._threads = threads

    def counts(self, candidates: npt.NDArray[np.int32], least_product: int) -> npt.NDArray[np.int64]:
        """Count, for each candidate w, the records with y<w, x> < ``least_product``.

        Parameters
        ----------
        candidates : array of int32, [candidate, coordinate]
            Public integer vectors.
        least_product : int
            Above 0, so that a record without label, whose vector is set to 0, is below it by every
            candidate: these are taken off again.
        """
        longest = math.isqrt(int((candidates.astype(np.int64) ** 2).sum(axis=1).max(initial=0))) + 1
        # By Cauchy and Schwarz on absolute values, no part of a sum of products is larger.
        if longest * self._norm > _LARGEST_PRODUCT or not 0 < least_product <= _LARGEST_PRODUCT:
            raise EngineError("inner products of these candidates do not fit 32 bits")
        counts = np.full(len(candidates), -self._without_label, dtype=np.int64)
        for start in range(0, max(len(self._signed), 1), _BLOCK):
            columns = np.ascontiguousarray(self._signed[start : start + _BLOCK].T, dtype=np.int32)
            over_parts(
                parts_of(len(candidates), self._threads),
                lambda rows, columns=columns: _add_errors(  # type: ignore[misc]
                    columns, candidates[rows], np.int32(least_product), counts[rows]
                ),
            )
        return counts


@kernel
def _add_errors(columns, candidates, least_product, counts):  # type: ignore[no-untyped-def]
    """Add to each candidate's count the records whose inner product with it is smaller.

    Records are columns, so that the loops over them run many at a time.
    """
    dimension, n_records = columns.shape
    products = np.empty(n_records, dtype=np.int32)
    for i in range(len(candidates)):
        products[:] = 0
        for k in range(dimension):
            factor = candidates[i, k]
            for j in range(n_records):
                products[j] += factor * columns[k, j]
        below = np.int32(0)
        for j in range(n_records):
            below += np.int32(products[j] < least_product)
        counts[i] += below
