"""How far one record can move a score: the single place, next to its proof.

Setting. Record j has label y_j in {-1, +1} and an integer weight W_j in [0, cap]; a record whose label is
outside the classes has W_j = 0. The score of a hypothesis h with values in [-1, 1] is the integer
q(h) = sum_j W_j y_j h(x_j). Hypotheses released so far are fixed, so record j's level is a function of
record j alone.

Replace one record i. Lemma 2.1 (PRIVACY.md) bounds what the others do: named so that theta' >= theta,
no other weight falls, and together they rise by at most W_i - W'_i + slack. The replaced record moves
q(h) by at most W_i + W'_i. Altogether |q' - q| <= (W_i + W'_i) + (W_i - W'_i + slack)
= 2 W_i + slack <= 2 cap + slack. A measure without projection moves no other weight: slack = 0 and
|q' - q| <= W_i + W'_i <= 2 cap, whatever its density (2.3).

Add or remove one record. Only unprojected measures are allowed, no other weight moves, and the record
itself contributes at most cap (2.5).

Vectors (5). Let X_j be an integer vector that is a function of record j alone, of Euclidean norm at most V,
and z = sum_j W_j y_j X_j. The two cases are those of q with X_j for h(x_j): the replaced record moves z by at
most V (W_i + W'_i), the others by at most V times what their weights move together, and the triangle
inequality adds up the norms. So ||z' - z|| <= V (2 cap + slack), and V cap for one record added or removed.

A selection is charged for the range over candidates, max_h (q'-q) - min_h (q'-q), at most twice that; a
hypothesis and its negation attain it (PRIVACY.md 3).

Mass. The sum of all weights moves by at most cap if no other record's weight does: by abs(W_i - W'_i) if
record i is replaced, by W_i if it is added or removed (PRIVACY.md 6).

Draws. Record j is drawn with probability W_j / (n cap), a blank with the rest. Named as in Lemma 2.1, the
others gain O <= W_i - W'_i + slack, the new record gains W'_i, the blank gains W_i - W'_i - O if that is
positive: together max(O + W'_i, W_i) <= cap + slack, in units of 1 / (n cap) (docs/proofs/resampling.md).

Trees. Fix a partition of the records by released things: leaves, and in each leaf the two sides of a
candidate split, and the labels. The argument above counts every change of a weight where it happens, so
the masses of all cells together move by at most D = ``correlation_sensitivity`` in absolute sum. Let leaf l
lose r_l and gain a_l of it; the sum of all r_l + a_l is at most D, for every candidate at once.

* Signed literals, or labels, leaf by leaf (4.4): a correlation inside leaf l moves by at most r_l + a_l, so
  its range is at most 2 (r_l + a_l). All leaves together: 2 D.
* Agreement, |a0 - b0| + |a1 - b1| over the sides of a split (4.3): moves by at most r_l + a_l as well. 2 D.
* Gini, leaf by leaf (4.2): with phi = 4 a b / (a + b), whose partial derivatives lie in [0, 4], the score
  -(phi(side 0) + phi(side 1)) moves by between -4 a_l and 4 r_l: range at most 4 (r_l + a_l). All leaves
  together: 4 D.
* Best-first (4.1), im = phi(leaf) - phi(side 0) - phi(side 1) over all (leaf, split) pairs: let phi(leaf l)
  move by p_l, which is between -4 r_l and 4 a_l and common to all splits of the leaf. So im moves by
  between p_l - 4 a_l and p_l + 4 r_l: an interval of length 4 (r_l + a_l) that holds 0. Two candidates of
  one leaf differ by at most its length, two of different leaves by at most the sum of the lengths: 4 D.
  One score may move by nearly as much, 8 cap (PRIVACY.md 9, E2).

Rounding. Scores use floor(phi), which takes off e with 0 <= e < 1. A change of floor(phi side 0) +
floor(phi side 1) is off by less than 2 either way, so the range in a leaf grows by less than 4, in leaves
whose masses move: one if a record comes or goes, two if it is replaced, all if others' weights move (slack).
A change of im is off by less than 3 either way, and the range of the one best-first selection grows by 6.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from discreet.accounting.adjacency import Adjacency
from discreet.errors import PlanError

MASS_LIMIT = 2**62
"""Summed weights stay below this (PRIVACY.md 1)."""


@dataclass(frozen=True)
class MassBounds:
    """All that sensitivity needs to know about a measure.

    Parameters
    ----------
    cap : int
        No record weighs more.
    slack : int
        By how much a projection may miss its target mass (G in PRIVACY.md 2); 0 without projection.
    adjacency : {"replace", "add-remove"}
        The neighbours that these bounds are for.
    """

    cap: int
    slack: int
    adjacency: Adjacency

    def __post_init__(self) -> None:
        if self.adjacency == "add-remove" and self.slack:
            raise PlanError("a projected measure depends on the number of records: replace-one only")


def correlation_sensitivity(bounds: MassBounds) -> int:
    """Return the largest |q'(h) - q(h)| over neighbours and hypotheses."""
    if bounds.adjacency == "add-remove":
        return bounds.cap
    return 2 * bounds.cap + bounds.slack


def correlation_range(bounds: MassBounds) -> int:
    """Return the largest max_h (q'-q)(h) - min_h (q'-q)(h) over neighbours."""
    return 2 * correlation_sensitivity(bounds)


def mass_sensitivity(bounds: MassBounds) -> int:
    """Return how far the sum of all weights can move between neighbours."""
    if bounds.slack:
        raise PlanError("a projected measure has the same mass in every round: no round to stop at")
    return bounds.cap


def sampling_distance(bounds: MassBounds, n_records: int) -> Fraction:
    """Return how far one record moves the distribution of a draw, in total variation."""
    if bounds.adjacency != "replace":
        raise PlanError("resampling needs the number of records, which add-remove keeps private")
    return Fraction(bounds.cap + bounds.slack, n_records * bounds.cap)


def leafwise_range(bounds: MassBounds) -> int:
    """Return the range, added up over all leaves, of signed literals, labels or agreement (4.3, 4.4)."""
    return 2 * correlation_sensitivity(bounds)


def leafwise_gini_range(bounds: MassBounds, n_leaves: int) -> int:
    """Return the range, added up over all leaves, of the Gini scores of their splits (4.2)."""
    moved = n_leaves if bounds.slack else min(n_leaves, 1 if bounds.adjacency == "add-remove" else 2)
    return 4 * correlation_sensitivity(bounds) + 4 * moved


def best_first_range(bounds: MassBounds) -> int:
    """Return the range of the Gini improvement over all pairs of a leaf and a split (4.1)."""
    return 4 * correlation_sensitivity(bounds) + 6


def vector_sensitivity(bounds: MassBounds, norm: int) -> int:
    """Return the largest L2 norm of z' - z over neighbours, for records' vectors of at most this norm."""
    return norm * correlation_sensitivity(bounds)


def histogram_sensitivity(adjacency: Adjacency, unit: int) -> int:
    """Return the largest L2 norm, rounded up, by which counts times ``unit`` move between neighbours."""
    # One record counts in one bin at most; a replaced one may leave it for another: sqrt(2).
    return unit if adjacency == "add-remove" else math.isqrt(2 * unit**2 - 1) + 1


def check_mass(bounds: MassBounds, max_records: int) -> None:
    """Refuse tables whose summed weights could overflow an int64 (PRIVACY.md 1)."""
    if max_records * bounds.cap >= MASS_LIMIT:
        raise PlanError(f"tables of {max_records} records are beyond exact 64-bit sums")
