"""Privacy losses as frozen values, and their composition.

Sums are exact: a loss is a float, a float is a rational number, and only the final sum is rounded, upward.
A stated loss is therefore never below the true one (PRIVACY.md 0).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from discreet.errors import OptionError


@dataclass(frozen=True, order=True)
class PureDP:
    """``epsilon``-differential privacy."""

    epsilon: float

    def __post_init__(self) -> None:
        _check_nonnegative(self.epsilon, "epsilon")

    def __str__(self) -> str:
        return f"epsilon = {show(self.epsilon)}"


@dataclass(frozen=True, order=True)
class ZCDP:
    """``rho``-zero-concentrated differential privacy (Bun, Steinke 2016)."""

    rho: float

    def __post_init__(self) -> None:
        _check_nonnegative(self.rho, "rho")

    def __str__(self) -> str:
        return f"rho = {show(self.rho)}"


@dataclass(frozen=True)
class ApproxDP:
    """``(epsilon, delta)``-differential privacy."""

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        _check_nonnegative(self.epsilon, "epsilon")
        if not 0 <= self.delta < 1:
            raise OptionError("delta is a probability below 1")

    def __str__(self) -> str:
        return f"epsilon = {show(self.epsilon)}, delta = {show(self.delta)}"


Loss = PureDP | ZCDP


def repeat(loss: Loss, times: int) -> Loss:
    """Return the loss of ``times`` adaptive releases of the same loss."""
    return compose([(loss, times)])


def compose(parts: Iterable[tuple[Loss, int]]) -> Loss:
    """Add up adaptive releases, given as (loss, how often): epsilons add, rhos add.

    One call takes one kind of loss; mixing kinds is a mistake of the caller.
    """
    listed = list(parts)
    kinds = {type(loss) for loss, _ in listed}
    if len(kinds) != 1:
        raise TypeError("compose needs at least one loss, and all of one kind")
    if any(times < 0 for _, times in listed):
        raise ValueError("a release happens a nonnegative number of times")
    (kind,) = kinds
    if not all(math.isfinite(_amount(loss)) for loss, times in listed if times):
        return kind(math.inf)
    total = sum((Fraction(_amount(loss)) * times for loss, times in listed if times), Fraction())
    return kind(round_up(total))


def round_up(value: Fraction) -> float:
    """Return the smallest float that is not below ``value``."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def show(value: float, digits: int = 4) -> str:
    """Print a loss with a few significant digits, rounded up: a statement never flatters."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    text = f"{value:.{digits}g}"
    if float(text) < value:
        step = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
        text = f"{float(text) + step:.{digits}g}"
    return text


def _amount(loss: Loss) -> float:
    return loss.epsilon if isinstance(loss, PureDP) else loss.rho


def _check_nonnegative(value: float, name: str) -> None:
    if not value >= 0:
        raise OptionError(f"{name} is a number, zero or more")
