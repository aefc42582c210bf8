"""The cells of one column, whatever container holds them.

Decisions here use the type of the container only, never a cell. A column comes out as a numpy array
of numbers or booleans, where one array holds it already, and as a list of its cells otherwise.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from discreet.errors import InputError

Cells: TypeAlias = NDArray[Any] | list[Any]
"""A one-dimensional array of booleans, integers or floats; or a list of arbitrary cells."""

RawColumn: TypeAlias = NDArray[Any] | list[Any] | nw.Series[Any]

COMPLEX = "Complex data not supported"

_TIMES = "dates or times"
_REFUSED: dict[type[nw.dtypes.DType], str] = {
    nw.Date: _TIMES,
    nw.Datetime: _TIMES,
    nw.Time: _TIMES,
    nw.Duration: _TIMES,
    nw.List: "lists",
    nw.Array: "lists",
    nw.Struct: "structures",
    nw.Binary: "bytes",
}


def cells_of(column: RawColumn, subject: str) -> Cells:
    """Bring the cells of one column out of its container.

    Parameters
    ----------
    column : ndarray of one dimension, list or narwhals Series
        The column.
    subject : str
        What messages call it, such as ``"column 'age'"``.

    Raises
    ------
    InputError
        When the type of the column holds something that no cell rule reads, dates for example.
    """
    if isinstance(column, list):
        return column
    if isinstance(column, nw.Series):
        return _cells_of_series(column, subject)
    return _cells_of_array(column, subject)


def narwhals_of(values: object, subject: str) -> Any:
    """Wrap a data frame or a series of any library; leave other objects as they are."""
    problem = None
    wrapped: Any = None
    try:
        wrapped = nw.from_native(values, pass_through=True, allow_series=True)
    except nw.exceptions.DuplicateError:
        problem = "has two columns of the same name"
    if isinstance(wrapped, nw.LazyFrame):
        problem = "is a lazy frame; call .collect() first"
    if problem is not None:
        raise InputError(f"{subject} {problem}")
    return wrapped


def holds_categories(column: RawColumn) -> bool:
    """Tell whether the type of the column says that its values are categories."""
    return isinstance(column, nw.Series) and isinstance(column.dtype, nw.Categorical | nw.Enum)


def array_of(values: object, subject: str) -> NDArray[Any]:
    """Make a numpy array of an array-like; its own exceptions, which show cells, do not get out."""
    if hasattr(values, "toarray"):
        raise InputError(f"{subject} is sparse, which is not supported; convert it with .toarray()")
    try:
        array = np.asarray(values)
    except Exception:
        array = None
    if array is None or isinstance(values, np.ma.MaskedArray):
        raise InputError(
            f"{subject} is a {type(values).__name__}, which cannot be read; convert it to an array"
        )
    if array.dtype.kind == "c":
        raise InputError(COMPLEX)
    return array


def rows_width(rows: list[Any] | tuple[Any, ...]) -> int | None:
    """Count the columns of a list of rows; None when the list holds plain cells, not rows."""
    # By `type`, because isinstance asks the object, and here that may be a cell.
    is_row = [issubclass(type(row), list | tuple) or _is_vector(row) for row in rows]
    if not rows or not all(is_row):
        return None
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise InputError("the rows have different lengths")
    return widths.pop()


def _is_vector(row: object) -> bool:
    return type(row) is np.ndarray and row.ndim == 1


def _cells_of_array(values: NDArray[Any], subject: str) -> Cells:
    kind = values.dtype.kind
    if kind in "biuf":
        return values
    if kind in "OUT":
        listed: list[Any] = values.tolist()
        return listed
    if kind == "c":
        raise InputError(f"{subject}: {COMPLEX}")
    _refuse(subject, {"M": _TIMES, "m": _TIMES, "S": "bytes"}.get(kind, "structures"))
    return []


def _cells_of_series(series: nw.Series[Any], subject: str) -> Cells:
    native = series.to_native()
    native_dtype = getattr(native, "dtype", getattr(native, "type", None))
    if isinstance(native_dtype, np.dtype):
        # pandas over numpy. narwhals would look at the cells of an object column to name its type.
        return _cells_of_array(native.to_numpy(), subject)
    dtype = series.dtype
    for refused, held in _REFUSED.items():
        if isinstance(dtype, refused):
            _refuse(subject, held)
    if isinstance(dtype, nw.Unknown) and str(native_dtype).lower() not in ("null", "null[pyarrow]"):
        _refuse(subject, "an unknown type")
    if isinstance(dtype, nw.Boolean) or (
        dtype.is_numeric() and not isinstance(dtype, nw.Decimal | nw.Int128 | nw.UInt128)
    ):
        # Other types must not come this way: narwhals forgets missing cells of arrow dictionaries.
        return _cells_of_array(series.to_numpy(), subject)
    return _listed(series)


def _listed(series: nw.Series[Any]) -> list[Any]:
    """List the cells; a text that does not decode (arrow does not check) is a missing cell, not an error."""
    try:
        return series.to_list()
    except Exception:
        return [_decoded(series, position) for position in range(len(series))]


def _decoded(series: nw.Series[Any], position: int) -> Any:
    try:
        return series.item(position)
    except Exception:
        return None


def _refuse(subject: str, held: str) -> None:
    raise InputError(f"{subject} holds {held}; derive a number or a category first")
