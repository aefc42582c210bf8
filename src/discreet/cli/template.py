"""``discreet schema template``: a schema to fill in, from column names alone."""

from __future__ import annotations

import json as json_text
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.exits import advised
from discreet.cli.options import DataFile, ForceFlag, JsonFlag
from discreet.cli.outputs import check_output, write_output
from discreet.cli.tables import column_names
from discreet.errors import OptionError

_HEAD = """\
# A schema for discreet: what is PUBLIC about a table. Fill in the blanks.
#
# Write bounds, cut points and categories from the codebook, the form or the instrument.
# Never look them up in the private table: that is a leak which nothing can detect.

[target]
name = ""       # the column to predict; delete its line below
classes = []    # its two classes, such as ["no", "yes"]

# Give each column one of these, or delete its line to ignore the column.
#   {kind = "numeric", low = 0, high = 100, bins = 20}           20 steps of equal width
#   {kind = "numeric", low = 0, high = 100, cuts = [18, 30, 65]} or cut points of your own
#   {kind = "categorical", values = ["red", "green"]}            or numbers: values = [1, 2, 3]
#   {kind = "boolean"}                                           0 and 1, true and false, yes and no
# With missing = true inside the braces, "is missing" may be asked as well.
# discreet schema check tells what is still to be filled in.

[columns]
"""


def template(
    data: DataFile,
    out: Annotated[
        Path | None, typer.Option(help="Where the template goes.  [default: standard output]")
    ] = None,
    force: ForceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Start a schema: the column names, and blanks to fill in.

    Reads the column names and no record: of a CSV file, the first line. If that line is a record already,
    because the file has no names, then delete what this command wrote.
    """
    if out is not None:
        check_output(out, force, data)
    elif force:
        raise advised(OptionError("--force is for --out"), "leave out --force, or add --out FILE")
    names = column_names(data)
    text = template_of(names)
    if out is not None:
        write_output(out, text, force)
    if json:
        place = {"template": text} if out is None else {"out": os.fspath(out)}
        typer.echo(json_text.dumps({"columns": names, **place}))
    elif out is None:
        typer.echo(text, nl=False)
    else:
        typer.echo(f"The names of {len(names)} columns went to {os.fspath(out)}; fill in its blanks")


def template_of(names: Sequence[str]) -> str:
    """Write a schema whose columns are named and whose facts are blank; valid TOML, not yet a schema."""
    import tomli_w

    # tomli_w knows which names need quotes.
    keys = (tomli_w.dumps({name: 0}).removesuffix(" = 0\n") for name in names)
    return _HEAD + "".join(f'{key} = {{kind = ""}}\n' for key in keys)
