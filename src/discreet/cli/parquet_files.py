"""Parquet files, where the optional pyarrow is installed."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from discreet.cli.exits import advised
from discreet.cli.header import check_names, places_of
from discreet.errors import InputError, OptionError

T = TypeVar("T")


def parquet_names(path: Path) -> list[str]:
    """Read the names of the columns; looks at the file's metadata only."""
    names: list[str] = _looked_at(path, lambda file: list(file.schema_arrow.names))
    check_names(names, path)
    return names


def read_parquet(path: Path, wanted: Sequence[str]) -> Any:
    """Read some columns of a Parquet file, with the types that the file gives them.

    Returns
    -------
    pyarrow.Table
        The columns.

    Raises
    ------
    InputError
        The file is absent, no Parquet file, or lacks a column.
    OptionError
        pyarrow is not installed.
    """
    places_of(wanted, parquet_names(path), path)
    # select: a name may also be the path to a part of a nested column, which read() would add.
    return _looked_at(path, lambda file: file.read(columns=list(wanted)).select(list(wanted)))


def _looked_at(path: Path, look: Callable[[Any], T]) -> T:
    try:
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        parquet = None
    if parquet is None:
        raise advised(
            OptionError("reading Parquet needs pyarrow, which is not installed"),
            'pip install "discreet[parquet]"',
        )
    shown = repr(os.fspath(path))
    try:
        with path.open("rb") as file:
            return look(parquet.ParquetFile(file))
    except Exception as error:
        # Whatever pyarrow says may show cells. A file that is absent speaks through its number only.
        reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else None
    if reason is not None:
        raise advised(
            InputError(f"cannot read {shown}: {reason}"), "name a file that exists and that you may read"
        )
    raise advised(InputError(f"{shown} is not a Parquet file that can be read"), "write the file again")
