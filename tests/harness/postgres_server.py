"""A PostgreSQL server of the tests' own: `with running() as server: server.new_database()`.

It listens on a Unix socket only, in a folder of its own, which goes when it stops. As root, it runs as the
user postgres, because initdb refuses root.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

PASSWORD = "zq7password"
_USER = "postgres"


def missing() -> str | None:
    """Say why no server can be started here; None if one can."""
    if _programs() is None:
        return "PostgreSQL is not installed (apt-get install postgresql)"
    if os.geteuid() == 0 and not _has_user():
        return "there is no user postgres, and a PostgreSQL server does not run as root"
    return None


@dataclass
class Server:
    """A running server."""

    folder: Path
    numbers: Iterator[int] = field(default_factory=count)

    def address(self, database: str, user: str = _USER, password: str = PASSWORD) -> str:
        return f"postgresql://{user}:{password}@/{database}?host={quote(str(self.folder), safe='')}"

    def new_database(self) -> str:
        """Create an empty database, and return its address."""
        name = f"ledger{next(self.numbers)}"
        self.run(f"CREATE DATABASE {name}")
        return self.address(name)

    def run(self, statement: str, database: str = _USER) -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(self.address(database), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def start(self, *options: str) -> None:
        settings = f"-c listen_addresses= -c unix_socket_directories={self.folder} {' '.join(options)}"
        _run(
            "pg_ctl",
            "start",
            "-w",
            "-s",
            "-D",
            self.folder / "data",
            "-o",
            settings,
            "-l",
            self.folder / "log",
        )

    def stop(self, mode: str = "fast") -> None:
        """Stop it; mode "immediate" is a crash."""
        _run("pg_ctl", "stop", "-w", "-s", "-D", self.folder / "data", "-m", mode)


@contextmanager
def running() -> Iterator[Server]:
    """Start a server in a folder of its own."""
    # Not pytest's folder: only root could enter it.
    folder = Path(tempfile.mkdtemp(prefix="discreet-postgres-"))
    try:
        (folder / "password").write_text(PASSWORD)
        if os.geteuid() == 0:
            for path in (folder, folder / "password"):
                shutil.chown(path, _USER, _USER)
        secret = f"--pwfile={folder / 'password'}"
        _run("initdb", "-D", folder / "data", "-U", _USER, "-A", "scram-sha-256", secret, "-E", "UTF8")
        server = Server(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
    finally:
        shutil.rmtree(folder)


def _run(program: str, *words: object) -> None:
    programs = _programs()
    assert programs is not None
    account: dict[str, Any] = {}
    if os.geteuid() == 0:
        account = {"user": _USER, "group": _USER, "extra_groups": []}
    subprocess.run(
        [programs / program, *map(str, words)],
        check=True,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        **account,
    )


def _programs() -> Path | None:
    """Find the newest server of Debian's packages, or one on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    on_path = shutil.which("initdb")
    if on_path:
        found.append(Path(on_path))
    return found[-1].parent if found else None


def _has_user() -> bool:
    try:
        pwd.getpwnam(_USER)
    except KeyError:
        return False
    return True
