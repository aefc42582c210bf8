"""Tables in files: which reader is for which file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from discreet.cli.csv_files import csv_names, read_csv
from discreet.cli.exits import advised
from discreet.cli.parquet_files import parquet_names, read_parquet
from discreet.errors import InputError


class _Reader(NamedTuple):
    names: Callable[[Path], list[str]]
    read: Callable[[Path, Sequence[str]], Any]


_READERS = {".csv": _Reader(csv_names, read_csv), ".parquet": _Reader(parquet_names, read_parquet)}


def column_names(path: Path) -> list[str]:
    """Read the names of the columns, and no record."""
    return _reader_of(path).names(path)


def read_table(path: Path, wanted: Sequence[str]) -> Any:
    """Read some columns of a file into a table that estimators take; ``table[name]`` is a column."""
    return _reader_of(path).read(path, wanted)


def _reader_of(path: Path) -> _Reader:
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise advised(
            InputError(f"{os.fspath(path)!r} is not known to be a table by its name"),
            f"name a file that ends in {' or '.join(_READERS)}",
        )
    return reader
