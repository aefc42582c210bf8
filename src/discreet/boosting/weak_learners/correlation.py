"""Scores of literals: pure functions of exact aggregates."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discreet.engines.base import Masses


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
    # Over many columns the running sum may wrap around; differences and results are right all the same,
    # because they are below 2^63 and int64 arithmetic is modular.
    signed = masses[1] - masses[0]
    up_to = np.concatenate([[0], np.cumsum(signed)])
    where_true = up_to[last + 1] - up_to[first]
    everywhere = up_to[n_first_column]
    return np.asarray(2 * where_true - everywhere)
