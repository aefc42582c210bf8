"""The door of learners that take rows of numbers: sparse matrices, arrays, and tables of numbers.

Opening looks at facts about the container only: its kind, shape, types, names. Nothing is made dense that
came in sparse. Rows come out in chunks, and what a row becomes is decided by the row alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from discreet.errors import InputError
from discreet.schema.cells import number
from discreet.schema.containers import COMPLEX, array_of, narwhals_of
from discreet.schema.encode import read_numbers
from discreet.schema.tables import RESHAPE, Table, check_width, open_table

_SPARSE_ROWS = 2**12
_DENSE_CELLS = 2**22


class Chunk(NamedTuple):
    """Some rows, one after the other.

    Row i has the values from ``bounds[i]`` to ``bounds[i + 1]``. They stand in ``columns``, in their order,
    or, if ``columns`` is empty, in every column from the first to the last.
    """

    values: NDArray[np.float64]
    bounds: NDArray[np.int64]
    columns: NDArray[np.int64]


Reader = Callable[[int, int], Chunk]
"""Reads the rows from one number to another."""


@dataclass(frozen=True, eq=False)
class Points:
    """Rows of numbers that nobody has looked at yet.

    Attributes
    ----------
    n_records, n_features : int
        The shape.
    names : tuple of str or None
        Names of the columns, for a container that has them.
    """

    n_records: int
    n_features: int
    names: tuple[str, ...] | None
    _rows_a_chunk: int = field(repr=False)
    _reader: Callable[[], Reader] = field(repr=False)
    _table: Table | None = field(repr=False, default=None)

    def chunks(self) -> Iterator[tuple[slice, Chunk]]:
        """Read the rows, in order; at least one chunk, so that the path is that of a table with records."""
        read = self._reader()
        for start in range(0, max(self.n_records, 1), self._rows_a_chunk):
            stop = min(start + self._rows_a_chunk, self.n_records)
            yield slice(start, stop), read(start, stop)

    def in_the_order_of(self, names: Sequence[str]) -> Points:
        """Take these columns of a table with names."""
        assert self._table is not None  # it has names
        table, places = self._table, self._table.positions(names)
        return replace(
            self,
            n_features=len(names),
            names=tuple(names),
            _reader=lambda: _of_columns(table, places),
        )


def open_points(X: object) -> Points:
    """Open rows of numbers without looking at a cell.

    Parameters
    ----------
    X : sparse matrix, array of two dimensions, data frame, or list of rows
        A sparse matrix or array of scipy in any format; a numpy array of numbers or booleans; a pandas,
        polars (eager) or pyarrow table whose columns are all numbers or booleans.

    Raises
    ------
    InputError
        The container is of another kind, or of a type that holds no numbers.
    """
    if sp.issparse(X):
        return _open_sparse(X)
    opened = narwhals_of(X, "X")
    if isinstance(opened, nw.DataFrame | nw.Series) or isinstance(X, list | tuple):
        return _open_table(X, opened)
    array = array_of(X, "X")
    _check_type(array.dtype)
    table = open_table(array)
    n_features = len(table.names)
    return Points(
        table.n_records, n_features, None, max(1, _DENSE_CELLS // n_features), lambda: _of_array(array)
    )


def _open_sparse(X: Any) -> Points:
    if X.ndim != 2:
        raise InputError(f"Expected 2D array, got {X.ndim}D array instead. {RESHAPE}")
    _check_type(X.dtype)
    n_records, n_features = X.shape
    check_width(n_features)
    return Points(n_records, n_features, None, _SPARSE_ROWS, lambda: _of_sparse(X))


def _open_table(X: object, opened: object) -> Points:
    table = open_table(X)
    n_features = len(table.names)
    if isinstance(opened, nw.DataFrame):
        _check_columns(table, opened)
    names = table.names if table.has_names else None
    return Points(
        table.n_records,
        n_features,
        names,
        max(1, _DENSE_CELLS // n_features),
        lambda: _of_columns(table, tuple(range(n_features))),
        table,
    )


def _check_type(dtype: Any) -> None:
    """Refuse an array by its type."""
    if dtype.kind == "c":
        raise InputError(COMPLEX)
    if dtype.kind not in "biuf":
        raise InputError(f"X is of type {_named(dtype)}; it must hold numbers or booleans")


def _check_columns(table: Table, frame: nw.DataFrame[Any]) -> None:
    """Refuse columns that hold no numbers, by their types; a column of no rows has the type of the whole."""
    for position, name in enumerate(frame.columns):
        table.check_type(position)
        column = frame.get_column(name)
        native = column.to_native()
        dtype = getattr(native, "dtype", getattr(native, "type", None))
        # pandas over numpy by itself: narwhals would look at the cells of an object column to name its type.
        if not (dtype.kind in "biuf" if isinstance(dtype, np.dtype) else _is_number(column.dtype)):
            raise InputError(
                f"column {table.names[position]!r} is of type {_named(dtype)}; "
                "it must hold numbers or booleans"
            )


def _is_number(dtype: nw.dtypes.DType) -> bool:
    return isinstance(dtype, nw.Boolean) or (
        dtype.is_numeric() and not isinstance(dtype, nw.Decimal | nw.Int128 | nw.UInt128)
    )


def _named(dtype: object) -> str:
    """Name a type without the categories that it may list, and without the length of its longest text."""
    if isinstance(dtype, np.dtype):
        return str(dtype.type.__name__).rstrip("_")
    return str(dtype).partition("(")[0].partition("[")[0]


def _of_array(array: NDArray[Any]) -> Reader:
    def read(start: int, stop: int) -> Chunk:
        # Extended precision may overflow, to infinity like any other number beyond the floats.
        with np.errstate(all="ignore"):
            values = np.ascontiguousarray(array[start:stop], dtype=np.float64)
        return _full_rows(values)

    return read


def _of_columns(table: Table, places: Sequence[int]) -> Reader:
    values = np.empty((table.n_records, len(places)))
    for column, place in enumerate(places):
        values[:, column] = read_numbers(table.cells(place), number)
    return lambda start, stop: _full_rows(values[start:stop])


def _full_rows(values: NDArray[np.float64]) -> Chunk:
    n_records, n_features = values.shape
    return Chunk(
        values.ravel(), np.arange(n_records + 1, dtype=np.int64) * n_features, np.zeros(0, dtype=np.int64)
    )


def _of_sparse(X: Any) -> Reader:
    """Sort each row by its columns and add up what stands in one place twice; the matrix itself is left."""
    sound = None
    try:
        # Anew, because the matrix may have been edited since it last looked whether it is sorted.
        given = X.tocsr()
        rows = sp.csr_array((given.data, given.indices, given.indptr), shape=given.shape)
        rows.check_format(full_check=True)
        if not rows.has_canonical_format:
            rows = rows.astype(np.float64, copy=True)
            rows.sum_duplicates()
        sound = rows
    except (ValueError, IndexError, TypeError, OverflowError, RuntimeError):
        pass
    if sound is None:
        raise InputError("X is a damaged sparse matrix: its indices do not fit its shape")
    values, columns, ends = sound.data, sound.indices, sound.indptr

    def read(start: int, stop: int) -> Chunk:
        first, last = int(ends[start]), int(ends[stop])
        with np.errstate(all="ignore"):
            chunk = values[first:last].astype(np.float64, copy=False)
        bounds = ends[start : stop + 1].astype(np.int64) - first
        return Chunk(chunk, bounds, columns[first:last].astype(np.int64, copy=False))

    return read
