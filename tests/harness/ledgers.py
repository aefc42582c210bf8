"""Ledgers as somebody with a database tool sees them: rows that can be edited."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from discreet.accounting import PureDP
from discreet.ledger.events import LOSSES

MIXED = next(kind for kind in LOSSES.values() if kind is not PureDP)
"""A kind of loss that accounts with delta above 0 take only."""

Run = Callable[[str], list[tuple[Any, ...]]]
COLUMNS = ("sequence", "kind", "account", "spend", "body", "digest")


@contextmanager
def tool(where: str | Path, *, guards: bool = False) -> Iterator[Run]:
    """Run SQL on the tables of a ledger, in either back end; without `guards` the triggers are off."""
    if str(where).startswith("postgresql"):
        import psycopg

        with psycopg.connect(str(where), autocommit=True) as server:
            server.execute("SET search_path = discreet_ledger")
            if not guards:
                server.execute("ALTER TABLE events DISABLE TRIGGER USER")

            def run(statement: str) -> list[tuple[Any, ...]]:
                cursor = server.execute(statement)
                return cursor.fetchall() if cursor.description else []

            yield run
            if not guards:
                server.execute("ALTER TABLE events ENABLE TRIGGER USER")
        return
    with closing(sqlite3.connect(where, isolation_level=None)) as file:
        triggers = file.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        if not guards:
            for name, _ in triggers:
                file.execute(f"DROP TRIGGER {name}")
        yield lambda statement: file.execute(statement).fetchall()
        if not guards:
            for _, text in triggers:
                file.execute(text)


def rows_of(run: Run) -> list[dict[str, Any]]:
    """Return all events, each body as what its JSON says."""
    rows = run(f"SELECT {', '.join(COLUMNS)} FROM events ORDER BY sequence")
    return [dict(zip(COLUMNS, row, strict=True)) | {"body": json.loads(row[4])} for row in rows]


def rewritten(run: Run, rows: list[dict[str, Any]], first: int = 1) -> None:
    """Replace all events by others, with columns, numbers and digests that fit: a forger who knows how."""
    run("DELETE FROM events")
    previous = "0" * 64
    for sequence, row in enumerate(rows, start=first):
        event = row["body"] | {"sequence": sequence, "previous": previous}
        body = json.dumps(event, separators=(",", ":"))
        previous = hashlib.sha256(body.encode()).hexdigest()
        what = event["what"]
        spend = what["spend"] if what["type"] == "committed" else "NULL"
        values = f"{sequence}, '{what['type']}', '{event['account']}', {spend}, '{body}', '{previous}'"
        run(f"INSERT INTO events (sequence, kind, account, spend, body, digest) VALUES ({values})")
