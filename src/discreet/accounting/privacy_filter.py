"""How much of a fixed budget is left for spends that are chosen one after the other.

An analyst who sees each released model before asking for the next one chooses the losses themselves by
what was released. Bounds for losses that are fixed beforehand do not cover that; a privacy filter does: it
admits a spend only if the total stays within the cap on every path (docs/proofs/privacy-filter.md).

Two totals are kept. The pure one adds up epsilons, as long as every spend is pure. The other is what is left
of a Gaussian loss, from which each release takes its part. A spend is admitted if, with it, either total is
within its limit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from discreet.accounting.gaussian import epsilon_by_gaussian, gaussian_delta, width_of
from discreet.accounting.losses import (
    ZCDP,
    ApproxDP,
    GaussianDP,
    Loss,
    Part,
    PureDP,
    amount,
    checked,
    round_up,
)
from discreet.errors import OptionError

UNIT = Fraction(1, 2**128)
"""Totals are whole multiples of this: added up exactly, and rounded up when they begin."""

_MARGIN = 1e-9
"""What is said to be left is below what is, by this share: one more fit must not fail by a rounding."""


@dataclass(frozen=True)
class Spent:
    """What an account has spent, in units.

    Parameters
    ----------
    pure : int or None
        The sum of epsilons; None once a spend was not pure.
    variance : int or None
        By how much the square of the Gaussian loss that is left has fallen; None once it does not suffice,
        and in an account with delta 0.
    """

    pure: int | None = 0
    variance: int | None = 0


@dataclass(frozen=True)
class Remaining:
    """What an account has left, rounded down.

    Parameters
    ----------
    epsilon, delta : float
        The largest budget that one more fit of many rounds, all alike, can ask for, at the account's delta.
    pure_epsilon : float
        The largest purely private release; the same as ``epsilon`` in an account with delta 0.
    mu : float or None
        The largest Gaussian loss; None in an account with delta 0.
    """

    epsilon: float
    delta: float
    pure_epsilon: float
    mu: float | None


@dataclass(frozen=True)
class PrivacyFilter:
    """Decides which spends fit under a cap.

    Parameters
    ----------
    cap : ApproxDP
        The budget of the account. With delta 0 only pure losses can be spent.
    mu : float or None
        A Gaussian loss within the cap: the limit of the second total; None with delta 0.
    """

    cap: ApproxDP
    mu: float | None

    def __post_init__(self) -> None:
        if (self.mu is None) != (self.cap.delta == 0):
            raise OptionError("a budget with delta above 0 has a Gaussian loss, and no other has one")
        if self.mu and gaussian_delta(self.mu, self.cap.epsilon) > self.cap.delta:
            raise OptionError("the Gaussian loss is over the budget")

    @classmethod
    def under(cls, cap: ApproxDP) -> PrivacyFilter:
        """Find the largest Gaussian loss under the cap."""
        return cls(cap, None if cap.delta == 0 else _largest_mu(cap))

    def after(self, spent: Spent, losses: Iterable[Part]) -> Spent:
        """Return the totals with one more spend, given as (loss, how often)."""
        parts = checked(losses)
        for loss, _ in parts:
            if self.mu is None and isinstance(loss, GaussianDP | ZCDP):
                raise OptionError(
                    "an account with delta 0 takes pure losses only, and a release with Gaussian noise is "
                    "never pure; it needs an account with delta above 0"
                )
            if self.mu is None and not isinstance(loss, PureDP):
                raise OptionError("an account with delta 0 takes pure losses only; fit with delta=0")
            if not isinstance(loss, GaussianDP) and width_of(loss) is None:
                raise OptionError("an account takes pure, bounded-range and Gaussian losses")
            if not math.isfinite(amount(loss)):
                raise OptionError("a loss without a bound cannot be spent")
        return Spent(self._pure(spent.pure, parts), self._variance(spent.variance, parts))

    def admits(self, spent: Spent) -> bool:
        """Tell whether these totals are within the cap."""
        within_pure = spent.pure is not None and spent.pure * UNIT <= Fraction(self.cap.epsilon)
        return within_pure or spent.variance is not None

    def remaining(self, spent: Spent) -> Remaining:
        """Return what one more fit can ask for."""
        pure = 0.0
        if spent.pure is not None:
            pure = _round_down(max(Fraction(self.cap.epsilon) - spent.pure * UNIT, Fraction()))
        if self.mu is None:
            return Remaining(pure, 0.0, pure, None)
        left = 0 if spent.variance is None else self._limit - spent.variance
        mu = math.sqrt(left * UNIT) * (1 - _MARGIN)
        epsilon = epsilon_by_gaussian(mu, self.cap.delta) * (1 - _MARGIN)
        # One pure release needs four times the square of its epsilon.
        return Remaining(min(epsilon, self.cap.epsilon), self.cap.delta, max(pure, mu / 2), mu)

    @property
    def _limit(self) -> int:
        """The square of the Gaussian loss that an account begins with."""
        return 0 if self.mu is None else int(Fraction(self.mu) ** 2 / UNIT)

    @staticmethod
    def _pure(spent: int | None, parts: list[Part]) -> int | None:
        for loss, times in parts:
            if spent is None or not isinstance(loss, PureDP):
                return None
            spent += times * _units(Fraction(loss.epsilon))
        return spent

    def _variance(self, spent: int | None, parts: list[Part]) -> int | None:
        if self.mu is None or spent is None:
            return None
        left: int | None = self._limit - spent
        # In whatever order a spend releases its parts: Gaussian ones first and the widest range last is the
        # order that takes the most.
        for loss, times in sorted(parts, key=lambda part: width_of(part[0]) or 0.0):
            for _ in range(times):
                if left is None:
                    return None
                left = _left_after(left, loss)
        return None if left is None else self._limit - left


def _left_after(v: int, loss: Loss) -> int | None:
    """Return the square of the Gaussian loss that may follow a release, for both to stay within v.

    After a Gaussian release it is v - mu^2. After one of bounded range it is the larger w with
    w^2/(w - c) = v, c = width^2/4, which has to be 2 c at least (docs/proofs/gaussian-composition.md).
    """
    width = width_of(loss)
    if width is None:
        return left if (left := v - _units(Fraction(amount(loss)) ** 2)) >= 0 else None
    c = _units(Fraction(width) ** 2 / 4)
    if v < 4 * c:
        return None
    return (v + math.isqrt(v * (v - 4 * c))) // 2


def _largest_mu(cap: ApproxDP) -> float:
    """Return the largest Gaussian loss within the cap, but for a little.

    It is computed once, when an account is opened, and checked wherever the account is read; the erfc of
    another machine may differ in its last digits.
    """
    delta = cap.delta * (1 - _MARGIN)
    low, high = 0.0, 1.0
    while gaussian_delta(high, cap.epsilon) <= delta:
        low, high = high, 2 * high
    while high - low > 1e-12 * high and high > 1e-150:
        middle = (low + high) / 2
        low, high = (low, middle) if gaussian_delta(middle, cap.epsilon) > delta else (middle, high)
    return low


def _units(value: Fraction) -> int:
    return -(-value // UNIT)


def _round_down(value: Fraction) -> float:
    return -round_up(-value) if value else 0.0
