"""Noise on the costs of labels: what is drawn before an oracle labels public points (PRIVACY.md 8).

Labelling point i with 1 rather than 0 costs c_i, discrete Laplace noise; an exact minimiser of errors plus
costs gives the labelling that is released. The oracle computes in 64 bits, so costs are clipped. That is no
more than a rounding of epsilon, because every labelling has a chance that is far larger than that of a cost
beyond ``MOST_COST`` (docs/proofs/private-labels.md).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import opendp.prelude as dp

from discreet.accounting import PureDP
from discreet.errors import PlanError
from discreet.mechanisms.claims import Claim

dp.enable_features("contrib")

MOST_POINTS = 2**10
MOST_COST = 2**52
LARGEST_SCALE = 2.0**40
"""Within these, and for tables of at most 2^40 records, all sums fit int64, and clipping adds less than
2^-1000 to the loss."""

_COSTS = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")


def draw_costs(n_points: int, scale: float) -> npt.NDArray[np.int64]:
    """Draw the costs of labelling points 1, independent discrete Laplace noise, clipped."""
    return clipped(_laplace(scale)(np.zeros(n_points, dtype=np.int64)))


def clipped(costs: object) -> npt.NDArray[np.int64]:
    """Keep costs where the oracle's sums are exact."""
    return np.clip(np.asarray(costs, dtype=np.int64), -MOST_COST, MOST_COST)


def labels_loss(claim: Claim, scale: float) -> PureDP:
    """Return the loss of releasing a labelling, from OpenDP's own map.

    A shift of each cost by the range of the errors keeps the labelling. Rounded up once more, which covers
    the clipping.
    """
    if claim.points > MOST_POINTS or scale > LARGEST_SCALE:
        raise PlanError("so many points, or so small a budget, need costs beyond exact 64-bit sums")
    try:
        stated = float(_laplace(scale).map(claim.points * claim.bound))
    except dp.OpenDPException:
        stated = math.inf  # the map overflows where the scale is next to nothing
    return PureDP(math.nextafter(stated, math.inf))


@lru_cache(maxsize=64)
def _laplace(scale: float) -> Any:
    try:
        return dp.m.make_laplace(*_COSTS, scale=scale)
    except dp.OpenDPException:
        raise PlanError(f"OpenDP offers no Laplace noise of scale {scale:g}") from None
