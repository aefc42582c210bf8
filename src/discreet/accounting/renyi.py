"""Renyi divergences of single losses, their sums, and what a sum says at a delta.

The conversion is the optimal one over orders of Canonne, Kamath, Steinke (2020), Proposition 12: for every
order a > 1, a Renyi divergence R(a) gives

    epsilon = R(a) + ln(1/delta)/(a - 1) + ln(1 - 1/a) - ln(a)/(a - 1).

Any order gives a valid answer, so a numerical search for the best one can lose tightness but never
validity; what remains is the rounding of one formula, covered by ``_ROUNDING``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from discreet.accounting.losses import (
    BoundedRange,
    Loss,
    Part,
    PureDP,
    SampledGaussianDP,
    amount,
    exact_rho,
    round_up,
)
from discreet.accounting.sampled_gaussian import sampled_gaussian_curve

_ROUNDING = 1e-12
"""Covers the rounding of a dozen floating-point operations, each below 2^-52 of the largest term."""

_GRID = 48
_SEARCH_STEPS = 38
"""Leaves an interval of 6e-9 in ln(a - 1); the minimum is flat, so epsilon is exact to rounding."""


def epsilon_by_renyi(parts: Iterable[Part], delta: float) -> float:
    """Return the epsilon of adaptive releases at a delta, by their Renyi divergences, rounded up."""
    curves = [(renyi_curve(loss), times) for loss, times in parts if amount(loss)]
    if not curves:
        return 0.0
    slope = math.fsum(times * curve(2.0) for curve, times in curves) / 2
    if not math.isfinite(slope):
        return math.inf
    log_inverse_delta = -math.log(delta)

    def epsilon_at(log_order_above_one: float) -> float:
        """Evaluate the bound at order a = 1 + exp(argument), with its rounding error on top."""
        above = math.exp(log_order_above_one)
        terms = (
            math.fsum(times * curve(1 + above) for curve, times in curves),
            log_inverse_delta / above,
            -math.log1p(1 / above),
            -math.log1p(above) / above,
        )
        return math.fsum(terms) + _ROUNDING * math.fsum(map(abs, terms))

    # The optimal a - 1 is near sqrt(ln(1/delta)/rho). Bounded curves have kinks, and so several minima.
    centre = 0.5 * math.log(max(log_inverse_delta, 1e-3) / slope)
    step = 12 / _GRID
    rough = min((centre - 6 + step * place for place in range(_GRID + 1)), key=epsilon_at)
    return max(0.0, _minimum(epsilon_at, rough - step, rough + step))


def renyi_curve(loss: Loss) -> Callable[[float], float]:
    """Return an upper bound of the Renyi divergence, as a function of the order above 1.

    Every loss implies a rho, and a bounded one is a bound itself. For a bounded range e, the mean of the log
    ratio is at most x - 1 - ln x at x = e/(exp(e) - 1), and Hoeffding's lemma adds (a - 1) e^2/8
    (PRIVACY.md 0).
    """
    rho = round_up(exact_rho(loss)) if math.isfinite(amount(loss)) else math.inf
    if isinstance(loss, BoundedRange) and 1e-2 < loss.width < 700:
        x = loss.width / math.expm1(loss.width)
        mean = x - 1 - math.log(x)
        return lambda order: min(loss.width, order * rho, mean + (order - 1) * rho)
    if isinstance(loss, PureDP):
        return lambda order: min(loss.epsilon, order * rho)
    if isinstance(loss, SampledGaussianDP) and math.isfinite(rho):
        return sampled_gaussian_curve(loss)
    return lambda order: order * rho


def _minimum(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the least value that golden-section search meets."""
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
