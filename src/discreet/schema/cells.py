"""What a single cell means: a number, a text, or nothing.

A cell's meaning depends on that cell alone, so that replacing one record moves the code of no
other (PRIVACY.md 11). This is harder than it looks, because tables come typed: one odd cell makes a
reader hand over a whole column as text, as floats or as objects. Hence a text that spells a number
*is* that number (``1``, ``1.0`` and ``"1"``), ``True`` and ``"true"`` are 1, and a whole number
past 2**53 is its nearest float, in every container and for every kind of column.

No function here raises, whatever object it is given.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from typing import TypeAlias

import numpy as np

from discreet.errors import SchemaError

Meaning: TypeAlias = float | str | None

_TRUTHS = {"true": 1.0, "false": 0.0}
"""Words that readers of files turn into booleans when a whole column consists of them."""

_WORDS = {"yes": 1.0, "t": 1.0, "y": 1.0, "no": 0.0, "f": 0.0, "n": 0.0}
"""Words that stand for yes and no in a Boolean column only."""


def meaning(cell: object) -> Meaning:
    """Read one cell by itself.

    Parameters
    ----------
    cell : object
        Anything at all.

    Returns
    -------
    float, str or None
        A number (never nan), a text without surrounding blanks that spells no number, or None: the
        cell is missing, or of a type that no column understands.
    """
    try:
        read = _read(cell)
    except Exception:
        # Even the type of a cell may be hostile; an exception would be a bit about one record.
        return None
    return None if isinstance(read, float) and math.isnan(read) else read


def number(cell: object) -> float:
    """Read one cell as a number; nan stands for missing."""
    read = meaning(cell)
    return read if isinstance(read, float) else math.nan


def truth(cell: object) -> float:
    """Read one cell as no or yes: 0.0 or 1.0, or nan where it is neither."""
    read = meaning(cell)
    if isinstance(read, str):
        return _WORDS.get(read.lower(), math.nan)
    return read if read in (0.0, 1.0) and read is not None else math.nan


def spelling(value: float) -> str:
    """Spell a number the way a category of text would: 1.0 is ``1``."""
    return str(int(value)) if value.is_integer() else repr(value)


def check_told_apart(values: Iterable[object], word: str) -> None:
    """Refuse declared values that cells could never tell apart.

    Parameters
    ----------
    values : iterable
        Declared categories or classes, all text or all numbers.
    word : str
        What the message calls one of them: ``"category"`` or ``"class"``.
    """
    seen: dict[float | str, object] = {}
    for value in values:
        read = meaning(value)
        if read is None:
            raise SchemaError(f"the {word} {value!r} means a missing value, leave it out")
        if read in seen:
            raise SchemaError(f"the {word} {value!r} and the {word} {seen[read]!r} mean the same in a table")
        seen[read] = value


def _read(cell: object) -> Meaning:
    # `type` and the unbound methods of the built-in types are used throughout, because isinstance
    # consults a property of the object and a subclass may answer with anything.
    kind = type(cell)
    if issubclass(kind, str):
        # numpy's arrays of text drop NULs at the end, so they are dropped everywhere.
        return _read_text(str.strip(str.rstrip(cell, "\0")))  # type: ignore[arg-type]
    if issubclass(kind, float):
        return float.__float__(cell)  # type: ignore[arg-type]
    if issubclass(kind, int):
        return _float_of_int(cell)  # type: ignore[arg-type]
    if issubclass(kind, np.bool_ | np.integer | np.floating) and not issubclass(kind, np.timedelta64):
        return float(cell)  # type: ignore[arg-type]
    if issubclass(kind, Decimal):
        return Decimal.__float__(cell)  # type: ignore[arg-type]
    return None


def _read_text(text: str) -> Meaning:
    if not text:
        return None
    value = _TRUTHS.get(text.lower())
    if value is not None:
        return value
    if "_" in text:
        # Python would read 1_000 as a number, no reader of tables does.
        return text
    try:
        return float(text)
    except ValueError:
        return text


def _float_of_int(value: int) -> float:
    try:
        return int.__float__(value)
    except OverflowError:
        return math.inf if int.__gt__(value, 0) else -math.inf
