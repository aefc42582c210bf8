"""Stochastic descent on the hinge loss, some times over, and a private choice: the paper's Algorithm 3 (7).

A step draws one record, uniformly and secretly, and moves by its gradient with Gaussian noise; the paper's
n L is the length of a gradient, and goes into the step. Which records were drawn is never released.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from discreet.engines.hinge import HingeEngine
from discreet.engines.margin_errors import MarginErrors
from discreet.engines.projection import NORM
from discreet.halfspaces.descent import whole_weights, within_ball
from discreet.halfspaces.fit_plan import DIRECTION, UNIT, StochasticPlan
from discreet.halfspaces.net import least_product
from discreet.halfspaces.sensitivity import SCORE
from discreet.mechanisms.release import Release

_DIAMETER = 2.0
"""Of the ball."""


def descend_repeatedly(
    repeats: Iterable[int],
    plan: StochasticPlan,
    engine: HingeEngine,
    errors: MarginErrors,
    release: Release,
) -> npt.NDArray[np.int64]:
    """Return the weights of the model: the last iterate that was chosen, in whole numbers.

    Parameters
    ----------
    repeats : iterable of int
        The repeats of the plan.
    plan : StochasticPlan
        Steps and noise, from public numbers.
    engine : HingeEngine
        Holds the records.
    errors : MarginErrors
        Holds them, too, for the choice.
    release : Release
        What the plan allows.
    """
    _, choice = release.claims
    last = np.array([_descend(plan, engine, release) for _ in repeats])
    # Brought to norm 1, as the candidates of a net are: what is counted depends on the direction alone.
    norms = np.sqrt((last**2).sum(axis=1, keepdims=True))
    candidates = np.trunc(last / np.where(norms > 0, norms, 1) * DIRECTION).astype(np.int32)
    scores = SCORE * errors.counts(candidates, least_product(plan.margin, NORM))
    return whole_weights(last[release.select(choice, scores, np.zeros(len(candidates)))])


def _descend(plan: StochasticPlan, engine: HingeEngine, release: Release) -> npt.NDArray[np.float64]:
    """Return the last iterate of one descent from 0."""
    step, _ = release.claims
    assert plan.n_records is not None
    ends = np.arange(1, plan.n_records + 1)
    square = 1 + plan.n_components * plan.noise**2
    direction = np.zeros(plan.n_components)
    for done in range(1, plan.steps + 1):
        whole = np.trunc(direction * DIRECTION).astype(np.int32)
        exact = engine.one_below(release.draw(ends), whole, plan.least_product)
        noisy = release.vector(step, exact * UNIT)
        moved = direction + _DIAMETER / math.sqrt(done * square) * (noisy / (NORM * UNIT))
        direction = within_ball(moved)
    return direction
