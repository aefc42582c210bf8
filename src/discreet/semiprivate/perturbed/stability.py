"""How far one record moves the average of perturbed leaders: next to its proof (8).

A run minimises errors + eta w(f) over the labellings f of m points by -1 and 1, w(f) = sum_i xi_i f_i /
root(m) for normal xi_i. Distances are root mean squares over the points, so they are 0, 2 / root(m), ..., 2.
The errors of all labellings move by numbers in an interval of length ``SLACK``: 2 if one record is replaced,
1 if one is added or removed.

* Let B = 2 SLACK E / eta, where E is the mean of the largest w(f) over the labellings: at most root(2 ln N)
  for N of them. Under the same xi the leaders of neighbours are p or more apart with probability at most
  B / p^2, so their mean distance is at most the integral of min(1, B / max(p, 2 / root(m))^2) up to 2.
* The average of J runs moves by at most the average of J such distances. These are independent, between 0
  and 2, with that mean; Hoeffding's inequality bounds the chance that their average is above any number.

Costs are whole numbers of a grid, which changes little: `mean_distance` covers it. docs/proofs/leaders.md,
Perturbed leader, has the proofs. They are sharper than the paper's: PRIVACY.md 8 has (4/3) (8 SLACK E /
eta)^(1/4) for the mean distance and adds root(2 ln(1 / delta) / J) to it. Both are never less than what is
computed here.
"""

from __future__ import annotations

import math

from discreet.accounting.adjacency import Adjacency
from discreet.mechanisms.perturbations import PERTURBATION_SCALE

SLACK: dict[Adjacency, int] = {"replace": 2, "add-remove": 1}
"""The length of the interval in which one record moves the errors of all labellings."""

FARTHEST = 2.0
"""No two labellings are further apart."""

NEARLY_NORMAL = 1 + 1e-12
"""Perturbations have at most this times the chance that rounded normal ones would have, and 1e-300."""

_ROUNDING = 1 + 1e-9
_BISECTIONS = 100


def strength_of(weight: int, n_points: int) -> float:
    """Return eta for costs on the grid, and errors that weigh this many steps of it."""
    return PERTURBATION_SCALE * math.sqrt(n_points) / (2 * weight)


def largest(n_labellings: int) -> float:
    """Return a bound on the mean of the largest of so many standard normal numbers."""
    return math.sqrt(2 * math.log(n_labellings))


def mean_distance(adjacency: Adjacency, weight: int, n_points: int, n_labellings: int) -> float:
    """Return a bound on the mean distance of neighbours' leaders, under the same costs."""
    # Rounding changes the objective of every labelling by numbers in an interval of this length.
    rounded = n_points / (2 * weight)
    strength = strength_of(weight, n_points)
    moved = 2 * (SLACK[adjacency] + rounded) * largest(n_labellings) / strength
    # The chance that a rounded objective has another minimiser than the exact one.
    another = 2 * rounded * largest(n_labellings) / strength * n_points / 4
    least = 2 / math.sqrt(n_points)
    first = min(max(least, math.sqrt(moved)), FARTHEST)
    mean = min(1.0, moved / least**2) * least + (first - least) + moved * (1 / first - 1 / FARTHEST)
    return min(FARTHEST, (mean + 2 * another) * _ROUNDING)


def average_distance(mean: float, runs: int, failure: float) -> float:
    """Return what the average of independent distances exceeds with no more than this probability."""
    share, needed = mean / FARTHEST, math.log(1 / failure) * _ROUNDING / runs
    low, high = share, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if _divergence(middle, share) >= needed else (middle, high)
    return min(FARTHEST, FARTHEST * high * _ROUNDING)


def released_l2(moved: float, n_points: int, runs: int, grid: int) -> int:
    """Return how far the sums of labels move on their grid, if the average moves by ``moved``."""
    return math.ceil(math.sqrt(n_points) * runs * moved * grid * _ROUNDING)


def _divergence(q: float, p: float) -> float:
    """Return the divergence of coins: the rate at which an average of p reaches q > p."""
    if q >= 1:
        return -math.log(p) if p < 1 else 0.0
    return q * math.log(q / p) + (1 - q) * math.log((1 - q) / (1 - p))
