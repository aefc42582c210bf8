"""Events in one SQLite file: durable when a transaction ends, one writer at a time."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from discreet.errors import LedgerDamaged, LedgerError, LedgerUnavailable
from discreet.ledger.store import FORMAT, SCHEMA, Execute

APPLICATION = 0x64736372
"""Marks the file as a ledger of discreet, in the place that SQLite has for it."""

BUSY_PAUSES = 0.001, 0.016
"""Seconds, the first and the longest: a crowd that asks more often slows the one that it waits for."""
BUSY_SECONDS = 60.0
"""How long a spend waits for other processes; each of them needs milliseconds."""

# Events are never changed or removed by discreet; this stops a slip with another program, not an attacker.
_APPEND_ONLY = tuple(
    f"CREATE TRIGGER no_{what.lower()} BEFORE {what} ON events "
    "BEGIN SELECT RAISE(ABORT, 'events are only ever appended'); END"
    for what in ("UPDATE", "DELETE")
)

_PROBLEMS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "the file or its folder is read-only",
    "SQLITE_BUSY": "another process has held it for too long",
    "SQLITE_LOCKED": "another process has held it for too long",
    "SQLITE_CANTOPEN": "it cannot be opened; is there such a folder, and may you write to it?",
    "SQLITE_IOERR": "the disk cannot be read or written",
    "SQLITE_PERM": "there is no permission",
}


class SQLiteStore:
    """A ledger file.

    Parameters
    ----------
    path : path
        The file. Its folder must be on a local disk: SQLite's locks do not hold on network drives.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path).absolute()
        self.address = str(self._path)
        self.name = repr(os.fspath(path))
        self._connection: sqlite3.Connection | None = None

    @property
    def connected(self) -> bool:
        """Whether the file is open."""
        return self._connection is not None

    def connect(self, create: bool) -> None:
        """Open the file."""
        if not create and not self._path.exists():
            raise LedgerUnavailable(f"there is no ledger {self.name}")
        mode = "rwc" if create else "rw"
        with self._translated():
            self._connection = sqlite3.connect(
                f"{self._path.as_uri()}?mode={mode}",
                uri=True,
                timeout=0,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                self._prepare(create)
                self._file = self._identity()
            except BaseException:
                self.close()
                raise

    @contextmanager
    def exclusive(self) -> Iterator[Execute]:
        """Begin a transaction that no other writer overlaps."""
        with self._transaction("BEGIN IMMEDIATE") as execute:
            self._refuse_another_file()
            yield execute

    @contextmanager
    def snapshot(self) -> Iterator[Execute]:
        """Begin a transaction that only reads."""
        with self._transaction("BEGIN") as execute:
            self._refuse_another_file()
            yield execute

    def now(self, execute: Execute) -> datetime:
        """Return the time of this machine, which all writers are on."""
        return datetime.now(UTC)

    def check(self) -> None:
        """Run SQLite's own check of its pages and indexes."""
        with self._translated():
            if self._execute("PRAGMA integrity_check", ()) != [("ok",)]:
                raise LedgerDamaged(f"the file of ledger {self.name} is damaged")

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _prepare(self, create: bool) -> None:
        if create and self._pragma("application_id") == 0 and self._is_empty():
            with self._transaction("BEGIN IMMEDIATE") as execute:
                if self._is_empty():
                    for statement in (*SCHEMA, *_APPEND_ONLY):
                        execute(statement, ())
                    execute(f"PRAGMA application_id = {APPLICATION}", ())
                    execute(f"PRAGMA user_version = {FORMAT}", ())
        if self._pragma("application_id") != APPLICATION:
            raise LedgerDamaged(f"{self.name} is not a ledger of discreet")
        version = self._pragma("user_version")
        if version != FORMAT:
            raise LedgerError(
                f"ledger {self.name} has version {version}; this discreet reads version {FORMAT}"
            )
        if self._execute("PRAGMA journal_mode = WAL", ()) != [("wal",)]:
            raise LedgerUnavailable(f"ledger {self.name}: its folder is not on a disk that SQLite can share")
        # A transaction has reached the disk before it counts as done, also if the power fails.
        self._execute("PRAGMA synchronous = FULL", ())
        self._execute("PRAGMA fullfsync = ON", ())

    def _identity(self) -> tuple[int, int]:
        """Tell the file from any other; by a second name, SQLite would keep a second log beside it."""
        try:
            status = self._path.stat()
        except OSError:
            raise LedgerUnavailable(f"ledger {self.name} was moved or removed while it was open") from None
        if status.st_nlink > 1:
            raise LedgerUnavailable(f"ledger {self.name} has a second name, a hard link; remove one of them")
        return status.st_dev, status.st_ino

    def _refuse_another_file(self) -> None:
        """Refuse what would go to a file that nobody finds any more."""
        if self._identity() != self._file:
            raise LedgerUnavailable(f"ledger {self.name} was replaced while it was open; open it again")

    def _is_empty(self) -> bool:
        return not self._execute("SELECT 1 FROM sqlite_master LIMIT 1", ())

    def _pragma(self, name: str) -> Any:
        return self._execute(f"PRAGMA {name}", ())[0][0]

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Execute]:
        assert self._connection is not None
        with self._translated():
            try:
                self._execute(begin, ())
                yield self._execute
                self._execute("COMMIT", ())
            except BaseException:
                # After a full disk, SQLite may have ended the transaction by itself.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _execute(self, statement: str, parameters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Run one statement; while another process writes, try again.

        SQLite's own waiting backs off to a tenth of a second, which wastes most of a busy ledger's time.
        """
        assert self._connection is not None
        deadline = time.monotonic() + BUSY_SECONDS
        pause, longest = BUSY_PAUSES
        while True:
            try:
                return self._connection.execute(statement, parameters).fetchall()
            except sqlite3.OperationalError as error:
                if not _code(error).startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, longest)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn SQLite's exceptions into those of discreet."""
        try:
            yield
        except sqlite3.Error as error:
            known = next((text for name, text in _PROBLEMS.items() if _code(error).startswith(name)), None)
            if known is not None:
                raise LedgerUnavailable(f"ledger {self.name}: {known}") from None
            raise LedgerDamaged(f"the file of ledger {self.name} is damaged, or is not a ledger") from None


def _code(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", "")
