"""What a ledger is given, checked; and which back end an address means."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterable

from discreet.accounting import ApproxDP, Loss
from discreet.accounting.adjacency import NEIGHBOURS
from discreet.errors import OptionError
from discreet.ledger.events import LOSSES, MOST_TIMES
from discreet.ledger.postgres import PREFIXES, PostgresStore
from discreet.ledger.sqlite import SQLiteStore
from discreet.ledger.store import Store

_LONGEST = 200


def store_at(where: object) -> Store:
    """Return the back end that an address means, not yet connected."""
    if not isinstance(where, str | os.PathLike) or not os.fspath(where):
        raise OptionError("a ledger is a path, or an address that begins with postgresql://")
    if isinstance(where, str) and where.startswith(PREFIXES):
        return PostgresStore(where)
    return SQLiteStore(where)


def checked_cap(epsilon: object, delta: object) -> ApproxDP:
    """Check the budget of an account."""
    cap = ApproxDP(_number(epsilon, "epsilon"), _number(delta, "delta"))
    if not cap.epsilon > 0:
        raise OptionError("epsilon must be above 0")
    return cap


def checked_losses(losses: Iterable[tuple[Loss, int]]) -> list[tuple[Loss, int]]:
    """Check the parts of a spend: a part that could be negative would give budget back."""
    parts = [(loss, _times(times)) for loss, times in losses]
    if not parts or not all(type(loss) in LOSSES.values() for loss, _ in parts):
        raise OptionError(f"a spend has at least one loss, and each is of a known kind: {', '.join(LOSSES)}")
    return parts


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


def _times(value: int) -> int:
    # A plain integer: sums of losses are longer than those of numpy.
    times = 0 if isinstance(value, bool) or not hasattr(value, "__index__") else operator.index(value)
    if not 1 <= times <= MOST_TIMES:
        raise OptionError(f"a loss is spent a whole number of times, at least once, at most {MOST_TIMES:,}")
    return times
