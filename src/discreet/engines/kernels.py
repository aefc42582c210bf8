"""The loops over records. They release the interpreter lock, allocate nothing large, add integers only."""

from __future__ import annotations

import numpy as np

from discreet.engines.compiled import kernel

BLOCK = 2048
"""Rows at a time: their weights stay in the first-level cache while all packs pass by."""


@kernel
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


@kernel
def add_margins(sums, margins, ends, masses):  # type: ignore[no-untyped-def]
    """Take packs apart: add their sums to masses[label, code], and fold each column away; spoils ``sums``.

    A pack's last column comes first: once it is folded away, what is left is the pack of the others.
    """
    for k in range(len(margins)):
        column, begin, stride = margins[k]
        cell = begin
        for code in range(ends[column], ends[column + 1]):
            negative = positive = 0
            for rest in range(begin, begin + stride):
                negative += sums[2 * cell]
                positive += sums[2 * cell + 1]
                if cell != rest:
                    sums[2 * rest] += sums[2 * cell]
                    sums[2 * rest + 1] += sums[2 * cell + 1]
                cell += 1
            masses[0, code] += negative
            masses[1, code] += positive


@kernel
def add_counts(state, counts):  # type: ignore[no-untyped-def]
    """Count the records in each state."""
    for i in range(len(state)):
        counts[state[i]] += 1


@kernel
def advance(codes, votes, sign_of, state):  # type: ignore[no-untyped-def]
    """Move each record's state by label times vote."""
    for i in range(len(state)):
        here = state[i]
        state[i] = here + sign_of[here] * votes[codes[i]]
