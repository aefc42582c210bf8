"""How mixed the labels of a cell are, in exact integers (PRIVACY.md 4).

For a cell of positive mass a and negative mass b, phi(a, b) = 4 a b / (a + b): weight times Gini, 0 at 0. It
is homogeneous of degree 1, grows in both masses, and its partial derivatives, 4 b^2 / (a + b)^2 and
4 a^2 / (a + b)^2, lie in [0, 4]. Scores use its integer part.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

_HALF = 2**32


def impurity(positive: Integers, negative: Integers) -> Integers:
    """Return floor(4 a b / (a + b)), exactly, for masses with a + b < 2^62."""
    whole = np.maximum(positive + negative, 1)
    return _quotient(4 * np.minimum(positive, negative), np.maximum(positive, negative), whole)


def _quotient(x: Integers, y: Integers, whole: Integers) -> Integers:
    """Return floor(x y / whole) for 0 <= x < 2^63 and 0 <= y <= whole < 2^62, in two halves of x."""
    high, left = _divided(x // _HALF, y, whole)
    shifted, left_of_high = _divided(np.full_like(x, _HALF), left, whole)
    low, left_of_low = _divided(x % _HALF, y, whole)
    carry = left_of_high + left_of_low >= whole
    return np.asarray(high * _HALF + shifted + low + carry)


def _divided(x: Integers, y: Integers, whole: Integers) -> tuple[Integers, Integers]:
    """Return quotient and remainder of x y / whole for 0 <= x <= 2^32 and 0 <= y <= whole < 2^62.

    The quotient is at most 2^32 and its float has a relative error below 2^-50, so that its integer part is
    off by one at the most. Then the remainder lies between -whole and 2 whole, within int64, and modular
    arithmetic gives it exactly.
    """
    guess = np.floor(x.astype(np.float64) * y.astype(np.float64) / whole.astype(np.float64)).astype(np.int64)
    remainder = x * y - guess * whole
    correction = (remainder >= whole).astype(np.int64) - (remainder < 0)
    return guess + correction, remainder - correction * whole
