"""How far one record moves the regularised leader, and what is released of it: next to its proof (8).

Distances are |c|_a, the root of sum_k a_k c_k^2. Let c minimise L, c' minimise L', and h = L' - L: the new
record's loss less the old one's. Minimisers over a convex set, of functions that are convex beside sum_k a_k
c_k^2, satisfy L(c') >= L(c) + |c' - c|_a^2 and L'(c) >= L'(c') + |c' - c|_a^2; added up, 2 |c' - c|_a^2 <=
h(c) - h(c').

* Slopes are at most 1 and |v| <= 1, so a record's loss changes by at most |<c' - c, v>| <= |c' - c|_a /
  root(least a). Two records: |c' - c|_a <= 1 / root(least a); one that is added or removed: half of that.
* A record's loss lies in an interval of length ``radius``, since |<c, v>| <= radius. Two records: |c' - c|_a
  <= root(radius); one: root(radius / 2).

With all a_k = eta / B^2, B the leverage, the first is L B / eta in |f|_m; with radius 1, where the loss lies
in [0, 1], the second is 1 / root(eta). The smaller one is taken.

What is released is the integer vector of floor(root(a_k) c_k 2^s), of points that are certified to be within
a tolerance of the minimisers. That adds the tolerance twice, and less than 1 in each of d coordinates for the
floors: root(d) to the L2 norm. The L1 norm is at most root(d) times the L2 norm (docs/proofs/leaders.md).
"""

from __future__ import annotations

import math
from fractions import Fraction

from discreet.accounting.adjacency import Adjacency
from discreet.semiprivate.leader.objective import ROOT_BITS, Objective

_RECORDS: dict[Adjacency, int] = {"replace": 2, "add-remove": 1}
"""Losses by which the objectives of neighbours differ."""

_ROOT_GRAIN = 2**40


def stability(objective: Objective, adjacency: Adjacency) -> Fraction:
    """Return how far one record moves the minimiser, in the norm of the regulariser."""
    return min(by_slopes(objective, adjacency), by_values(objective, adjacency))


def by_slopes(objective: Objective, adjacency: Adjacency) -> Fraction:
    """Return the bound that rests on slopes and leverages."""
    return Fraction(_RECORDS[adjacency] * 2**ROOT_BITS, 2 * min(objective.roots))


def by_values(objective: Objective, adjacency: Adjacency) -> Fraction:
    """Return the bound that rests on the range of the loss."""
    return _root_above(Fraction(_RECORDS[adjacency] * objective.radius, 2))


def released_l2(objective: Objective, adjacency: Adjacency, tolerance: Fraction, grid: Fraction) -> int:
    """Return the L2 sensitivity of the released integer vector, ``grid`` steps to a unit of the norm."""
    moved = (stability(objective, adjacency) + 2 * tolerance) * grid
    return math.ceil(moved) + math.isqrt(len(objective.roots) - 1) + 1


def released_l1(objective: Objective, adjacency: Adjacency, tolerance: Fraction, grid: Fraction) -> int:
    """Return its L1 sensitivity."""
    l2 = released_l2(objective, adjacency, tolerance, grid)
    return math.isqrt(len(objective.roots) * l2**2 - 1) + 1


def _root_above(value: Fraction) -> Fraction:
    """Return a number that is not below the square root."""
    return Fraction(math.isqrt(math.ceil(value * _ROOT_GRAIN**2)) + 1, _ROOT_GRAIN)
