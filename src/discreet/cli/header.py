"""Column names of a file: what they have to be, and where the wanted ones are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from discreet.cli.exits import advised
from discreet.errors import InputError

_SHOWN = 5


def check_names(names: Sequence[str], path: Path) -> None:
    """Refuse names that are empty or not distinct.

    Columns are told by their places, not by their names: in a file without a header line the first
    record stands where the names should be.
    """
    shown = repr(os.fspath(path))
    if not names:
        raise advised(
            InputError(f"{shown} has no column names in its first line"),
            "write the names of the columns, separated by commas, into the first line",
        )
    seen: dict[str, int] = {}
    for place, name in enumerate(names, start=1):
        if not name.strip():
            raise advised(
                InputError(f"{shown}: column {place} has no name"),
                "name every column in the first line, or leave it out (pandas: to_csv(index=False))",
            )
        if name in seen:
            raise advised(
                InputError(f"{shown}: columns {seen[name]} and {place} have the same name"),
                "give every column a name of its own",
            )
        seen[name] = place


def places_of(wanted: Sequence[str], names: Sequence[str], path: Path) -> list[int]:
    """Find the wanted columns among the names of a file."""
    places = {name: place for place, name in enumerate(names)}
    missing = [name for name in wanted if name not in places]
    if missing:
        listed = ", ".join(map(repr, missing[:_SHOWN]))
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        raise advised(
            InputError(f"{os.fspath(path)!r} lacks columns that the schema declares: {listed}{more}"),
            "compare the column names with the schema, letter by letter; a CSV needs commas between them",
        )
    return [places[name] for name in wanted]
