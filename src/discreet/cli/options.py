"""Options and arguments that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def _adjacencies() -> list[str]:
    from discreet.accounting.adjacency import NEIGHBOURS

    return list(NEIGHBOURS)


JsonFlag = Annotated[
    bool, typer.Option("--json", help="Print one JSON object; errors too, to standard error.")
]
ForceFlag = Annotated[bool, typer.Option("--force", help="Overwrite the output file if it exists.")]
DataFile = Annotated[Path, typer.Argument(metavar="DATA", help="The table: a .csv or .parquet file.")]
ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="The model file that discreet fit wrote.")]
LedgerName = Annotated[
    str, typer.Argument(metavar="LEDGER", help="The ledger: a file, or a postgresql:// address.")
]
AccountName = Annotated[str, typer.Argument(metavar="ACCOUNT", help="The account of the ledger.")]
AdjacencyName = Annotated[
    str,
    typer.Option(help="Tables that count as neighbours: replace or add-remove.", autocompletion=_adjacencies),
]
