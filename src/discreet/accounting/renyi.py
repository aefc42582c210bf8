"""Renyi divergences of single losses at one order (placeholder bound, replaced by the exact curves)."""

from __future__ import annotations

import math

from discreet.accounting.losses import Loss, PureDP


def renyi(loss: Loss, order: float) -> float:
    """Return an upper bound of the Renyi divergence of this order."""
    if isinstance(loss, PureDP):
        return min(loss.epsilon, math.nextafter(order * loss.epsilon**2 / 2, math.inf))
    return math.nextafter(order * loss.rho, math.inf)
