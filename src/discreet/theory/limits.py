"""Checks of the numbers that the calculators take, and the search for the least number that is enough."""

from __future__ import annotations

from collections.abc import Callable

from discreet.errors import OptionError


def share(value: float, name: str, most: float = 1.0) -> float:
    """Return a number strictly between 0 and ``most``, or refuse it by name."""
    if not 0 < value < most:
        raise OptionError(f"{name} must be above 0 and below {most:g}")
    return value


def positive(value: float, name: str) -> float:
    """Return a finite number above 0, or refuse it by name."""
    if not 0 < value < float("inf"):
        raise OptionError(f"{name} must be a number above 0")
    return value


def whole(value: int, name: str) -> int:
    """Return a whole number of at least 1, or refuse it by name."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise OptionError(f"{name} must be a whole number of at least 1")
    return value


def check_goal(alpha: float, beta: float, epsilon: float, delta: float, margin: float) -> None:
    """Check what a learner of large-margin halfspaces is asked for."""
    share(alpha, "alpha")
    share(beta, "beta")
    positive(epsilon, "epsilon")
    share(delta, "delta")
    if not 0 < margin <= 1:
        raise OptionError("margin must be above 0 and at most 1: records lie in the unit ball")


def least(enough: Callable[[int], bool], start: int = 1) -> int:
    """Return the least n from ``start`` on that is enough; every larger one must be as well."""
    high = start
    while not enough(high):
        high *= 2
    low = max(start - 1, high // 2)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
