"""The spends of an account for a reader, and what is left."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context

import pandas as pd

from discreet.ledger.events import Committed, Event, Reserved

COLUMNS = ("spend", "time", "what", "loss", "state")


def frame(events: list[Event]) -> pd.DataFrame:
    """Return one row a spend, oldest first.

    The state is "committed" if something was released, and "reserved" if it is being computed, or was
    given up; both count as spent.
    """
    committed = {event.what.spend for event in events if isinstance(event.what, Committed)}
    rows = [
        (
            event.sequence,
            pd.Timestamp(event.time),
            event.what.what,
            _described(event.what),
            "committed" if event.sequence in committed else "reserved",
        )
        for event in events
        if isinstance(event.what, Reserved)
    ]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    # Also without rows: a column of times is one of times.
    return table.astype({"spend": "int64", "time": "datetime64[us, UTC]"})


def shown_down(value: float, digits: int = 4) -> str:
    """Print what is left with a few significant digits, rounded down: a fit can ask for what it reads."""
    floored = Context(prec=digits, rounding=ROUND_FLOOR).create_decimal_from_float(value)
    return f"{float(floored):.{digits}g}"


def _described(what: Reserved) -> str:
    parts = (loss.restored() for loss in what.losses)
    return ", ".join(f"{times} x {loss}" if times != 1 else str(loss) for loss, times in parts)
