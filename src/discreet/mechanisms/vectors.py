"""Private vectors through OpenDP: discrete Gaussian noise, and the loss that it states for itself."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import opendp.prelude as dp

from discreet.accounting import GaussianDP
from discreet.errors import PlanError
from discreet.mechanisms.claims import Claim
from discreet.mechanisms.release import Vector

dp.enable_features("contrib")

_VECTORS = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")


def draw_gaussian(values: Vector, scale: float) -> Vector:
    """Add discrete Gaussian noise to each coordinate; OpenDP saturates at the ends of int64."""
    return np.array(_gaussian(scale)(values), dtype=np.int64)


def gaussian_loss(claim: Claim, scale: float) -> GaussianDP:
    """Return what OpenDP's own map states for one vector of this L2 sensitivity.

    It states rho = bound^2 / (2 scale^2), from which mu = sqrt(2 rho) follows (PRIVACY.md 0).
    """
    # The map takes a float: one above the integer where that is not a float itself.
    bound = float(claim.bound)
    if int(bound) < claim.bound:
        bound = math.nextafter(bound, math.inf)
    try:
        stated = float(_gaussian(scale).map(bound))
    except dp.OpenDPException:
        stated = math.inf  # the map overflows where the scale is next to nothing
    return GaussianDP(math.nextafter(math.sqrt(2 * stated), math.inf))


@lru_cache(maxsize=64)
def _gaussian(scale: float) -> Any:
    try:
        return dp.m.make_gaussian(*_VECTORS, scale)
    except dp.OpenDPException:
        raise PlanError(f"OpenDP offers no Gaussian noise of scale {scale:g}") from None
