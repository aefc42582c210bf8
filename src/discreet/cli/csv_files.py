"""CSV files, read as text, so that no cell decides how another is read.

A reader that infers types lets one odd cell change a whole column. Here a cell is the text that stands
in the file; what it means is for the schema to say, cell by cell. Whether the file is well-formed is a
single bit about the whole of it (docs/promise.md), and one message tells it, without place or kind.
"""

from __future__ import annotations

import contextlib
import csv
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from discreet.cli.exits import advised
from discreet.cli.header import check_names, places_of
from discreet.errors import InputError

LONGEST_HEADER = 2**20
"""Bytes of a first line; a file without line ends is no table."""

_LONGEST_CELL = 2**31 - 1
"""For the csv module, whose own limit would make one long cell an error."""

_LARGE, _STEP = 2 * 10**7, 2**20
"""Bytes from which a bar is shown, and characters between its steps."""

_REMEMBERED = 10_000
"""Equal texts of a column are kept once, as long as there are no more of them than this."""


class _Damage(Exception):
    """The file is not well-formed."""


def csv_names(path: Path) -> list[str]:
    """Read the names of the columns; looks at the first line only.

    Raises
    ------
    InputError
        There is no such file, or its first line is not a list of distinct names.
    """
    with _refused_quietly(path):
        with path.open("rb") as file:
            start = file.readline(LONGEST_HEADER)
        line, *rest = re.split(rb"[\r\n]", start, maxsplit=1)
        if not rest and len(start) == LONGEST_HEADER:
            raise _Damage
        text = line.decode("utf-8-sig")
        names = next(_rows([text]), []) if text else []
    names = [name.strip() for name in names]
    check_names(names, path)
    return names


def read_csv(path: Path, wanted: Sequence[str]) -> Any:
    """Read some columns of a CSV file, every cell as the text that it is.

    Parameters
    ----------
    path : Path
        UTF-8 text, cells separated by commas, names in the first line. Blank lines are no records,
        unless the table has a single column, where they are empty cells.
    wanted : sequence of str
        The columns to read.

    Returns
    -------
    pandas.DataFrame
        The columns, of type object.

    Raises
    ------
    InputError
        The file is absent, not well-formed, or lacks a column.
    """
    import pandas as pd

    names = csv_names(path)
    places = places_of(wanted, names, path)
    columns: list[list[str]] = [[] for _ in places]
    with (
        _refused_quietly(path),
        _cells_of_any_length(),
        path.open(encoding="utf-8-sig", newline="") as file,
        _bar(path) as bar,
    ):
        records = _rows(_told(file, bar))
        next(records)
        _collect(records, len(names), list(zip(places, columns, strict=True)))
    return pd.DataFrame(dict(zip(wanted, columns, strict=True)), dtype=object)


def _bar(path: Path) -> Any:
    """Make a progress bar of bytes for a large file; how large a file is, is public."""
    from tqdm import tqdm

    size = path.stat().st_size
    return tqdm(
        desc="reading",
        total=size,
        unit="B",
        unit_scale=True,
        leave=False,
        disable=size < _LARGE or not sys.stderr.isatty(),
    )


def _told(lines: Iterable[str], bar: Any) -> Iterator[str]:
    read = 0
    for line in lines:
        yield line
        read += len(line)
        if read > _STEP:
            bar.update(read)
            read = 0


def _collect(records: Iterable[list[str]], width: int, kept: list[tuple[int, list[str]]]) -> None:
    seen: list[dict[str, str]] = [{} for _ in kept]
    for record in records:
        if len(record) != width:
            if record:
                raise _Damage
            if width > 1:
                continue
            record = [""]
        for (place, column), known in zip(kept, seen, strict=True):
            cell = record[place]
            column.append(known.setdefault(cell, cell) if len(known) < _REMEMBERED else cell)


def _rows(lines: Iterable[str]) -> Iterator[list[str]]:
    return csv.reader(_without_nul(lines), strict=True)


def _without_nul(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if "\0" in line:
            raise _Damage
        yield line


@contextlib.contextmanager
def _cells_of_any_length() -> Iterator[None]:
    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


@contextlib.contextmanager
def _refused_quietly(path: Path) -> Iterator[None]:
    """Turn what readers raise, which shows cells, into an InputError that does not know of it."""
    try:
        yield
    except OSError as error:
        refusal = advised(
            InputError(f"cannot read {os.fspath(path)!r}: {error.strerror}"),
            "name a file that exists and that you may read",
        )
    except (_Damage, UnicodeError, csv.Error):
        refusal = advised(
            InputError(f"{os.fspath(path)!r} is not a well-formed CSV file"),
            "export it again: UTF-8, commas, quotes that close, as many cells in each row as names",
        )
    else:
        return
    raise refusal from None
