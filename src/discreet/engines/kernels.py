"""The loops over records. They release the interpreter lock, allocate nothing large, add integers only."""

from __future__ import annotations

import numpy as np

from discreet.engines.compiled import kernel

BLOCK = 2048
"""Rows at a time: their weights stay in the first-level cache while all packs pass by."""


@kernel
def add_masses(packs, ends, state, leaf, weight_of, label_of, label_bits, sums):  # type: ignore[no-untyped-def]
    """Add each record's weight to sums[end of pack before + code, cell], for every pack.

    A record's cell is its leaf and its label in one number, the label in the lowest ``label_bits``; the
    number of cells is a power of two. ``leaf`` may be None, for one leaf.
    """
    n_packs, n_records = packs.shape
    cell_bits = np.uint32(0)
    while (1 << cell_bits) < sums.shape[1]:
        cell_bits += np.uint32(1)
    flat = sums.reshape(sums.size)
    weight = np.empty(BLOCK, np.int64)
    cell = np.empty(BLOCK, np.uint32)
    for start in range(0, n_records, BLOCK):
        size = min(BLOCK, n_records - start)
        for i in range(size):
            here = state[start + i]
            weight[i] = weight_of[here]
            if leaf is None:
                cell[i] = label_of[here]
            else:
                cell[i] = (np.uint32(leaf[start + i]) << np.uint32(label_bits)) | np.uint32(label_of[here])
        for pack in range(n_packs):
            mine = flat[ends[pack] << cell_bits : ends[pack + 1] << cell_bits]
            for i in range(size):
                mine[(np.uint32(packs[pack, start + i]) << cell_bits) | cell[i]] += weight[i]


@kernel
def add_margins(sums, margins, ends, masses):  # type: ignore[no-untyped-def]
    """Take packs apart: add their sums to masses[code, cell], and fold each column away; spoils ``sums``.

    A pack's last column comes first: once it is folded away, what is left is the pack of the others.
    """
    n_cells = sums.shape[1]
    for k in range(len(margins)):
        column, begin, stride = margins[k]
        row = begin
        for code in range(ends[column], ends[column + 1]):
            for rest in range(begin, begin + stride):
                for cell in range(n_cells):
                    masses[code, cell] += sums[row, cell]
                    if row != rest:
                        sums[rest, cell] += sums[row, cell]
                row += 1


@kernel
def divide(codes, step, old, leaf):  # type: ignore[no-untyped-def]
    """Move the records of leaf ``old`` on by step[code]; without a branch, which no processor could guess."""
    for i in range(len(leaf)):
        leaf[i] += step[codes[i]] * np.uint8(leaf[i] == old)


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
