"""How far one record can move a correlation score: the single place, next to its proof.

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
"""

from __future__ import annotations

from dataclasses import dataclass

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


def vector_sensitivity(bounds: MassBounds, norm: int) -> int:
    """Return the largest L2 norm of z' - z over neighbours, for records' vectors of at most this norm."""
    return norm * correlation_sensitivity(bounds)


def check_mass(bounds: MassBounds, max_records: int) -> None:
    """Refuse tables whose summed weights could overflow an int64 (PRIVACY.md 1)."""
    if max_records * bounds.cap >= MASS_LIMIT:
        raise PlanError(f"tables of {max_records} records are beyond exact 64-bit sums")
