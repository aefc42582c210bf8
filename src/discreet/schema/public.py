"""Learning a schema from a public table: the one place that looks at values, public ones only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.errors import SchemaError
from discreet.schema.cells import meaning, number, spelling
from discreet.schema.columns import Boolean, Categorical, Column, Numeric
from discreet.schema.containers import Cells
from discreet.schema.documents import about
from discreet.schema.encode import read_numbers
from discreet.schema.tables import open_table
from discreet.schema.target import Class, Target

MAX_CATEGORIES = 100
"""A text column with more different values than this is taken for free text."""


def learn(frame: object, target: str | None, bins: int) -> tuple[dict[str, Column], Target | None]:
    """Learn the parts of a schema from a frame that the caller declares public."""
    if isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 2:
        raise SchemaError("from_public needs a whole number of at least 2 for bins")
    table = open_table(frame)
    if target is not None and target not in table.names:
        raise SchemaError(f"target {target!r} is not a column of the public table")
    columns: dict[str, Column] = {}
    learned = None
    for position, name in enumerate(table.names):
        cells = table.cells(position)
        with about(f"column {name!r}"):
            if name == target:
                learned = Target(name, _values(cells))
            else:
                columns[name] = _column(cells, table.holds_categories(position), int(bins))
    return columns, learned


def _column(cells: Cells, categories: bool, bins: int) -> Column:
    if isinstance(cells, np.ndarray):
        missing = bool(np.isnan(cells).any())
    else:
        missing = any(meaning(cell) is None for cell in cells)
    if _all_boolean(cells):
        return Boolean(missing=missing)
    if not categories and not _any_text(cells):
        return _numeric(_finite(cells), bins, missing)
    values = _values(cells)
    if not values:
        raise SchemaError("has no value in the public table; leave it out or declare it by hand")
    if len(values) > MAX_CATEGORIES:
        raise SchemaError(
            f"has more than {MAX_CATEGORIES} different values, which looks like free text; leave "
            "it out, group the values first, or declare Categorical([...]) by hand"
        )
    return Categorical(values, missing=missing)


def _numeric(values: NDArray[np.float64], bins: int, missing: bool) -> Numeric:
    distinct = np.unique(values) + 0.0  # so that -0.0 is written 0.0
    if len(distinct) == 0:
        raise SchemaError("has no value in the public table; leave it out or declare it by hand")
    if len(distinct) == 1:
        raise SchemaError(
            "has one value only in the public table, so nothing tells records apart; leave it out "
            "or declare Numeric(low, high, cuts=[...]) by hand"
        )
    # A cut at the largest value would be true of every record, so the largest value is never one.
    if len(distinct) <= bins:
        cuts = distinct[:-1]
    else:
        shares = np.arange(1, bins) / bins
        quantiles = np.unique(np.quantile(values, shares, method="inverted_cdf")) + 0.0
        cuts = quantiles[quantiles < distinct[-1]]
        cuts = cuts if len(cuts) else distinct[-2:-1]
    return Numeric(distinct[0], distinct[-1], cuts=cuts.tolist(), missing=missing)


def _values(cells: Cells) -> list[Class]:
    """Distinct values in order: booleans, numbers, or texts as the public table spells them."""
    if _all_boolean(cells):
        return [False, True]
    if not _any_text(cells):
        return [int(v) if v.is_integer() else v for v in (np.unique(_finite(cells)) + 0.0).tolist()]
    spelled: dict[float | str, str] = {}
    for cell in cells:
        read = meaning(cell)
        if read is not None:
            text = str.strip(cell) if isinstance(cell, str) else spelling(float(read))
            spelled[read] = min(text, spelled.get(read, text))
    return sorted(spelled.values())


def _finite(cells: Cells) -> NDArray[np.float64]:
    values = read_numbers(cells, number)
    return values[np.isfinite(values)]


def _all_boolean(cells: Cells) -> bool:
    if isinstance(cells, np.ndarray):
        return cells.dtype == np.bool_
    present = [cell for cell in cells if meaning(cell) is not None]
    return bool(present) and all(isinstance(cell, bool | np.bool_) for cell in present)


def _any_text(cells: Cells) -> bool:
    return isinstance(cells, list) and any(isinstance(cell, str) for cell in cells)
