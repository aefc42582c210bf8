"""What a ledger is given, checked; and which back end an address means."""

from __future__ import annotations

import math
import os

from discreet.accounting import ApproxDP
from discreet.accounting.adjacency import NEIGHBOURS
from discreet.errors import OptionError
from discreet.ledger.sqlite import SQLiteStore
from discreet.ledger.store import Store

_LONGEST = 200


def open_store(where: object, create: bool) -> Store:
    """Open the back end that an address means: a file, or a PostgreSQL server."""
    if not isinstance(where, str | os.PathLike) or not os.fspath(where):
        raise OptionError("a ledger is a path, or an address that begins with postgresql://")
    return SQLiteStore(where, create)


def checked_cap(epsilon: object, delta: object) -> ApproxDP:
    """Check the budget of an account."""
    cap = ApproxDP(_number(epsilon, "epsilon"), _number(delta, "delta"))
    if not cap.epsilon > 0:
        raise OptionError("epsilon must be above 0")
    return cap


def checked_account(name: object) -> None:
    """Check the name of an account."""
    checked_text(name, "account")
    if name != str(name).strip() or not name:
        raise OptionError("account must be a name that is not empty, without blanks around it")


def checked_adjacency(adjacency: object) -> None:
    """Check which neighbours an account or a spend is about."""
    if adjacency not in NEIGHBOURS:
        raise OptionError(f"adjacency must be one of {', '.join(map(repr, NEIGHBOURS))}")


def checked_text(text: object, option: str) -> None:
    """Check a text that goes into the ledger."""
    if not isinstance(text, str) or len(text) > _LONGEST or not text.isprintable():
        raise OptionError(f"{option} must be a printable text of at most {_LONGEST} characters")


def _number(value: object, option: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise OptionError(f"{option} must be a number")
    return float(value)
