"""The perturbed leader itself: average perturbed minimisers, release, and take the nearest labelling (8)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discreet.mechanisms.release import Release, Vector
from discreet.schema.encode import Codes
from discreet.semiprivate.labelling import Bits, PublicPoints
from discreet.semiprivate.oracles.base import Labels
from discreet.semiprivate.oracles.rules import ExactRules
from discreet.semiprivate.perturbed.plan import PerturbedPlan


def labellings_of(points: PublicPoints) -> npt.NDArray[np.int8]:
    """Return the labellings of the chosen points by rules."""
    return ExactRules().on(points.schema, points.points).labellings


def release_average(
    plan: PerturbedPlan, points: PublicPoints, private: Codes, labels: Labels, release: Release
) -> Bits:
    """Release the average of perturbed leaders, and return the labelling that is closest to what came out.

    Parameters
    ----------
    plan : PerturbedPlan
        What was planned.
    points : PublicPoints
        The public points.
    private, labels : Codes, array of int8
        The records.
    release : Release
        The only exit; also of the perturbations, which never leave.
    """
    costs = release.perturbations(plan.runs, plan.n_points)
    leaders = ExactRules().on(points.schema, points.points).minimise_many(private, labels, plan.weight, costs)
    # Labels 0 and 1 of a run count -1 and 1.
    total = 2 * leaders.sum(axis=0, dtype=np.int64) - plan.runs
    (claim,) = release.claims
    return nearest_labelling(labellings_of(points), release.vector(claim, plan.grid * total))


def nearest_labelling(labellings: npt.NDArray[np.int8], noisy: Vector) -> Bits:
    """Return the labelling that is closest to a released vector, the first of several."""
    agreement = (2 * labellings.astype(np.float64) - 1) @ noisy.astype(np.float64)
    return np.asarray(labellings[int(agreement.argmax())])
