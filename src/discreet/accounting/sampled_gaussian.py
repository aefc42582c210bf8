"""Gaussian noise on one secretly drawn record: its Renyi divergences, by moments of the likelihood ratio.

Proof, for replaced records: docs/proofs/stochastic-descent.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from discreet.accounting.losses import SampledGaussianDP

_MOST_ORDER = 256
"""Beyond it the draw counts for nothing."""

_ROUNDING = 1e-9
"""Of a logarithm: for differences of log-gammas up to 3000, and sums of 256 terms."""

_TINY = 1e-300
"""Added to what could have been lost below the smallest float."""

Floats = npt.NDArray[np.float64]


def sampled_gaussian_curve(loss: SampledGaussianDP) -> Callable[[float], float]:
    """Return an upper bound of the Renyi divergence, as a function of the order above 1.

    (order - 1) times the divergence is convex in the order and 0 at 1: between whole orders the chord is
    above it. At no order is it larger than without a draw.
    """
    mu_square = loss.mu**2 * (1 + _ROUNDING)
    moments = _log_moments(loss.mu, loss.share)

    def curve(order: float) -> float:
        undrawn = order * mu_square / 2
        below = math.floor(order)
        if below + 1 > _MOST_ORDER:
            return undrawn
        # The chord is rounded upward, too.
        chord = (moments[below - 1] * (below + 1 - order) + moments[below] * (order - below)) * (1 + 1e-12)
        return min(undrawn, chord / (order - 1))

    return curve


@lru_cache(maxsize=256)
def _log_moments(mu: float, share: float) -> list[float]:
    """Return ln E (P/Q)^a for the whole orders a = 1, 2, ..., rounded up; the first is 0."""
    j = np.arange(_MOST_ORDER + 1)
    terms = _log_binomials() + j * math.log(share) + _log_central_moments(mu)[: len(j)]
    top = terms[2:].max(axis=1, keepdims=True)
    log_excess = top[:, 0] + np.log(np.exp(terms[2:] - top).sum(axis=1))
    # ln(1 + x), from ln x.
    return [0.0, *(np.logaddexp(0, log_excess) * (1 + _ROUNDING) + _TINY).tolist()]


@lru_cache(maxsize=1)
def _log_binomials() -> Floats:
    """Return ln C(a, j) for orders a and 2 <= j <= a, and minus infinity elsewhere."""
    order, j = np.ogrid[: _MOST_ORDER + 1, : _MOST_ORDER + 1]
    known = (j >= 2) & (j <= order)
    return np.where(
        known,
        gammaln(order + 1) - gammaln(j + 1) - gammaln(np.where(known, order - j, 0) + 1),
        -math.inf,
    )


def _log_central_moments(mu: float) -> Floats:
    """Return bounds of ln E |X|^j, j up to the largest order; X is the difference of two likelihood ratios.

    For even j, |exp(x) - exp(y)|^j <= min(1, |x - y|)^j (exp(jx) + exp(jy)); odd ones lie between their
    neighbours.
    """
    square = mu * mu
    moments = np.zeros(_MOST_ORDER + 3)
    even = np.arange(4, _MOST_ORDER + 3, 2)
    log_normal = (even / 2 * math.log(2) + gammaln((even + 1) / 2) - math.log(math.pi) / 2) / even
    log_length = np.log(mu * np.exp(log_normal) + even * square)
    moments[even] = math.log(2) + even * (even - 1) * square / 2 + even * np.minimum(0, log_length)
    if square < 700:
        moments[2] = math.log(2) + square / 2 + math.log(math.expm1(square / 2))
    else:
        moments[2] = math.log(2) + square
    odd = np.arange(3, _MOST_ORDER + 2, 2)
    moments[odd] = (moments[odd - 1] + moments[odd + 1]) / 2
    return moments
