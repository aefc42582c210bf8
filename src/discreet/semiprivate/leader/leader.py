"""The regularised leader itself: minimise, release, and project back (8)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from discreet.boosting.features import Vectors
from discreet.mechanisms.release import Release, Vector
from discreet.semiprivate.leader.minimiser import certified_minimiser
from discreet.semiprivate.leader.objective import ROOT_BITS, Labels, Objective, Point
from discreet.semiprivate.leader.plan import LeaderPlan

_BISECTIONS = 200

SIGNS = np.array([-1, 1, 0], dtype=np.int8)
"""The label of each class; that of neither weighs nothing."""


def release_leader(
    plan: LeaderPlan, records: Vectors, labels: Labels, release: Release
) -> npt.NDArray[np.float64]:
    """Release the leader, and return a point of the ball close to what came out.

    Parameters
    ----------
    plan : LeaderPlan
        What was planned.
    records : array of int16
        The V of each record.
    labels : array of int8
        -1, 1, or 0.
    release : Release
        The only exit.
    """
    point = certified_minimiser(plan.objective, records, labels, plan.tolerance)
    (claim,) = release.claims
    return projected(plan, release.vector(claim, whole(plan.objective, plan.grid, point)))


def whole(objective: Objective, grid: Fraction, point: Point) -> Vector:
    """Round a point to what is released: root(a_k) c_k in steps of the grid, down."""
    step = grid / 2**ROOT_BITS
    pairs = zip(objective.roots, point.coordinates, strict=True)
    return np.array([math.floor(root * c * step) for root, c in pairs], dtype=np.int64)


def projected(plan: LeaderPlan, noisy: Vector) -> npt.NDArray[np.float64]:
    """Return the point of the ball that is closest to a released vector, in the norm of the regulariser.

    Nothing private is read: it is the last step of Algorithm 1.
    """
    weights, aim = _weights(plan.objective), noisy / float(plan.grid)
    center = aim / np.sqrt(weights)
    low, high = 0.0, float(np.linalg.norm(np.sqrt(weights) * aim)) / plan.objective.radius
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        outside = np.linalg.norm(center * weights / (weights + middle)) > plan.objective.radius
        low, high = (middle, high) if outside else (low, middle)
    return np.asarray(center * weights / (weights + high))


def _weights(objective: Objective) -> npt.NDArray[np.float64]:
    return np.array([float(Fraction(a)) for a in objective.weights])
