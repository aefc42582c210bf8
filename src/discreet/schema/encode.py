"""From cells to codes: small integers, each a public function of its one cell."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning

from discreet.errors import InputError
from discreet.schema.cells import meaning, number, truth
from discreet.schema.columns import Boolean, Categorical, Column, Numeric
from discreet.schema.containers import Cells, RawColumn, array_of, cells_of, narwhals_of
from discreet.schema.schema import Schema
from discreet.schema.tables import Table
from discreet.schema.target import Target

_REMEMBERED = 10_000
"""So many texts of a column are read once only: enough for categories, little memory."""

T = TypeVar("T", int, float)


@dataclass(frozen=True, eq=False)
class Codes:
    """The codes of a table.

    Attributes
    ----------
    values : ndarray of uint8 or uint16, shape (n_columns, n_records)
        One contiguous row for each column of the schema.
    n_codes : tuple of int
        How many codes each column has; the last one is its bucket.
    """

    values: NDArray[np.uint8] | NDArray[np.uint16]
    n_codes: tuple[int, ...]


def check_containers(table: Table, schema: Schema, y: object) -> None:
    """Refuse what `encode` and `encode_labels` would, by types and lengths, before any cell is read.

    Raises
    ------
    InputError
        A declared column is missing, a column or y has a type that holds no cells, or lengths differ.
    """
    for position in table.positions(schema.names):
        table.check_type(position)
    check_labels(y, table.n_records)


def check_labels(y: object, n_records: int) -> None:
    """Refuse what `encode_labels` would, by type and length, before any label is read."""
    labels = _label_column(y, warn=False)
    cells_of(labels[:0], "y")
    _check_length(labels, n_records)


def encode(table: Table, schema: Schema) -> Codes:
    """Turn each cell of the declared columns into its code.

    Parameters
    ----------
    table : Table
        The table; columns that the schema does not declare are not touched.
    schema : Schema
        The declarations.

    Returns
    -------
    Codes
        The same for the same cells, whatever container and column types hold them.
    """
    positions = table.positions(schema.names)
    n_codes = tuple(column.n_codes for column in schema.columns.values())
    dtype = np.uint8 if max(n_codes) <= 256 else np.uint16
    values = np.empty((len(positions), table.n_records), dtype=dtype)
    for row, position, column in zip(values, positions, schema.columns.values(), strict=True):
        row[:] = _codes(column, table.cells(position))
    return Codes(values, n_codes)


def encode_numbers(table: Table, schema: Schema) -> dict[int, NDArray[np.float64]]:
    """Read the numeric columns.

    Returns
    -------
    dict
        By the column's index in the schema: its values, clipped to its bounds; nan for a bucketed cell.
    """
    positions = table.positions(schema.names)
    return {
        index: _clipped(column, table.cells(positions[index]))
        for index, column in enumerate(schema.columns.values())
        if isinstance(column, Numeric)
    }


def encode_labels(y: object, target: Target, n_records: int) -> NDArray[np.int8]:
    """Turn each label into the index of its class.

    Parameters
    ----------
    y : series, array of one dimension, list, or frame of one column
        The labels.
    target : Target
        The classes.
    n_records : int
        How many labels there have to be.

    Returns
    -------
    ndarray of int8
        Index in ``target.classes``; ``len(target.classes)`` for a label that is none of them, be it
        missing, unseen or unreadable.

    Raises
    ------
    InputError
        When y is absent, has the wrong shape or length, or a type that holds no labels.
    """
    cells = cells_of(_label_column(y, warn=True), "y")
    _check_length(cells, n_records)
    if not target.boolean:
        return _codes(Categorical(target.classes), cells).astype(np.int8)
    index = [target.classes.index(False), target.classes.index(True), len(target.classes)]
    return np.array(index, dtype=np.int8)[_codes(Boolean(), cells)]


def read_numbers(cells: Cells, rule: Callable[[object], float]) -> NDArray[np.float64]:
    """Read the cells of a column by a rule for numbers; nan where the rule finds none."""
    if isinstance(cells, list):
        return _each(cells, rule, np.float64)
    # Extended precision may overflow, to infinity like any other number beyond the floats.
    with np.errstate(all="ignore"):
        return np.asarray(cells, dtype=np.float64)


def _codes(column: Column, cells: Cells) -> NDArray[np.intp]:
    bucket = column.n_codes - 1
    if isinstance(column, Numeric):
        values = _clipped(column, cells)
        codes = np.searchsorted(column.cuts, values, side="left")
        codes[np.isnan(values)] = bucket
        return codes
    if isinstance(column, Boolean):
        return _matches(read_numbers(cells, truth), {0.0: 0, 1.0: 1}, bucket)
    declared = {meaning(value): code for code, value in enumerate(column.values)}
    if isinstance(cells, list) and isinstance(column.values[0], str):
        return _each(cells, lambda cell: declared.get(meaning(cell), bucket), np.intp)
    numbers = {value: code for value, code in declared.items() if isinstance(value, float)}
    return _matches(read_numbers(cells, number), numbers, bucket)


def _clipped(column: Numeric, cells: Cells) -> NDArray[np.float64]:
    return np.clip(read_numbers(cells, number), column.low, column.high)


def _matches(values: NDArray[np.float64], declared: dict[float, int], bucket: int) -> NDArray[np.intp]:
    if not declared:
        return np.full(len(values), bucket, dtype=np.intp)
    wanted = np.array(sorted(declared))
    codes = np.array([declared[value] for value in wanted.tolist()], dtype=np.intp)
    nearest = np.minimum(np.searchsorted(wanted, values), len(wanted) - 1)
    return np.where(wanted[nearest] == values, codes[nearest], bucket)


def _each(cells: list[Any], rule: Callable[[object], T], dtype: type[np.generic]) -> NDArray[Any]:
    seen: dict[str, T] = {}

    def remembered(cell: object) -> T:
        # Only true texts are keys: other cells may refuse to be hashed, or lie about equality.
        if type(cell) is not str:
            return rule(cell)
        known = seen.get(cell)
        if known is None:
            known = rule(cell)
            if len(seen) < _REMEMBERED:
                seen[cell] = known
        return known

    return np.fromiter(map(remembered, cells), dtype=dtype, count=len(cells))


def _check_length(labels: RawColumn | Cells, n_records: int) -> None:
    if len(labels) != n_records:
        # Without the lengths: under add-remove they are private.
        raise InputError("X and y have different lengths")


def _label_column(y: object, warn: bool) -> RawColumn:
    if y is None:
        raise InputError("discreet requires y to be passed, but the target y is None")
    opened: Any = narwhals_of(y, "y")
    if isinstance(opened, nw.Series):
        return opened
    if isinstance(opened, nw.DataFrame):
        if opened.shape[1] != 1:
            raise _not_one_column("two dimensions")
        return opened.get_column(opened.columns[0])
    if isinstance(y, list | tuple):
        return [_unwrapped(label) for label in y]
    array = array_of(y, "y")
    if array.ndim == 1:
        return array
    if array.ndim != 2 or array.shape[1] != 1:
        raise _not_one_column("no dimension" if array.ndim == 0 else "two dimensions or more")
    if warn:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y "
            "to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,  # the line that called fit
        )
    return array[:, 0]


def _unwrapped(label: object) -> object:
    """Read ``[label]`` as the label; each by itself, whatever shape the others have."""
    # By `type`, because isinstance asks the object, and here that may be a cell.
    if (type(label) is list or type(label) is tuple) and len(label) == 1:
        return label[0]
    return label


def _not_one_column(found: str) -> InputError:
    # Without the shape: under add-remove the number of records is private.
    return InputError(f"y should be a 1d array, got an array of {found} instead.")
