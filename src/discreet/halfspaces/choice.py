"""The private choice of one candidate of a net, by its margin errors (7): the paper's pure learner."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discreet.engines.margin_errors import MarginErrors
from discreet.engines.projection import NORM
from discreet.halfspaces.fit_plan import NetPlan
from discreet.halfspaces.net import least_product
from discreet.halfspaces.sensitivity import SCORE
from discreet.mechanisms.release import Release


def choose(plan: NetPlan, engine: MarginErrors, release: Release) -> npt.NDArray[np.int64]:
    """Return the candidate that was released, as the weights of the model.

    Parameters
    ----------
    plan : NetPlan
        The net and the margin, both public.
    engine : MarginErrors
        Holds the records.
    release : Release
        What the plan allows.
    """
    (claim,) = release.claims
    candidates = plan.net.candidates()
    scores = SCORE * engine.counts(candidates, least_product(plan.margin, NORM))
    chosen = release.select(claim, scores, np.zeros(len(candidates)))
    return np.array(candidates[chosen], dtype=np.int64)
