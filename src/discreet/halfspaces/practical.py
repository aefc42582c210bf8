"""What simulations support, beside what is proven: one row for each setting that was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Method = Literal["descent", "net"]


@dataclass(frozen=True)
class Practical:
    """A setting at which simulated fits reached an error.

    Parameters
    ----------
    method : {"descent", "net"}
        How the halfspace was learnt.
    error, beta : float
        All but a share ``beta`` of the fits had at most this error on fresh records.
    epsilon, delta : float
        The privacy budget.
    margin : float
        Of the source.
    n_components, n_records : int
        m and n.
    command : str
        What prints the measurement.
    """

    method: Method
    error: float
    beta: float
    epsilon: float
    delta: float
    margin: float
    n_components: int
    n_records: int
    command: str


MEASURED: tuple[Practical, ...] = ()
"""Rows are added with the command that measures them, never by hand."""


def practical(
    method: Method, alpha: float, beta: float, epsilon: float, delta: float, margin: float
) -> Practical | None:
    """Return the measured setting with the fewest records that is at least as hard as what is asked for.

    None, if no setting with so small an error, probability, budget and margin was measured.
    """
    harder = [
        row
        for row in MEASURED
        if row.method == method
        and row.error <= alpha
        and row.beta <= beta
        and row.epsilon <= epsilon
        and row.delta <= delta
        and row.margin <= margin
    ]
    return min(harder, key=lambda row: row.n_records, default=None)
