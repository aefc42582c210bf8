"""One store for the threads of one process."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from discreet.errors import LedgerError
from discreet.ledger.store import Execute, Store


class Shared:
    """Hands out a store to one thread at a time, and to no forked child.

    Parent and child would share one connection after a fork, and each other's transactions with it. A store
    that was closed, or lost its server, is connected again when it is next used.

    Parameters
    ----------
    store : Store
        Not yet connected.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._process = os.getpid()
        self._lock = threading.Lock()

    @contextmanager
    def held(self, *, create: bool = False) -> Iterator[Store]:
        """Keep the store, connected, from other threads."""
        self._refuse_after_fork()
        with self._lock:
            if not self.store.connected:
                self.store.connect(create)
            yield self.store

    @contextmanager
    def exclusive(self) -> Iterator[Execute]:
        """Begin a transaction that may write."""
        with self.held() as store, store.exclusive() as execute:
            yield execute

    @contextmanager
    def snapshot(self) -> Iterator[Execute]:
        """Begin a transaction that only reads."""
        with self.held() as store, store.snapshot() as execute:
            yield execute

    def close(self) -> None:
        """Disconnect."""
        self._refuse_after_fork()
        with self._lock:
            self.store.close()

    def __del__(self) -> None:
        # In a forked child the connection is the parent's.
        if os.getpid() == self._process:
            self.store.close()

    def _refuse_after_fork(self) -> None:
        if os.getpid() != self._process:
            raise LedgerError("this Ledger was opened before a fork; open it again in the child process")
