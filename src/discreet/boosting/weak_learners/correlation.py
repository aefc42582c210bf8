"""Scores of literals: pure functions of exact aggregates."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discreet.engines.base import Masses

Sums = npt.NDArray[np.int64]


def literal_correlations(
    masses: Masses, first: npt.NDArray[np.int64], last: npt.NDArray[np.int64], n_first_column: int
) -> npt.NDArray[np.int64]:
    """Return sum_j W_j y_j h(x_j) for the rule of each literal, exactly.

    Parameters
    ----------
    masses : array of int64, [label, code]
        Summed weights; codes of all columns, one column after the other.
    first, last : arrays of int64
        The interval of codes, in that order, for which each literal holds.
    n_first_column : int
        How many codes the first column has: together they hold every record once.
    """
    inside, outside = sides(masses[1] - masses[0], first, last, n_first_column)
    return np.asarray(inside - outside)


def sides(
    sums: Sums, first: npt.NDArray[np.int64], last: npt.NDArray[np.int64], n_first_column: int
) -> tuple[Sums, Sums]:
    """Divide sums over codes, the last axis, by each literal: where it holds, and where it does not."""
    # Over many columns the running sum may wrap around; differences and results are right all the same,
    # because they are below 2^63 and int64 arithmetic is modular.
    up_to = np.zeros((*sums.shape[:-1], sums.shape[-1] + 1), dtype=np.int64)
    np.cumsum(sums, axis=-1, out=up_to[..., 1:])
    inside = up_to[..., last + 1] - up_to[..., first]
    return inside, up_to[..., n_first_column, None] - inside
