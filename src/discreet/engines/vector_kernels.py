"""The loops over records with vectors. They release the interpreter lock and add integers only."""

from __future__ import annotations

import numpy as np

from discreet.engines.compiled import kernel

SHIFT = 40
"""Levels a unit of margin are a whole number of 2^-SHIFT."""


@kernel
def add_vectors(vectors, state, weight_of, sums):  # type: ignore[no-untyped-def]
    """Add each record's vector to ``sums``, times the signed weight of its state."""
    n_records, dimension = vectors.shape
    for i in range(n_records):
        weight = weight_of[state[i]]
        for k in range(dimension):
            sums[k] += weight * np.int64(vectors[i, k])


@kernel
def set_levels(vectors, direction, rate, max_level, state):  # type: ignore[no-untyped-def]
    """Set each record's level to floor(rate / 2^SHIFT * y <direction, x>), within the levels kept.

    Inner products are below 2^31 by the norms of both sides, and so is every part of their sums.
    """
    n_records, dimension = vectors.shape
    n_levels = 2 * max_level + 1
    for i in range(n_records):
        if state[i] == 2 * n_levels:
            continue
        product = np.int32(0)
        for k in range(dimension):
            product = np.int32(product + np.int32(np.int32(vectors[i, k]) * direction[k]))
        label = state[i] // n_levels
        margin = np.int64(product) if label == 1 else -np.int64(product)
        level = min(max((margin * rate) >> SHIFT, -max_level), max_level)
        state[i] = label * n_levels + level + max_level
