"""Events in a PostgreSQL database: durable when a transaction ends, one writer at a time.

All of it stands in a schema of its own. Roles that may only select and insert there can use the ledger; the
database then keeps them from changing or removing events.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from discreet.errors import LedgerDamaged, LedgerError, LedgerUnavailable, OptionError
from discreet.ledger.store import FORMAT, SCHEMA, Execute

if TYPE_CHECKING:
    import psycopg

PREFIXES = ("postgresql://", "postgres://")
_LOCK = 0x64736372
"""The number of the advisory lock that writers take in turn."""

_SETTINGS = """
    SET LOCAL search_path = discreet_ledger, pg_temp;
    SET LOCAL synchronous_commit = on;
    SET LOCAL lock_timeout = '60s';
"""
# Each statement must see what the writer before has committed while this one waited for the lock; a snapshot
# of the whole transaction would be from before the wait.
_EXCLUSIVE = (
    f"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; {_SETTINGS} SELECT pg_advisory_xact_lock({_LOCK})"
)
_SNAPSHOT = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {_SETTINGS}"

# The catalogues, and not functions such as to_regclass, which answer from a cache.
_OUR_SCHEMA = "SELECT 1 FROM pg_namespace WHERE nspname = 'discreet_ledger'"
_OUR_FORMAT = "SELECT 1 FROM pg_tables WHERE schemaname = 'discreet_ledger' AND tablename = 'format'"

_CREATE = (
    "CREATE SCHEMA discreet_ledger",
    *SCHEMA,
    "CREATE TABLE format (version INTEGER NOT NULL)",
    # Like the triggers of a ledger file: this stops a slip, not an owner of the database.
    """CREATE FUNCTION only_append() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'events are only ever appended'; END $$""",
    "CREATE TRIGGER only_append BEFORE UPDATE OR DELETE OR TRUNCATE ON events EXECUTE FUNCTION only_append()",
    f"INSERT INTO format VALUES ({FORMAT})",
)

# By the beginnings of SQLSTATE codes.
_PROBLEMS = {
    "28": "the server refuses the user or the password",
    "3D": "the server has no such database",
    "42501": "the user has no permission",
    "25006": "the database is read-only",
    "53100": "the server's disk is full",
    "53": "the server has no resources left",
    "55P03": "another process has held it for too long",
    "57": "the server was stopped, or cancelled the request",
}


class PostgresStore:
    """A ledger in a database.

    Parameters
    ----------
    address : str
        A URI of PostgreSQL. What it does not say comes from where all clients of PostgreSQL look: the
        environment, ``~/.pgpass``.
    """

    def __init__(self, address: str) -> None:
        self._conninfo = address
        self.address = _without_password(address)
        self.name = repr(self.address)
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None

    @property
    def connected(self) -> bool:
        """Whether there is a connection, as far as is known."""
        return self._connection is not None and not self._connection.closed

    def connect(self, create: bool) -> None:
        """Connect to the server."""
        psycopg = self._driver()
        problem: LedgerError | None = None
        try:
            self._connection = psycopg.connect(self._conninfo, autocommit=True)
        except psycopg.Error as error:
            problem = self._problem(error.sqlstate)
        if problem is not None:
            # Raised out here: an exception in its context may show the password, which tools could print.
            raise problem
        try:
            self._prepare(create)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def exclusive(self) -> Iterator[Execute]:
        """Begin a transaction that no other writer overlaps."""
        with self._transaction(_EXCLUSIVE) as execute:
            yield execute

    @contextmanager
    def snapshot(self) -> Iterator[Execute]:
        """Begin a transaction that only reads."""
        with self._transaction(_SNAPSHOT) as execute:
            yield execute

    def now(self, execute: Execute) -> datetime:
        """Return the time of the server."""
        ((microseconds,),) = execute(
            "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint", ()
        )
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)

    def check(self) -> None:
        """Compare the table with its index; pages are for the server's own tools (pg_amcheck)."""
        with self.snapshot() as execute:
            execute("SET LOCAL enable_seqscan = off", ())
            by_index = execute("SELECT sequence FROM events ORDER BY sequence", ())
            execute("SET LOCAL enable_seqscan = on", ())
            for kind in ("indexscan", "indexonlyscan", "bitmapscan"):
                execute(f"SET LOCAL enable_{kind} = off", ())
            by_table = execute("SELECT sequence FROM events ORDER BY sequence", ())
        if by_index != by_table:
            raise LedgerDamaged(f"an index of ledger {self.name} is damaged")

    def close(self) -> None:
        """Disconnect."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _prepare(self, create: bool) -> None:
        with self.snapshot() as execute:
            if execute("SHOW fsync", ()) != [("on",)]:
                raise LedgerUnavailable(
                    f"ledger {self.name}: its server runs with fsync off, where a crash may undo a spend"
                )
            there = execute(_OUR_SCHEMA, ())
        if not there and create:
            with self.exclusive() as execute:
                if not execute(_OUR_SCHEMA, ()):
                    for statement in _CREATE:
                        execute(statement, ())
        with self.snapshot() as execute:
            if not execute(_OUR_SCHEMA, ()):
                raise LedgerUnavailable(f"there is no ledger in {self.name}")
            if not execute(_OUR_FORMAT, ()):
                raise LedgerDamaged(f"{self.name} is not a ledger of discreet")
            ((version,),) = execute("SELECT version FROM format", ())
        if version != FORMAT:
            raise LedgerError(
                f"ledger {self.name} has version {version}; this discreet reads version {FORMAT}"
            )

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Execute]:
        assert self._connection is not None
        with self._translated():
            try:
                self._connection.execute(begin)
                yield self._execute
                # A transaction that failed is answered by ROLLBACK, and not by an error.
                if self._connection.execute("COMMIT").statusmessage != "COMMIT":
                    raise LedgerUnavailable(f"ledger {self.name}: the server did not commit")
            except BaseException:
                # What cannot be rolled back is cut off; the server then rolls it back.
                with suppress(self._driver().Error):
                    self._connection.execute("ROLLBACK")
                if self._connection.info.transaction_status != 0:
                    self._connection.close()
                raise

    def _execute(self, statement: str, parameters: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        assert self._connection is not None
        cursor = self._connection.execute(statement.replace("?", "%s"), parameters or None)
        return cursor.fetchall() if cursor.description else []

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn psycopg's exceptions into those of discreet."""
        try:
            yield
        except self._driver().Error as error:
            raise self._problem(error.sqlstate) from None

    def _problem(self, code: str | None) -> LedgerError:
        code = code or ""
        if code.startswith("XX"):
            return LedgerDamaged(f"the database of ledger {self.name} is damaged (SQLSTATE {code})")
        known = next((text for start, text in _PROBLEMS.items() if code.startswith(start)), None)
        unknown = f"the server refuses (SQLSTATE {code})" if code else "the server cannot be reached"
        return LedgerUnavailable(f"ledger {self.name}: {known or unknown}")

    def _driver(self) -> ModuleType:
        try:
            return importlib.import_module("psycopg")
        except ImportError:
            pass
        raise LedgerUnavailable('a ledger in PostgreSQL needs psycopg: pip install "discreet[postgres]"')


def _without_password(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = None
    # An @ elsewhere means that a password with a slash or the like was cut in two.
    if parts is None or "@" in parts.path + parts.query + parts.fragment:
        raise OptionError(
            "the address of the PostgreSQL server is no URI: signs such as @, /, ? and # in a user or a "
            "password are written as %40, %2F, %3F, %23"
        )
    user, at, hosts = parts.netloc.rpartition("@")
    kept = [(key, value) for key, value in parse_qsl(parts.query) if "password" not in key]
    query = f"?{urlencode(kept, quote_via=quote)}" if kept else ""
    return f"{parts.scheme}://{user.partition(':')[0]}{at}{hosts}{parts.path}{query}"
