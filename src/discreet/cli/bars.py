"""A scorecard with bars of text."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

_LEAST_HALF, _MOST_HALF = 8, 24


def chart(
    lines: Sequence[Mapping[Any, Any]],
    classes: Sequence[object],
    width: int,
    amount: str = "votes",
    form: str = "+d",
) -> list[str]:
    """Draw the lines of a scorecard: votes, test, and a bar to the side of the class that gains.

    Parameters
    ----------
    lines : sequence of mappings
        With ``column``, ``test`` and ``votes``, as the estimator's scorecard has them.
    classes : sequence of two
        The class that bars to the left favour, and that to the right.
    width : int
        How wide the text should be, if the names are short enough.
    amount, form : str
        What a scorecard calls its votes, and how they are written.
    """
    if not lines:
        return ["  (the votes of all rules cancel)"]
    tests = [printable(f"{line['column']} {line['test']}".strip()) for line in lines]
    name_width = max(map(len, ["test", *tests]))
    shown = [f"{line[amount]:{form}}" for line in lines]
    vote_width = max(map(len, [amount, *shown]))
    room = (width - name_width - vote_width - 8) // 2
    half = min(_MOST_HALF, max(_LEAST_HALF, room))
    most = max(abs(line[amount]) for line in lines)
    against, towards = (_shortened(printable(str(name)), half) for name in classes)
    drawn = [f"  {amount:>{vote_width}}  {'test':<{name_width}}  {against:>{half}} | {towards}"]
    for line, test, written in zip(lines, tests, shown, strict=True):
        bar = _block() * max(1, round(half * abs(line[amount]) / most))
        left, right = (bar, "") if line[amount] < 0 else ("", bar)
        drawn.append(f"  {written:>{vote_width}}  {test:<{name_width}}  {left:>{half}} | {right}".rstrip())
    return drawn


def printable(text: str, *, keep_lines: bool = False) -> str:
    """Replace what a terminal would obey rather than show; names come from files of other people."""
    return "".join(
        letter if letter.isprintable() or (keep_lines and letter == "\n") else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 2] + ".."


def _block() -> str:
    return "\N{FULL BLOCK}" if (sys.stdout.encoding or "").lower().startswith("utf") else "#"
