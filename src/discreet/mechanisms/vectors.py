"""Private vectors through OpenDP: discrete Gaussian or Laplace noise, and the loss that it states."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import opendp.prelude as dp

from discreet.accounting import ZCDP, GaussianDP, PureDP
from discreet.errors import PlanError
from discreet.mechanisms.claims import Claim
from discreet.mechanisms.release import Vector

dp.enable_features("contrib")

LEAST_SCALE = 2.0**33
MOST_COORDINATES = 2**24
"""From this scale on, and for so many coordinates of all releases together, discrete Gaussian noise cannot be
told from rounded normal noise, to 5e-14 in the logarithm (docs/proofs/gaussian-vectors.md)."""

_DOMAIN = dp.vector_domain(dp.atom_domain(T="i64"))
_VECTORS = _DOMAIN, dp.l2_distance(T="f64")
_SUMMED = _DOMAIN, dp.l1_distance(T="i64")


def draw_gaussian(values: Vector, scale: float) -> Vector:
    """Add discrete Gaussian noise to each coordinate; OpenDP saturates at the ends of int64."""
    return np.array(_gaussian(scale)(values), dtype=np.int64)


def gaussian_loss(claim: Claim, scale: float) -> GaussianDP | ZCDP:
    """Return what OpenDP's own map states for one vector of this L2 sensitivity.

    It states rho = bound^2 / (2 scale^2). At scales at which the integers are nearly a line this is a
    Gaussian loss, mu = sqrt(2 rho); below them it is a rho and no more (docs/proofs/gaussian-vectors.md).
    """
    # The map takes a float: one above the integer where that is not a float itself.
    bound = float(claim.bound)
    if int(bound) < claim.bound:
        bound = math.nextafter(bound, math.inf)
    try:
        stated = float(_gaussian(scale).map(bound))
    except dp.OpenDPException:
        stated = math.inf  # the map overflows where the scale is next to nothing
    if scale < LEAST_SCALE:
        return ZCDP(stated)
    return GaussianDP(math.nextafter(math.sqrt(2 * stated), math.inf))


def draw_laplace(values: Vector, scale: float) -> Vector:
    """Add discrete Laplace noise to each coordinate; OpenDP saturates at the ends of int64."""
    return np.array(_laplace(scale)(values), dtype=np.int64)


def laplace_loss(claim: Claim, scale: float) -> PureDP:
    """Return what OpenDP's own map states for one vector of this L1 sensitivity: bound / scale."""
    try:
        return PureDP(float(_laplace(scale).map(claim.bound)))
    except dp.OpenDPException:
        return PureDP(math.inf)


@lru_cache(maxsize=64)
def _laplace(scale: float) -> Any:
    try:
        return dp.m.make_laplace(*_SUMMED, scale=scale)
    except dp.OpenDPException:
        raise PlanError(f"OpenDP offers no Laplace noise of scale {scale:g}") from None


@lru_cache(maxsize=64)
def _gaussian(scale: float) -> Any:
    try:
        return dp.m.make_gaussian(*_VECTORS, scale)
    except dp.OpenDPException:
        raise PlanError(f"OpenDP offers no Gaussian noise of scale {scale:g}") from None
