"""Adaptive releases of bounded range, together no easier to tell apart than two normal distributions.

Theorem (docs/proofs/gaussian-composition.md). Let c = width^2/4. If whatever follows a release of bounded
range is dominated by N(0, 1) against N(sqrt(v), 1), with v >= 2 c, then it and the release together are
dominated by N(0, 1) against N(sqrt(v'), 1), where

    v' = v^2 / (v - c).

Repeated T times from v = 2 c this is (T + ln T + O(1)) c, against the 2 rho = T c of a Gaussian mechanism of
the same zCDP loss: so the loss is nearly that of the Gaussian mechanism, and its exact conversion to epsilon
and delta allows some six or seven per cent less noise than that of zCDP.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from functools import lru_cache

from discreet.accounting.losses import BoundedRange, GaussianDP, Loss, Part, PureDP, amount

_ROUNDING = 1e-12
"""Of each term of delta, for the rounding of erfc and exp; thousands of times as much."""

_TINY = 1e-300
"""Added to what could have been lost below the smallest float."""

_STEP_ROUNDING = 4 * 2**-53
"""One step of the chain: a product, a difference, a quotient, each rounded once."""

_TOLERANCE = 1e-12


def gaussian_total(parts: Iterable[Part]) -> GaussianDP | None:
    """Return the Gaussian loss that dominates adaptive releases; None if one is known by its rho only.

    The releases may be interleaved in any way. Of all orders, the bound is largest if the widest ranges come
    last and Gaussian releases first, and that is the order which is taken here.
    """
    ranges, squares = [], []
    for loss, times in parts:
        if isinstance(loss, GaussianDP):
            squares.append(times * loss.mu * loss.mu)  # a power would raise where a product is infinite
        elif (width := width_of(loss)) is not None:
            ranges.append((width * width / 4, times))
        else:
            return None
        if amount(loss):
            squares.append(_TINY)  # a square may underflow
    steps = sum(times for _, times in ranges)
    total = (_chain(sorted(ranges, reverse=True)) + math.fsum(squares)) * (1 + (steps + 4) * _STEP_ROUNDING)
    return GaussianDP(math.sqrt(total) * (1 + _STEP_ROUNDING))


def width_of(loss: Loss) -> float | None:
    """Return the width of a loss with a bounded range: twice epsilon, if it is pure."""
    if isinstance(loss, BoundedRange):
        return loss.width
    return 2 * loss.epsilon if isinstance(loss, PureDP) else None


def gaussian_delta(mu: float, epsilon: float) -> float:
    """Return the delta of a Gaussian loss at an epsilon, rounded up.

    It is Phi(-epsilon/mu + mu/2) - exp(epsilon) Phi(-epsilon/mu - mu/2) (Balle, Wang 2018).
    """
    if mu == 0:
        return 0.0
    # The two arguments are a difference and a sum of these; the slip covers their rounding.
    far, near = epsilon / mu, mu / 2
    slip = 2**-51 * (far + near)
    first, second = _normal(near - far + slip), _normal(-near - far - slip)
    # Below the normal floats erfc has few digits or none: then the second term is left out.
    second = math.exp(epsilon) * second if epsilon < 700 and second > sys.float_info.min else 0.0
    return max(0.0, first - second) + _ROUNDING * (first + second) + _TINY


def epsilon_by_gaussian(mu: float, delta: float) -> float:
    """Return an epsilon whose delta is at most this one; the smallest, but for a relative 1e-12."""
    if not math.isfinite(mu):
        return math.inf
    low, high = 0.0, 1.0
    while gaussian_delta(mu, high) > delta:
        low, high = high, 2 * high
        if not math.isfinite(high):
            return math.inf
    while high - low > _TOLERANCE * high:
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian_delta(mu, middle) > delta else (low, middle)
        if high < _TINY:
            return 0.0
    return high


def _chain(ranges: list[tuple[float, int]]) -> float:
    """Return v after all steps, from the widest range to the narrowest, each given as (c, how often)."""
    ranges = [(c, times) for c, times in ranges if c and times]
    if not ranges:
        return 0.0
    (widest, times), *others = ranges
    if not math.isfinite(widest):
        return math.inf
    v = widest * _equal_steps(times)
    for c, times in others:
        for _ in range(times):
            v = v * v / (v - c)
    return v


@lru_cache(maxsize=1024)
def _equal_steps(times: int) -> float:
    """Return v/c after equal steps, from v = 2 c: calibration asks again and again."""
    v = 2.0
    for _ in range(times):
        v = v * v / (v - 1)
    return v


def _normal(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2
