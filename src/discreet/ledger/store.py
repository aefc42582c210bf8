"""Where events are kept: what a back end does, and the few questions that are asked of it in SQL."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from discreet.errors import LedgerDamaged
from discreet.ledger.events import Event, read_event

FORMAT = 1
"""Of the tables and the events."""

Execute: TypeAlias = Callable[[str, tuple[Any, ...]], list[tuple[Any, ...]]]
"""Runs one statement with ? for parameters, and returns its rows."""

SCHEMA = (
    """CREATE TABLE events (
        sequence BIGINT PRIMARY KEY,
        kind TEXT NOT NULL,
        account TEXT NOT NULL,
        spend BIGINT,
        body TEXT NOT NULL,
        digest TEXT NOT NULL
    )""",
    "CREATE INDEX events_by_account ON events (account, kind, sequence)",
    # Beside the checks in Python: no account opens twice, no spend commits twice.
    "CREATE UNIQUE INDEX opened_once ON events (account) WHERE kind = 'opened'",
    "CREATE UNIQUE INDEX committed_once ON events (spend) WHERE kind = 'committed'",
)


class Store(Protocol):
    """A durable place for events; one transaction at a time (see `shared`)."""

    @property
    def address(self) -> str:
        """Where this process or another finds it again; without a password."""
        ...

    @property
    def name(self) -> str:
        """What messages call it; without a password."""
        ...

    @property
    def connected(self) -> bool:
        """Whether it can be used; if not, it has to be connected first, or again."""
        ...

    def connect(self, create: bool) -> None:
        """Open the storage, and begin a new ledger there if there is none and that is wanted."""
        ...

    def exclusive(self) -> AbstractContextManager[Execute]:
        """Begin a transaction that no other writer overlaps; durable when the block ends without error."""
        ...

    def snapshot(self) -> AbstractContextManager[Execute]:
        """Begin a transaction that only reads, all of it from one moment."""
        ...

    def now(self, execute: Execute) -> datetime:
        """Return the time of the clock that all writers share, in UTC."""
        ...

    def check(self) -> None:
        """Check the storage itself, below the events, as far as the back end can."""
        ...

    def close(self) -> None:
        """Let go of the storage."""
        ...


def append(execute: Execute, event: Event, spend: int | None) -> str:
    """Write one event, and return its digest."""
    body, digest = event.written()
    execute(
        "INSERT INTO events (sequence, kind, account, spend, body, digest) VALUES (?, ?, ?, ?, ?, ?)",
        (event.sequence, event.kind, event.account, spend, body, digest),
    )
    return digest


def last(execute: Execute) -> tuple[Event, str] | None:
    """Return the newest event of the ledger, and its digest."""
    rows = execute("SELECT body, digest FROM events ORDER BY sequence DESC LIMIT 1", ())
    return (read_event(*rows[0]), rows[0][1]) if rows else None


def last_of(execute: Execute, account: str, kind: str) -> Event | None:
    """Return the newest event of one kind in an account."""
    rows = execute(
        "SELECT body, digest FROM events WHERE account = ? AND kind = ? ORDER BY sequence DESC LIMIT 1",
        (account, kind),
    )
    if not rows:
        return None
    event = read_event(*rows[0])
    if (event.account, event.kind) != (account, kind):
        raise LedgerDamaged(f"event {event.sequence} of the ledger differs from its own columns")
    return event


def digest_at(execute: Execute, sequence: int) -> str | None:
    """Return the digest of one event, if there is such an event."""
    rows = execute("SELECT digest FROM events WHERE sequence = ?", (sequence,))
    return str(rows[0][0]) if rows else None


def is_committed(execute: Execute, spend: int) -> bool:
    """Tell whether a spend was committed."""
    return bool(execute("SELECT 1 FROM events WHERE kind = 'committed' AND spend = ?", (spend,)))


def stored(execute: Execute) -> list[tuple[Any, ...]]:
    """Return sequence, kind, account, spend, body, digest of every event, oldest first."""
    return execute("SELECT sequence, kind, account, spend, body, digest FROM events ORDER BY sequence", ())


def events_of(execute: Execute, account: str) -> list[Event]:
    """Return the events of one account, oldest first."""
    rows = execute("SELECT body, digest FROM events WHERE account = ? ORDER BY sequence", (account,))
    return [read_event(*row) for row in rows]


def account_names(execute: Execute) -> list[str]:
    """Return the accounts in the order in which they were opened."""
    return [
        row[0] for row in execute("SELECT account FROM events WHERE kind = 'opened' ORDER BY sequence", ())
    ]
