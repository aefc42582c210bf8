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


_COMMAND = "python -m benchmarks.paper.halfspaces.practical"

MEASURED: tuple[Practical, ...] = tuple(
    Practical("descent", 0.1, 0.05, 1.0, 1e-6, margin, m, n, _COMMAND)
    for margin, m, n in ((0.3, 256, 656), (0.2, 256, 930), (0.1, 1000, 4652))
)
"""What the command prints: 100 fits by default settings on each of two sources, on which every record meets
the margin with equality, in 1,000 columns."""


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
