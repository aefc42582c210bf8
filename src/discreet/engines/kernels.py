"""The loops over records. They release the interpreter lock, allocate nothing large, add integers only."""

from __future__ import annotations

import numba
import numpy as np

BLOCK = 2048
"""Rows at a time: their weights stay in the first-level cache while all columns pass by."""


@numba.njit(nogil=True, cache=True)
def add_masses(codes, offsets, state, weight_of_state, n_levels, sums):  # type: ignore[no-untyped-def]
    """Add each record's weight to sums[offset of column + code, label], for every column."""
    n_columns, n_records = codes.shape
    weight = np.empty(BLOCK, np.int64)
    label = np.empty(BLOCK, np.int64)
    for start in range(0, n_records, BLOCK):
        size = min(BLOCK, n_records - start)
        for i in range(size):
            here = state[start + i]
            weight[i] = weight_of_state[here]
            label[i] = 1 if n_levels <= here < 2 * n_levels else 0
        for column in range(n_columns):
            offset = offsets[column]
            block = codes[column, start : start + size]
            for i in range(size):
                sums[offset + block[i], label[i]] += weight[i]


@numba.njit(nogil=True, cache=True)
def add_counts(state, counts):  # type: ignore[no-untyped-def]
    """Count the records in each state."""
    for i in range(len(state)):
        counts[state[i]] += 1


@numba.njit(nogil=True, cache=True)
def advance(codes, votes, state, n_levels):  # type: ignore[no-untyped-def]
    """Move each record's state by label times vote."""
    for i in range(len(state)):
        here = state[i]
        if here < n_levels:
            state[i] = here - votes[codes[i]]
        elif here < 2 * n_levels:
            state[i] = here + votes[codes[i]]
