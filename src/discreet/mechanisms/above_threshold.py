"""AboveThreshold: which of a run of queries is the first above a threshold (PRIVACY.md 6).

A query that changes by at most d between neighbours is compared, with discrete Laplace noise of scale 2 b
on it, with noise of scale b that is drawn once for the whole run. However many queries are asked, and however
each was chosen after the answers so far, the run is 2 d / b differentially private
(docs/proofs/above-threshold.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import opendp.prelude as dp

from discreet.accounting import PureDP
from discreet.errors import PlanError, ReleaseRefused
from discreet.mechanisms.claims import Claim

dp.enable_features("contrib")

QUERY_NOISE = 2
"""Scales of noise on a query, for one on the threshold."""

_INTEGERS = dp.atom_domain(T="i64"), dp.absolute_distance(T="i64")
_ENDS = -(2**63), 2**63 - 1


class AboveThreshold:
    """One run of the test; the threshold is 0.

    Parameters
    ----------
    noise : callable
        Draws discrete Laplace noise of a scale.
    scale : float
        That of the noise on the threshold.
    """

    def __init__(self, noise: Callable[[float], int], scale: float) -> None:
        self._noise = noise
        self._scale = scale
        self._threshold: int | None = noise(scale)

    def above(self, value: int) -> bool:
        """Answer one query. The first yes ends the run."""
        if self._threshold is None:
            raise ReleaseRefused("a threshold test ends with its first yes")
        # Python integers: nothing wraps around, and no noise is rounded.
        above = value + self._noise(QUERY_NOISE * self._scale) >= self._threshold
        if above:
            self._threshold = None
        return above


def threshold_loss(claim: Claim, scale: float) -> PureDP:
    """Return the loss of a run, from OpenDP's own maps.

    The threshold moves by the bound, and the one query that is answered with yes by twice the bound.
    """
    try:
        moved = float(_laplace(scale).map(claim.bound))
        noisy = float(_laplace(QUERY_NOISE * scale).map(2 * claim.bound))
    except dp.OpenDPException:
        return PureDP(math.inf)
    return PureDP(math.nextafter(moved + noisy, math.inf))


def discrete_laplace(scale: float) -> int:
    """Draw an integer x with probability proportional to exp(-abs(x) / scale).

    OpenDP's draw stops at the ends of int64. What lies beyond an end is distributed as one side of the
    noise, so the other draws go on from there.
    """
    total = draw = _laplace(scale)(0)
    while draw in _ENDS:
        end, draw = draw, _laplace(scale)(0)
        while draw * end < 0:
            draw = _laplace(scale)(0)
        total += draw
    return int(total)


@lru_cache(maxsize=64)
def _laplace(scale: float) -> Any:
    try:
        return dp.m.make_laplace(*_INTEGERS, scale=scale)
    except dp.OpenDPException:
        raise PlanError(f"OpenDP offers no Laplace noise of scale {scale:g}") from None
