"""The loops over records. They release the interpreter lock, allocate nothing large, add integers only."""

from __future__ import annotations

import numba
import numpy as np

BLOCK = 2048
"""Rows at a time: their weights stay in the first-level cache while all packs pass by."""


@numba.njit(nogil=True, cache=True)
def add_masses(packs, ends, state, weight_of, label_of, sums):  # type: ignore[no-untyped-def]
    """Add each record's weight to sums[2 * (end of pack before + code) + label], for every pack."""
    n_packs, n_records = packs.shape
    weight = np.empty(BLOCK, np.int64)
    label = np.empty(BLOCK, np.uint32)
    for start in range(0, n_records, BLOCK):
        size = min(BLOCK, n_records - start)
        for i in range(size):
            here = state[start + i]
            weight[i] = weight_of[here]
            label[i] = label_of[here]
        for pack in range(n_packs):
            mine = sums[2 * ends[pack] : 2 * ends[pack + 1]]
            for i in range(size):
                mine[(np.uint32(packs[pack, start + i]) << np.uint32(1)) | label[i]] += weight[i]


@numba.njit(nogil=True, cache=True)
def add_margin(pack_sums, stride, masses):  # type: ignore[no-untyped-def]
    """Add up a pack's sums to one column's masses[label, code]; its code was multiplied by stride."""
    n_codes = masses.shape[1]
    for high in range(len(pack_sums) // (2 * stride * n_codes)):
        for code in range(n_codes):
            first = (high * n_codes + code) * stride
            for low in range(first, first + stride):
                masses[0, code] += pack_sums[2 * low]
                masses[1, code] += pack_sums[2 * low + 1]


@numba.njit(nogil=True, cache=True)
def add_counts(state, counts):  # type: ignore[no-untyped-def]
    """Count the records in each state."""
    for i in range(len(state)):
        counts[state[i]] += 1


@numba.njit(nogil=True, cache=True)
def advance(codes, votes, sign_of, state):  # type: ignore[no-untyped-def]
    """Move each record's state by label times vote."""
    for i in range(len(state)):
        here = state[i]
        state[i] = here + sign_of[here] * votes[codes[i]]
