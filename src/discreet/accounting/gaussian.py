"""Adaptive releases of bounded range, together no easier to tell apart than two normal distributions.

Theorem (docs/proofs/gaussian-composition.md). Let c = width^2/4. If whatever follows a release of bounded
range is dominated by N(0, 1) against N(sqrt(v), 1), with v >= 2 c, then it and the release together are
dominated by N(0, 1) against N(sqrt(v'), 1), where

    v' = v^2 / (v - c).

Repeated T times from v = 2 c this is (T + ln T + O(1)) c, against the 2 rho = T c of a Gaussian mechanism of
the same zCDP loss: so the loss is nearly that of the Gaussian mechanism, and its exact conversion to epsilon
and delta is by some ten per cent better than that of zCDP.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

from discreet.accounting.losses import BoundedRange, GaussianDP, Loss, Part, PureDP

_ROUNDING = 1e-12
"""Of each term of delta: its argument is off by 2^-52 of itself, and below 40 in absolute value."""

_STEP_ROUNDING = 4 * 2**-53
"""One step of the chain: a product, a difference, a quotient, each rounded once."""

_TOLERANCE = 1e-12


def gaussian_total(parts: Iterable[Part]) -> GaussianDP | None:
    """Return the Gaussian loss that dominates adaptive releases; None if one is known by its rho only.

    The releases may be interleaved in any way. Of all orders, the bound is largest if the widest ranges come
    last and Gaussian releases first, and that is the order which is taken here.
    """
    ranges, variance = [], 0.0
    for loss, times in parts:
        if isinstance(loss, GaussianDP):
            variance += times * loss.mu**2
        elif (width := width_of(loss)) is not None:
            ranges.append((width**2 / 4, times))
        else:
            return None
    chain, steps = _chain(sorted(ranges, reverse=True)), sum(times for _, times in ranges)
    return GaussianDP(math.sqrt((chain + variance) * (1 + (steps + 4) * _STEP_ROUNDING)))


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
    first = _normal(-epsilon / mu + mu / 2)
    second = math.exp(epsilon) * _normal(-epsilon / mu - mu / 2) if epsilon < 700 else 0.0
    # Below the smallest float erfc is 0: then nothing is known but that delta is next to nothing.
    return max(0.0, first - second) + _ROUNDING * (first + second) + 1e-300


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
        if high < 1e-300:
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
