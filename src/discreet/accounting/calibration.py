"""The smallest noise that meets a budget."""

from __future__ import annotations

import math
from collections.abc import Callable

from discreet.accounting.conversion import to_approx_dp
from discreet.accounting.losses import ZCDP, ApproxDP, Loss
from discreet.errors import PlanError

_TOLERANCE = 1e-9


def calibrate(loss_of_scale: Callable[[float], Loss], target: ApproxDP) -> float:
    """Return the smallest scale whose loss meets the target, to a relative 1e-9, never above budget.

    Parameters
    ----------
    loss_of_scale : callable
        The total loss at a noise scale; it must not grow with the scale. Taken as an argument, so that
        the numbers come from the mechanisms' own maps.
    target : ApproxDP
        The budget. With ``delta == 0`` the loss must be pure.

    Raises
    ------
    PlanError
        No scale that a float can hold meets the target.
    """

    def within(scale: float) -> bool:
        return to_approx_dp(loss_of_scale(scale), target.delta).epsilon <= target.epsilon

    low = high = 1.0
    while not within(high):
        low, high = high, high * 2
        if not math.isfinite(high):
            raise PlanError("no amount of noise meets so small a budget; raise epsilon or delta")
    while within(low):
        low, high = low / 2, low
        if low == 0:
            raise PlanError("the budget is so large that no noise would be needed; lower epsilon")
    while high - low > _TOLERANCE * high:
        middle = (low + high) / 2
        if within(middle):
            high = middle
        else:
            low = middle
    return high


def largest_zcdp(target: ApproxDP) -> ZCDP:
    """Return the largest zCDP loss that a budget with delta above 0 pays for."""

    def loss_of_deviation(scale: float) -> ZCDP:
        return ZCDP(0.5 / scale**2)

    return loss_of_deviation(calibrate(loss_of_deviation, target))
