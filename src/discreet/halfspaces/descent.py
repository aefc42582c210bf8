"""Noisy descent on the hinge loss over the unit ball: the practical form of the paper's Algorithm 1 (7).

The loss of a record is max(0, 96/86 - y<w, x> / (0.86 margin)). Its gradient is -y x / (0.86 margin) where
y<w, x> is below 0.96 margin, and 0 elsewhere: so the sum of y x over those records is all that is released,
and the constant goes into the step. What is done with the sums is post-processing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from discreet.engines.hinge import HingeEngine
from discreet.engines.projection import NORM
from discreet.halfspaces.fit_plan import DIRECTION, UNIT, DescentPlan
from discreet.mechanisms.release import Release

_LARGEST_SUM = 2**40
"""In grid steps: sums beyond it are cut, which brings no two of them further apart."""

WEIGHT = 2**40
"""The weights of a model are whole numbers of this part of the longest one."""


def descend(
    rounds: Iterable[int], plan: DescentPlan, engine: HingeEngine, release: Release
) -> npt.NDArray[np.int64]:
    """Return the weights of the model: the average of the directions of the later half, in whole numbers.

    Parameters
    ----------
    rounds : iterable of int
        The rounds of the plan, from 0.
    plan : DescentPlan
        Step and threshold, from public numbers.
    engine : HingeEngine
        Holds the records.
    release : Release
        What the plan allows.
    """
    (claim,) = release.claims
    direction = np.zeros(plan.n_components)
    total = np.zeros(plan.n_components)
    for done in rounds:
        steps = np.trunc(direction * DIRECTION).astype(np.int32)
        exact = engine.sum_below(steps, plan.least_product)
        noisy = release.vector(claim, np.clip(exact, -_LARGEST_SUM, _LARGEST_SUM) * UNIT)
        direction = within_ball(direction + plan.step * (noisy / (NORM * UNIT)))
        if done >= plan.rounds // 2:
            total += direction
    return whole_weights(total)


def whole_weights(total: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return the weights of a model that points this way, in whole numbers."""
    longest = np.abs(total).max()
    return np.rint(total * (WEIGHT / longest)).astype(np.int64) if longest > 0 else total.astype(np.int64)


def within_ball(direction: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Shorten a vector to norm 1, if it is longer; the sum of its squares is rounded once."""
    norm = math.sqrt(math.fsum(direction * direction))
    return direction / norm if norm > 1 else direction
