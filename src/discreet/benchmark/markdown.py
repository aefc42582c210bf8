"""Tables in Markdown that also line up when they are read as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table.

    Parameters
    ----------
    header : sequence of str
        Names of the columns.
    rows : iterable of sequences
        Cells, as many a row as there are names. Bars in a cell are escaped, line breaks become spaces.

    Returns
    -------
    str
        The lines of the table, joined, without a line break at the end.
    """
    cells = [[_plain(cell) for cell in line] for line in ([*header], *rows)]
    if any(len(line) != len(header) for line in cells):
        raise ValueError("a row has not as many cells as there are columns")
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    padded = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in cells
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([padded[0], rule, *padded[1:]])


def _plain(cell: object) -> str:
    return " ".join(str(cell).split()).replace("|", "\\|")
