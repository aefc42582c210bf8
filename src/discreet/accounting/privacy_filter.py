"""How much of a fixed budget is left for spends that are chosen one after the other.

An analyst who sees each released model before asking for the next one chooses the losses themselves by
what was released. Bounds for losses that are fixed beforehand do not cover that; a privacy filter does: it
admits a spend only if the total stays within the cap on every path (docs/proofs/privacy-filter.md).

Two totals are kept. The pure one adds up epsilons, as long as every spend is pure. The other adds up Renyi
divergences of one order that is fixed when the account is opened. A spend is admitted if, with it, either
total is within its limit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction

import numpy as np

from discreet.accounting.conversion import to_approx_dp
from discreet.accounting.losses import ZCDP, ApproxDP, Loss, PureDP, round_up
from discreet.accounting.renyi import renyi
from discreet.errors import OptionError

UNIT = Fraction(1, 2**128)
"""Totals are whole multiples of this: added up exactly, and rounded up when they begin."""

_DIGITS = 60
_MARGIN = 1e-9
"""What is said to be left is below what is, by this share: one more fit must not fail by a rounding."""


@dataclass(frozen=True)
class Spent:
    """What an account has spent, in units.

    Parameters
    ----------
    pure : int or None
        The sum of epsilons; None once a spend was not pure.
    renyi : int
        The sum of Renyi divergences of the account's order; 0 in an account with delta 0.
    """

    pure: int | None = 0
    renyi: int = 0


@dataclass(frozen=True)
class Remaining:
    """What an account has left, rounded down.

    Parameters
    ----------
    epsilon, delta : float
        The largest budget that one more fit can ask for, at the account's delta.
    pure_epsilon : float
        The largest purely private spend; the same as ``epsilon`` in an account with delta 0.
    rho : float or None
        The largest zCDP spend; None in an account with delta 0.
    """

    epsilon: float
    delta: float
    pure_epsilon: float
    rho: float | None


@dataclass(frozen=True)
class PrivacyFilter:
    """Decides which spends fit under a cap.

    Parameters
    ----------
    cap : ApproxDP
        The budget of the account. With delta 0 only pure losses can be spent.
    order : float or None
        The Renyi order of the second total; None with delta 0.
    """

    cap: ApproxDP
    order: float | None

    @classmethod
    def under(cls, cap: ApproxDP) -> PrivacyFilter:
        """Choose the order that lets the most zCDP losses under the cap; any order would be valid."""
        return cls(cap, None if cap.delta == 0 else _best_order(cap))

    def after(self, spent: Spent, losses: Iterable[tuple[Loss, int]]) -> Spent:
        """Return the totals with one more spend, given as (loss, how often)."""
        parts = list(losses)
        if not parts:
            raise OptionError("a spend has at least one loss")
        if self.order is None and not all(isinstance(loss, PureDP) for loss, _ in parts):
            raise OptionError("an account with delta 0 takes pure losses only; fit with delta=0")
        pure, total = spent.pure, spent.renyi
        for loss, times in parts:
            amount = loss.epsilon if isinstance(loss, PureDP) else None
            pure = None if pure is None or amount is None else pure + times * _units(amount)
            if self.order is not None:
                total += times * _units(renyi(loss, self.order))
        return Spent(pure, total)

    def admits(self, spent: Spent) -> bool:
        """Tell whether these totals are within the cap."""
        within_pure = spent.pure is not None and spent.pure * UNIT <= Fraction(self.cap.epsilon)
        return within_pure or (self.order is not None and spent.renyi * UNIT <= self._limit(self.order))

    def remaining(self, spent: Spent) -> Remaining:
        """Return what one more fit can ask for."""
        pure = 0.0
        if spent.pure is not None:
            pure = _round_down(max(Fraction(self.cap.epsilon) - spent.pure * UNIT, Fraction()))
        if self.order is None:
            return Remaining(pure, 0.0, pure, None)
        left = max(self._limit(self.order) - spent.renyi * UNIT, Fraction())
        rho = _round_down(left / Fraction(self.order) * Fraction(1 - _MARGIN))
        epsilon = to_approx_dp(ZCDP(rho), self.cap.delta).epsilon * (1 - _MARGIN) if rho else 0.0
        mixed = _largest_pure(self.order, _round_down(left), self.cap.epsilon)
        return Remaining(min(epsilon, self.cap.epsilon), self.cap.delta, max(pure, mixed), rho)

    def _limit(self, order: float) -> Fraction:
        """Return the Renyi divergence of this order that converts to the cap, rounded down.

        The conversion is Proposition 12 of Canonne, Kamath, Steinke (2020), as in `conversion`, in
        decimals, so that every machine finds the same limit.
        """
        with localcontext(Context(prec=_DIGITS, Emin=-(10**6), Emax=10**6)):
            a = Decimal(order)
            price = (-Decimal(self.cap.delta).ln() - a.ln()) / (a - 1) + (1 - 1 / a).ln()
            limit = (Decimal(self.cap.epsilon) - price) * (1 - Decimal(10) ** (10 - _DIGITS))
            numerator = (limit / _unit_in_decimals()).to_integral_value(rounding=ROUND_FLOOR)
        return max(int(numerator) * UNIT, Fraction())


def _best_order(cap: ApproxDP) -> float:
    """Maximise limit(order)/order, the zCDP loss under the cap, over ln(order - 1)."""
    low, high = -20.0, 60.0
    for _ in range(6):
        above = np.exp(np.linspace(low, high, 401))
        price = (-math.log(cap.delta) - np.log1p(above)) / above - np.log1p(1 / above)
        best = int(np.argmax((cap.epsilon - price) / (1 + above)))
        step = (high - low) / 400
        middle = low + best * step
        low, high = middle - step, middle + step
    return float(1 + np.exp(middle))


def _largest_pure(order: float, limit: float, most: float) -> float:
    """Return an epsilon, nearly the largest, whose Renyi divergence is within a limit."""
    low, high = 0.0, most
    while high - low > _MARGIN * most:
        middle = (low + high) / 2
        low, high = (middle, high) if renyi(PureDP(middle), order) <= limit else (low, middle)
    return low


def _unit_in_decimals() -> Decimal:
    return Decimal(UNIT.numerator) / Decimal(UNIT.denominator)


def _units(amount: float) -> int:
    if not math.isfinite(amount):
        raise OptionError("a loss without a bound cannot be spent")
    return -(-Fraction(amount) // UNIT)


def _round_down(value: Fraction) -> float:
    return -round_up(-value) if value else 0.0
