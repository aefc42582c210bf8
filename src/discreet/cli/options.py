"""Options and arguments that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

JsonFlag = Annotated[
    bool, typer.Option("--json", help="Print one JSON object; errors too, to standard error.")
]
ForceFlag = Annotated[bool, typer.Option("--force", help="Overwrite the output file if it exists.")]
DataFile = Annotated[Path, typer.Argument(metavar="DATA", help="The table: a .csv or .parquet file.")]
ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="The model file that discreet fit wrote.")]
