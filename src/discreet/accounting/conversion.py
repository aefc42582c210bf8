"""From any loss to (epsilon, delta).

The conversion of zCDP is the optimal one over Renyi orders of Canonne, Kamath, Steinke (2020),
Proposition 12: for every order a > 1,

    epsilon = a rho + ln(1/delta)/(a - 1) + ln(1 - 1/a) - ln(a)/(a - 1)

is valid. Any order gives a valid answer, so a numerical search for the best one can lose tightness but
never validity; what remains is the rounding of one formula, covered by ``_ROUNDING``.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from discreet.accounting.losses import ApproxDP, Loss, PureDP
from discreet.errors import OptionError

_ROUNDING = 1e-12
"""Covers the rounding of a dozen floating-point operations, each below 2^-52 of the largest term."""

_SEARCH_STEPS = 45
"""Leaves an interval of 5e-9 in ln(a - 1); the minimum is flat, so epsilon is exact to rounding."""


def to_approx_dp(loss: Loss, delta: float) -> ApproxDP:
    """State a loss as (epsilon, delta), epsilon rounded up.

    Parameters
    ----------
    loss : PureDP or ZCDP
        What was spent.
    delta : float
        The delta that the statement may use. A pure loss needs none and is stated with delta 0.
    """
    if isinstance(loss, PureDP):
        return ApproxDP(loss.epsilon, 0.0)
    if not 0 < delta < 1:
        raise OptionError("a zCDP loss needs 0 < delta < 1")
    return ApproxDP(_epsilon_of_zcdp(loss.rho, delta), delta)


def _epsilon_of_zcdp(rho: float, delta: float) -> float:
    if rho == 0:
        return 0.0
    if not math.isfinite(rho):
        return math.inf
    log_inverse_delta = -math.log(delta)

    def epsilon_at(log_order_above_one: float) -> float:
        """Evaluate the bound at order a = 1 + exp(argument), with its rounding error on top."""
        above = math.exp(log_order_above_one)
        terms = (
            (1 + above) * rho,
            log_inverse_delta / above,
            -math.log1p(1 / above),
            -math.log1p(above) / above,
        )
        return math.fsum(terms) + _ROUNDING * math.fsum(map(abs, terms))

    # The optimal a - 1 is near sqrt(ln(1/delta)/rho); the bound is unimodal there. Golden section.
    centre = 0.5 * math.log(max(log_inverse_delta, 1e-3) / rho)
    best = _minimum(epsilon_at, centre - 6, centre + 6)
    return max(0.0, best)


def _minimum(function: Callable[[float], float], low: float, high: float) -> float:
    ratio = (math.sqrt(5) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = function(left), function(right)
    best = min(at_left, at_right)
    for _ in range(_SEARCH_STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(right)
        best = min(best, at_left, at_right)
    return best
