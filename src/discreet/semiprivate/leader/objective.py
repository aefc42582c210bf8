"""What the regularised leader minimises, and how far a point can be from the minimum, in exact integers.

A record has an integer vector V_j of norm at most ``NORM`` and a label y_j in {-1, 0, 1}, 0 for none of the
classes; v_j = V_j / NORM. Over the ball of a public radius, the leader minimises

    sum_j |y_j| loss(y_j <c, v_j>)  +  sum_k a_k c_k^2,

where loss(z) is (1 - z)^2 / 4 between -1 and 1, -z below and 0 above: convex, with slopes in [-1, 0], and a
square near 0, so that a value in [-1, 1] can be read as a difference of probabilities. The a_k are exact
squares of ``roots``. Distances are those of the regulariser: |c|_a^2 = sum_k a_k c_k^2.

`is_certified` proves that a point lies within a tolerance of the minimiser; it trusts nothing and rounds
nothing. The proof is in docs/proofs/leaders.md, Certificate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from discreet.boosting.features import GRID_BITS, Vectors

ROOT_BITS = 24
"""Roots of the regulariser are whole numbers of 2^-ROOT_BITS."""

Labels = npt.NDArray[np.int8]

_LIMB_BITS = 32
_LIMB = 2**_LIMB_BITS - 1
# Sums over a block: 2^16 records, limbs below 2^32, coordinates up to 2^14.
_BLOCK = 2**16


@dataclass(frozen=True)
class Objective:
    """The public part of the problem.

    Parameters
    ----------
    roots : tuple of int
        The square roots of a_k, one a coordinate, in steps of 2^-ROOT_BITS.
    radius : int
        The norm of c is at most this.
    """

    roots: tuple[int, ...]
    radius: int

    @property
    def weights(self) -> list[Fraction]:
        """The a_k."""
        return [Fraction(root**2, 4**ROOT_BITS) for root in self.roots]


@dataclass(frozen=True)
class Point:
    """A point of the ball, on a grid: coordinates are ``values`` times 2^-bits."""

    values: tuple[int, ...]
    bits: int

    @property
    def square(self) -> Fraction:
        """The squared norm."""
        return Fraction(sum(value**2 for value in self.values), 4**self.bits)

    @property
    def coordinates(self) -> list[Fraction]:
        """The coordinates themselves."""
        return [Fraction(value, 2**self.bits) for value in self.values]


def gradient(objective: Objective, vectors: Vectors, labels: Labels, point: Point) -> list[Fraction]:
    """Return the gradient of the objective at a point, exactly."""
    one = 2 ** (GRID_BITS + point.bits)
    totals = np.zeros(len(objective.roots), dtype=object)
    # At least one block, so that the path is that of a table with records.
    for start in range(0, max(len(vectors), 1), _BLOCK):
        signed = vectors[start : start + _BLOCK].astype(np.int64) * labels[start : start + _BLOCK, None]
        # Of slope (1 - z) / 2, kept between 0 and 1: its numerator over 2 ``one``.
        slopes = np.clip(one - _products(signed, point.values), 0, 2 * one)
        totals += _products(signed.T, slopes)
    moved = (Fraction(-int(total), 2 * one * 2**GRID_BITS) for total in totals)
    pulled = (2 * a * c for a, c in zip(objective.weights, point.coordinates, strict=True))
    return [data + pull for data, pull in zip(moved, pulled, strict=True)]


def is_certified(
    objective: Objective, point: Point, slope: Sequence[Fraction], pull: Fraction, tolerance: Fraction
) -> bool:
    """Tell whether the point is proven to lie within a tolerance of the minimiser, in the norm |.|_a.

    Parameters
    ----------
    objective : Objective
        The problem.
    point : Point
        The candidate.
    slope : sequence of Fraction
        The gradient there.
    pull : Fraction
        A multiplier of the ball's constraint, any number of at least 0.
    tolerance : Fraction
        The distance to prove.
    """
    room = objective.radius**2 - point.square
    if room < 0 or pull < 0:
        return False
    residual = [each + 2 * pull * c for each, c in zip(slope, point.coordinates, strict=True)]
    squares = sum((each**2 / a for each, a in zip(residual, objective.weights, strict=True)), Fraction())
    return squares <= tolerance**2 and 2 * pull * room <= tolerance**2


def _products(
    rows: npt.NDArray[np.int64], values: Sequence[int] | npt.NDArray[np.object_]
) -> npt.NDArray[np.object_]:
    """Return the inner product of each row with integers of any size: limb by limb, each exact in 64 bits."""
    left = np.array(values, dtype=object)
    signs = np.where(left < 0, -1, 1)
    left = left * signs
    total = np.zeros(len(rows), dtype=object)
    shift = 0
    while True:
        limb = (left & _LIMB).astype(np.int64) * signs.astype(np.int64)
        total += (rows @ limb).astype(object) << shift
        left = left >> _LIMB_BITS
        shift += _LIMB_BITS
        if not left.any():
            return total
