"""Privacy losses as frozen values, and their simplest composition: epsilons add, rhos add.

Sums are exact: a loss is a float, a float is a rational number, and only the final sum is rounded, upward.
A stated loss is therefore never below the true one (PRIVACY.md 0).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from discreet.errors import OptionError


@dataclass(frozen=True, order=True)
class PureDP:
    """``epsilon``-differential privacy: the log ratio of probabilities lies in [-epsilon, epsilon]."""

    epsilon: float

    def __post_init__(self) -> None:
        _check_nonnegative(self.epsilon, "epsilon")

    def __str__(self) -> str:
        return f"epsilon = {show(self.epsilon)}"


@dataclass(frozen=True, order=True)
class BoundedRange:
    """A log ratio of probabilities that lies in some interval of this ``width`` (Durfee, Rogers 2019)."""

    width: float

    def __post_init__(self) -> None:
        _check_nonnegative(self.width, "width")

    def __str__(self) -> str:
        return f"bounded range {show(self.width)}"


@dataclass(frozen=True, order=True)
class GaussianDP:
    """No easier to tell apart than two normal distributions ``mu`` standard deviations apart."""

    mu: float

    def __post_init__(self) -> None:
        _check_nonnegative(self.mu, "mu")

    def __str__(self) -> str:
        return f"mu = {show(self.mu)}"


@dataclass(frozen=True, order=True)
class SampledGaussianDP:
    """The Gaussian mechanism, ``mu``, on one secretly drawn record (docs/proofs/stochastic-descent.md).

    One record of the table moves the distribution of the draw by ``share``, in total variation.
    """

    mu: float
    share: float

    def __post_init__(self) -> None:
        _check_nonnegative(self.mu, "mu")
        if not 0 < self.share <= 1:
            raise OptionError("share is above 0, and at most 1")

    def __str__(self) -> str:
        return f"mu = {show(self.mu)} for a share of {show(self.share)}"


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


Loss = PureDP | BoundedRange | GaussianDP | SampledGaussianDP | ZCDP

Part: TypeAlias = tuple[Loss, int]
"""A loss, and how often it is spent."""


def compose(parts: Iterable[Part]) -> PureDP | ZCDP:
    """Add up adaptive releases, given as (loss, how often): epsilons if all are pure, and otherwise rhos."""
    listed = checked(parts)
    kind = PureDP if all(isinstance(loss, PureDP) for loss, _ in listed) else ZCDP
    if not all(math.isfinite(amount(loss)) for loss, _ in listed):
        return kind(math.inf)
    exact = (Fraction(amount(loss)) if kind is PureDP else exact_rho(loss) for loss, _ in listed)
    total = sum((each * times for each, (_, times) in zip(exact, listed, strict=True)), Fraction())
    return kind(round_up(total))


def checked(parts: Iterable[Part]) -> list[Part]:
    """List the parts that are spent at least once."""
    listed = list(parts)
    if not listed:
        raise TypeError("a composition needs at least one loss")
    if any(times < 0 for _, times in listed):
        raise ValueError("a release happens a nonnegative number of times")
    return [part for part in listed if part[1]]


def amount(loss: Loss) -> float:
    """Return the one number of a loss."""
    return next(iter(vars(loss).values()))  # type: ignore[no-any-return]


def exact_rho(loss: Loss) -> Fraction:
    """Return the zCDP loss that a loss implies (PRIVACY.md 0).

    epsilon^2/2 for pure privacy (Bun, Steinke 2016, Proposition 1.4), width^2/8 for a bounded range (Dong,
    Durfee, Rogers 2020), mu^2/2 for the Gaussian mechanism's, on whatever record.
    """
    exact = Fraction(amount(loss))
    if isinstance(loss, ZCDP):
        return exact
    return exact**2 / (8 if isinstance(loss, BoundedRange) else 2)


def round_up(value: Fraction) -> float:
    """Return the smallest float that is not below ``value``."""
    try:
        nearest = float(value)
    except OverflowError:
        return math.inf
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


def _check_nonnegative(value: float, name: str) -> None:
    if not value >= 0:
        raise OptionError(f"{name} is a number, zero or more")
