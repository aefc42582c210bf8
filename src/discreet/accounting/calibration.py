"""The smallest noise that meets a budget."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable

from discreet.accounting.composition import guarantee
from discreet.accounting.losses import ZCDP, ApproxDP, Part
from discreet.errors import PlanError

_TOLERANCE = 1e-9


def calibrate(losses_of_scale: Callable[[float], Iterable[Part]], target: ApproxDP) -> float:
    """Return the smallest scale whose losses meet the target, to a relative 1e-9, never above budget.

    Parameters
    ----------
    losses_of_scale : callable
        The losses at a noise scale, each with how often it is spent; they must not grow with the scale.
        Taken as an argument, so that the numbers come from the mechanisms' own maps.
    target : ApproxDP
        The budget. With ``delta == 0`` the losses must be pure.

    Raises
    ------
    PlanError
        No scale that a float can hold meets the target.
    """

    def epsilon_at(scale: float) -> float:
        return guarantee(losses_of_scale(scale), target.delta).epsilon

    low = high = 1.0
    at_low = at_high = epsilon_at(1.0)
    while at_high > target.epsilon:
        low, at_low, high = high, at_high, high * 2
        if not math.isfinite(high):
            raise PlanError("no amount of noise meets so small a budget; raise epsilon or delta")
        at_high = epsilon_at(high)
    while at_low <= target.epsilon:
        high, at_high, low = low, at_low, low / 2
        if low == 0:
            raise PlanError("the budget is so large that no noise would be needed; lower epsilon")
        at_low = epsilon_at(low)
    # Below or above the guess in turn, so that both ends close in; the middle, should guesses be poor.
    steps = itertools.cycle((1 + _TOLERANCE / 4, 1 - _TOLERANCE / 4, math.nan))
    while high - low > _TOLERANCE * high:
        middle = _power_law(low, at_low, high, at_high, target.epsilon) * next(steps)
        if not low < middle < high:
            middle = (low + high) / 2
        if (at_middle := epsilon_at(middle)) <= target.epsilon:
            high, at_high = middle, at_middle
        else:
            low, at_low = middle, at_middle
    return high


def _power_law(low: float, at_low: float, high: float, at_high: float, wanted: float) -> float:
    """Return where a power law through both points has the wanted value; nan where there is none.

    Losses are nearly powers of the scale. Only a guess: the search decides by what it evaluates.
    """
    if not 0 < at_high < wanted < at_low < math.inf:
        return math.nan
    share = math.log(at_low / wanted) / math.log(at_low / at_high)
    return low * math.exp(share * math.log(high / low))


def largest_zcdp(target: ApproxDP) -> ZCDP:
    """Return the largest zCDP loss that a budget with delta above 0 pays for."""

    def loss_of_deviation(scale: float) -> ZCDP:
        return ZCDP(0.5 / scale**2)

    return loss_of_deviation(calibrate(lambda scale: [(loss_of_deviation(scale), 1)], target))
