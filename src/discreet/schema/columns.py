"""What the public may know about a column before anyone looks at the data.

A declaration turns each cell, by itself, into a small integer code. The last code of every column
is its *bucket*: missing, unparseable and undeclared cells go there, so that no cell ever raises. A
cell in the bucket fails every test of its column, except "is missing" where ``missing=True`` asks
for it.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from discreet.errors import SchemaError

MAX_CODES = 2**16
"""Codes of one column fit uint16."""

Category: TypeAlias = str | int | float


@dataclass(frozen=True, init=False)
class Numeric:
    """A number between public bounds, told apart at public cut points.

    Values outside the bounds are clipped to them; the tests of the column are ``value <= cut``.

    Parameters
    ----------
    low, high : float
        Public bounds, ``low < high``. Never read them off the private table.
    bins : int, optional
        Cut ``[low, high]`` into this many intervals of equal width.
    cuts : sequence of float, optional
        The cut points themselves, strictly increasing within ``[low, high]``; an end point is
        allowed (``cuts=[0]`` with ``low=0`` asks whether the value is zero or less).
    missing : bool, default False
        Also offer the test "is missing".

    Examples
    --------
    >>> Numeric(0, 100, bins=4).cuts
    (25.0, 50.0, 75.0)
    """

    low: float
    high: float
    cuts: tuple[float, ...]
    missing: bool

    def __init__(
        self,
        low: float,
        high: float,
        *,
        bins: int | None = None,
        cuts: Iterable[float] | None = None,
        missing: bool = False,
    ) -> None:
        low, high = _finite(low, "low"), _finite(high, "high")
        if not low < high:
            raise SchemaError(f"Numeric needs low < high, got low={low:g} and high={high:g}")
        if bins is not None and not math.isfinite(high - low):
            raise SchemaError("Numeric(bins=) needs bounds whose difference is a number")
        if (bins is None) == (cuts is None):
            raise SchemaError("Numeric needs either bins= or cuts=, and not both")
        points = _equal_width(low, high, bins) if bins is not None else _checked_cuts(low, high, cuts)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        object.__setattr__(self, "cuts", points)
        object.__setattr__(self, "missing", _flag(missing))

    def __repr__(self) -> str:
        cuts = ", ".join(f"{cut:g}" for cut in self.cuts)
        return f"Numeric({self.low:g}, {self.high:g}, cuts=[{cuts}]{_missing_repr(self.missing)})"

    @property
    def n_codes(self) -> int:
        """Intervals between the cuts, and the bucket."""
        return len(self.cuts) + 2


@dataclass(frozen=True, init=False)
class Categorical:
    """One of a public list of values; the tests of the column are ``value = category``.

    Parameters
    ----------
    values : sequence of str, or of numbers
        The categories. Text is compared without surrounding blanks. Declared numbers are compared
        as numbers, so that ``1``, ``1.0`` and ``"1"`` in the table are the same category 1.
    missing : bool, default False
        Also offer the test "is missing", true for missing and for undeclared cells.
    """

    values: tuple[Category, ...]
    missing: bool

    def __init__(self, values: Iterable[Category], *, missing: bool = False) -> None:
        object.__setattr__(self, "values", checked_categories(values, "Categorical"))
        object.__setattr__(self, "missing", _flag(missing))

    def __repr__(self) -> str:
        return f"Categorical({list(self.values)!r}{_missing_repr(self.missing)})"

    @property
    def n_codes(self) -> int:
        """The categories, and the bucket."""
        return len(self.values) + 1


@dataclass(frozen=True)
class Boolean:
    """Yes or no; the test of the column is ``value = True``.

    Understood are booleans, the numbers 0 and 1, and the words true, false, yes, no, t, f, y, n in
    any case.

    Parameters
    ----------
    missing : bool, default False
        Also offer the test "is missing".
    """

    missing: bool = False

    def __post_init__(self) -> None:
        _flag(self.missing)

    @property
    def n_codes(self) -> int:
        """False, true, and the bucket."""
        return 3


Column: TypeAlias = Numeric | Categorical | Boolean


def checked_categories(values: Iterable[Category], owner: str) -> tuple[Category, ...]:
    """Check a list of categories: all text or all numbers, none twice, not too many."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise SchemaError(f"{owner} needs a list of values")
    listed = tuple(plain_scalar(value) for value in values)
    if not 1 <= len(listed) < MAX_CODES:
        raise SchemaError(f"{owner} needs between 1 and {MAX_CODES - 1} values, got {len(listed)}")
    if all(isinstance(value, str) for value in listed):
        listed = tuple(str(value).strip() for value in listed)
        if "" in listed:
            raise SchemaError(f"{owner}: empty text means a missing value, leave it out")
        if not all(is_writable(str(value)) for value in listed):
            raise SchemaError(f"{owner} has a text that cannot be written as UTF-8")
    elif not all(_is_number(value) for value in listed):
        raise SchemaError(
            f"{owner} needs values that are all text or all finite numbers (Boolean() is for True/False)"
        )
    if len(set(listed)) != len(listed):
        raise SchemaError(f"{owner} has a value twice")
    return listed


def is_writable(text: str) -> bool:
    """Tell whether a text can be written to a file: lone surrogates cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def plain_scalar(value: object) -> Category:
    """Turn a numpy scalar into the Python value that it stands for."""
    return value.item() if isinstance(value, np.generic) else value  # type: ignore[return-value]


def _is_number(value: object) -> bool:
    # Compared, not converted: a whole number may be too large to become a float.
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _finite(value: float, name: str) -> float:
    plain = plain_scalar(value)
    if not _is_number(plain):
        raise SchemaError(f"Numeric needs a finite number for {name}")
    return float(plain)


def _flag(value: bool) -> bool:
    if not isinstance(value, bool):
        raise SchemaError("missing= is True or False")
    return value


def _missing_repr(missing: bool) -> str:
    return ", missing=True" if missing else ""


def _equal_width(low: float, high: float, bins: int) -> tuple[float, ...]:
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer):
        raise SchemaError("Numeric needs a whole number for bins")
    if not 2 <= bins < MAX_CODES:
        raise SchemaError(f"Numeric needs between 2 and {MAX_CODES - 1} bins, got {bins}")
    cuts = tuple(float(cut) for cut in np.linspace(low, high, int(bins) + 1)[1:-1])
    if not _increasing((low, *cuts, high)):
        raise SchemaError("Numeric: low and high are too close together for so many bins")
    return cuts


def _checked_cuts(low: float, high: float, cuts: Iterable[float] | None) -> tuple[float, ...]:
    if cuts is None or isinstance(cuts, str) or not isinstance(cuts, Iterable):
        raise SchemaError("Numeric needs a list of numbers for cuts")
    points = tuple(_finite(cut, "each cut") for cut in cuts)
    if not 1 <= len(points) <= MAX_CODES - 2:
        raise SchemaError(f"Numeric needs between 1 and {MAX_CODES - 2} cuts, got {len(points)}")
    if not _increasing(points):
        raise SchemaError("Numeric needs strictly increasing cuts")
    if points[0] < low or points[-1] > high:
        raise SchemaError("Numeric needs cuts within [low, high]")
    return points


def _increasing(points: Sequence[float]) -> bool:
    return all(a < b for a, b in itertools.pairwise(points))
