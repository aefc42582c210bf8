"""The door: tables of every kind come in, by facts about the container alone.

What is looked at: the kind of the container, its shape, the names and the types of its columns.
Cells are for `discreet.schema.cells`, one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError, SchemaError
from discreet.schema.columns import Boolean, Categorical, Column, Numeric
from discreet.schema.containers import (
    Cells,
    RawColumn,
    array_of,
    cells_of,
    holds_categories,
    narwhals_of,
    rows_width,
)
from discreet.schema.schema import Schema

RESHAPE = (
    "Reshape your data using array.reshape(-1, 1) if your data has a single feature or "
    "array.reshape(1, -1) if it contains a single sample"
)

_HOW_TO_WRITE_ONE = """\
schema= is needed: bounds and categories read off the private table would leak. Write one, such as

    schema = Schema({
        "age": Numeric(17, 90, bins=20),
        "sex": Categorical(["Female", "Male"]),
        "smoker": Boolean(),
    })

or load one with Schema.from_toml("schema.toml"), or learn one from a PUBLIC table with
Schema.from_public(public_frame)."""


@dataclass(frozen=True, eq=False)
class Table:
    """A table whose cells nobody has looked at yet.

    Attributes
    ----------
    n_records : int
        Number of rows.
    names : tuple of str
        Names of the columns; ``x0``, ``x1``, ... for a container without names.
    has_names : bool
        Whether the container named its columns.
    boolean : bool
        Whether the table is a numpy array of type bool.
    """

    n_records: int
    names: tuple[str, ...]
    has_names: bool
    boolean: bool
    _column: Callable[[int], RawColumn] = field(repr=False)

    def cells(self, position: int) -> Cells:
        """Cells of one column: an array of numbers or booleans, or a list of anything.

        Raises
        ------
        InputError
            When the column's type is one that no declaration reads: dates, lists, bytes.
        """
        return cells_of(self._column(position), f"column {self.names[position]!r}")

    def by_position(self) -> Table:
        """Forget the names: columns are then taken in the order of the schema."""
        return replace(self, names=_numbered(len(self.names)), has_names=False)

    def check_type(self, position: int) -> None:
        """Refuse a column of a type that `cells` would refuse, without looking at its cells."""
        cells_of(self._column(position)[:0], f"column {self.names[position]!r}")

    def holds_categories(self, position: int) -> bool:
        """Tell whether a column's type is a category type."""
        return holds_categories(self._column(position))

    def positions(self, names: Sequence[str]) -> tuple[int, ...]:
        """Find the declared columns: by name, or by position in a table without names.

        Raises
        ------
        InputError
            When a declared column is missing, or an array has another number of columns.
        """
        if not self.has_names:
            if len(self.names) != len(names):
                # In the words that scikit-learn's users, and its checks, know.
                found, declared = len(self.names), len(names)
                raise InputError(
                    f"X has {found} features, but Schema is expecting {declared} features as input"
                )
            return tuple(range(len(names)))
        places = {name: position for position, name in enumerate(self.names)}
        missing = [name for name in names if name not in places]
        if missing:
            raise InputError(f"X lacks columns that the schema declares: {', '.join(map(repr, missing))}")
        return tuple(places[name] for name in names)


def open_table(X: object) -> Table:
    """Open a table without looking at its cells.

    Parameters
    ----------
    X : data frame, array of two dimensions, or list of rows
        pandas, polars (eager) and pyarrow tables, numpy arrays, lists of lists, and what
        ``numpy.asarray`` makes a two-dimensional array of.

    Returns
    -------
    Table
        The table; columns are converted when they are asked for.

    Raises
    ------
    InputError
        When the container is no table, or its column names are not distinct texts.
    """
    opened = narwhals_of(X, "X")
    if isinstance(opened, nw.Series):
        raise InputError(f"Expected a table, got one column. {RESHAPE}, or pass a data frame")
    if isinstance(opened, nw.DataFrame):
        return _of_frame(opened)
    if isinstance(X, list | tuple):
        return _of_rows(X)
    return _of_array(array_of(X, "X"))


def resolve_schema(schema: Schema | Column | None, table: Table) -> Schema:
    """Turn what the user gave as ``schema=`` into a schema that fits the table.

    Parameters
    ----------
    schema : Schema, column declaration or None
        One declaration applies to every column. None will do for a numpy array of booleans.
    table : Table
        The table.

    Returns
    -------
    Schema
        A schema all of whose columns the table has.
    """
    if schema is None and table.boolean:
        schema = Boolean()
    if schema is None:
        raise SchemaError(_HOW_TO_WRITE_ONE)
    if isinstance(schema, Numeric | Categorical | Boolean):
        return Schema(dict.fromkeys(table.names, schema))
    if not isinstance(schema, Schema):
        raise SchemaError(
            "schema= needs a Schema, or one declaration for all columns, as Numeric(0, 1, bins=8)"
        )
    table.positions(schema.names)
    return schema


def _of_frame(frame: nw.DataFrame[Any]) -> Table:
    names = frame.columns
    check_width(len(names))
    texts = sum(isinstance(name, str) for name in names)
    if texts == 0:
        # Numbered columns, as pandas makes them of an array: scikit-learn takes them for unnamed, too.
        return _unnamed(len(frame), len(names), lambda position: frame.get_column(names[position]))
    if texts < len(names):
        raise InputError("X has some column names that are not text; rename them, as the schema does")
    return Table(
        n_records=len(frame),
        names=tuple(names),
        has_names=True,
        boolean=False,
        _column=lambda position: frame.get_column(names[position]),
    )


def _of_rows(rows: list[Any] | tuple[Any, ...]) -> Table:
    # Not by numpy.asarray: it gives all cells one type, so one odd cell would change the others.
    width = rows_width(rows)
    if width is None:
        raise InputError(f"Expected 2D array, got 1D array instead. {RESHAPE}")
    check_width(width)
    columns = [list(column) for column in zip(*rows, strict=True)]
    return _unnamed(len(rows), width, columns.__getitem__)


def _of_array(values: NDArray[Any]) -> Table:
    if values.ndim < 2:
        got = "1D" if values.ndim else "scalar"
        raise InputError(f"Expected 2D array, got {got} array instead. {RESHAPE}")
    if values.ndim > 2:
        raise InputError(f"Found array with dim {values.ndim}, while dim 2 is required")
    n_records, width = values.shape
    check_width(width)
    return _unnamed(n_records, width, lambda position: values[:, position], values.dtype == np.bool_)


def _unnamed(n_records: int, width: int, column: Callable[[int], RawColumn], boolean: bool = False) -> Table:
    return Table(
        n_records=n_records,
        names=_numbered(width),
        has_names=False,
        boolean=boolean,
        _column=column,
    )


def _numbered(width: int) -> tuple[str, ...]:
    return tuple(f"x{position}" for position in range(width))


def check_width(width: int) -> None:
    """Refuse a container without columns."""
    if width == 0:
        # In scikit-learn's words, but without the number of records, which may be private.
        raise InputError("Found array with 0 feature(s) (shape=(, 0)) while a minimum of 1 is required.")
