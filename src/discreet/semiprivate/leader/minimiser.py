"""The minimiser of the leader's objective, found in floating point and proven in integers.

`_search` is Newton's method and is not trusted. What it finds is rounded to a grid and proven to be within
the tolerance; should that ever fail, `_descend` walks there in exact arithmetic, on finer and finer grids,
and its walk ends on every input (docs/proofs/leaders.md, Certificate). So every input has an answer, and
every answer is certified: there is no error, no default and no limit of steps that could depend on the
records.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from discreet.boosting.features import NORM, Vectors
from discreet.semiprivate.leader.objective import (
    ROOT_BITS,
    Labels,
    Objective,
    Point,
    gradient,
    is_certified,
)

_BITS = 44
"""Of the grid on which the search's result is kept."""

_BORDER_BITS = 48
"""More at the border, where the room that is left counts as much as the gradient does."""

_NEWTON_STEPS = 60
_LENGTHS = 2.0 ** -np.arange(0, 24, 2)
_BISECTIONS = 80
_SETTLED = 1e-11

Floats = npt.NDArray[np.float64]


def certified_minimiser(objective: Objective, vectors: Vectors, labels: Labels, tolerance: Fraction) -> Point:
    """Return a point within the tolerance of the minimiser, in the norm of the regulariser.

    Parameters
    ----------
    objective : Objective
        The public part of the problem.
    vectors, labels : array
        The records.
    tolerance : Fraction
        Above 0; fixed in advance.
    """
    try:
        with np.errstate(all="ignore"):  # a warning would tell something about the records
            point, pull = _search(objective, vectors, labels)
    except (ArithmeticError, ValueError):  # a number that is none, or a matrix that has no axes
        return _descend(objective, vectors, labels, tolerance)
    slope = gradient(objective, vectors, labels, point)
    if is_certified(objective, point, slope, pull, tolerance):
        return point
    return _descend(objective, vectors, labels, tolerance)


def _search(objective: Objective, vectors: Vectors, labels: Labels) -> tuple[Point, Fraction]:
    """Minimise a quadratic model over the ball, go towards its minimum, and again.

    All in one function: how many steps it takes is a matter of time only.
    """
    signed = vectors.astype(np.float64) / NORM * labels[:, None]
    weights = (np.array(objective.roots, dtype=np.float64) / 2**ROOT_BITS) ** 2
    radius = objective.radius
    center, pull = np.zeros(len(weights)), 0.0
    for _ in range(_NEWTON_STEPS):
        margins = signed @ center
        slope = 2 * weights * center - signed.T @ np.clip((1 - margins) / 2, 0, 1)
        curved = signed * (np.abs(margins) < 1)[:, None]
        curvatures, axes = np.linalg.eigh(curved.T @ signed / 2 + 2 * np.diag(weights))
        aim = axes.T @ slope - curvatures * (axes.T @ center)
        low, high = 0.0, float(np.linalg.norm(aim)) / (2 * radius)
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            outside = np.linalg.norm(aim / (curvatures + 2 * middle)) > radius
            low, high = (middle, high) if outside else (low, middle)
        inside = np.linalg.norm(aim / curvatures) <= radius
        pull = 0.0 if inside else high
        step = -(axes @ (aim / (curvatures + 2 * pull))) - center
        ahead = signed @ step
        values = []
        for length in _LENGTHS:
            z, c = margins + length * ahead, center + length * step
            loss = np.where(z < -1, -z, np.maximum(1 - z, 0) ** 2 / 4)
            values.append(float(loss[labels != 0].sum() + weights @ c**2))
        center = center + _LENGTHS[int(np.argmin(values))] * step
        if np.abs(step).max(initial=0) <= _SETTLED * max(1.0, np.abs(center).max(initial=0)):
            break
    return _on_grid(center, pull > 0, radius), Fraction(pull)


def _on_grid(center: Floats, at_the_border: bool, radius: int) -> Point:
    """Round a point to the grid, inside the ball; one at the border is kept there, on a finer grid."""
    bits = _BITS + _BORDER_BITS * at_the_border
    values = [int(value) << (bits - _BITS) for value in np.trunc(center * 2.0**_BITS)]
    return Point(_inside(values, radius << bits, at_the_border), bits)


def _descend(objective: Objective, vectors: Vectors, labels: Labels, tolerance: Fraction) -> Point:
    """Walk downhill in exact arithmetic: projected gradient descent, until the certificate holds."""
    smoothness, condition = curvature(objective, len(vectors))
    for bits in itertools.count(_BITS, 16):
        point = Point((0,) * len(objective.roots), bits)
        for _ in range(condition * (bits + objective.radius.bit_length())):
            slope = gradient(objective, vectors, labels, point)
            ahead = sum((s * c for s, c in zip(slope, point.coordinates, strict=True)), Fraction())
            pull = max(Fraction(), -ahead / (2 * objective.radius**2))
            if is_certified(objective, point, slope, pull, tolerance):
                return point
            values = [
                math.floor((c - s / smoothness) * 2**bits)
                for c, s in zip(point.coordinates, slope, strict=True)
            ]
            point = Point(_inside(values, objective.radius * 2**bits), bits)
    raise AssertionError  # the walk ends


def curvature(objective: Objective, n_records: int) -> tuple[Fraction, int]:
    """Return an upper bound of the curvature, and how many times the least one that is, rounded up."""
    weights = objective.weights
    largest = Fraction(n_records, 2) + 2 * max(weights)
    return largest, math.ceil(largest / (2 * min(weights)))


def _inside(values: list[int], radius: int, at_the_border: bool = False) -> tuple[int, ...]:
    """Shorten integers to a norm of at most the radius; at the border, scale them to all but that norm."""
    square = sum(value**2 for value in values)
    norm = math.isqrt(square) + 1
    scaled = tuple((abs(value) * radius // norm) * (1 if value > 0 else -1) for value in values)
    return scaled if at_the_border or square > radius**2 else tuple(values)
