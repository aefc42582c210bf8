"""The ledger: accounts with a budget that cannot be overspent, also across crashes and processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Self

import pandas as pd

from discreet.accounting import Part, show
from discreet.accounting.adjacency import Adjacency
from discreet.accounting.privacy_filter import PrivacyFilter, Remaining, Spent
from discreet.errors import BudgetExceeded, LedgerDamaged, LedgerError, OptionError
from discreet.ledger import store
from discreet.ledger.accounts import Account, Reservation
from discreet.ledger.chain import Chain, replayed
from discreet.ledger.events import GENESIS, Committed, Event, Opened, Reserved, What
from discreet.ledger.history import frame, shown_down
from discreet.ledger.opening import (
    checked_account,
    checked_adjacency,
    checked_cap,
    checked_losses,
    checked_text,
    store_at,
)
from discreet.ledger.shared import Shared
from discreet.ledger.store import Execute

CLOCK_SLACK = timedelta(minutes=1)
"""Clocks are corrected by a little now and then; an event then takes the time of the one before."""


class Ledger:
    """A durable privacy budget, kept in accounts.

    A fit reserves its loss before it reads a record, and commits before it lets anything out. What was
    reserved stays spent, whatever happens afterwards: a crash costs budget, never privacy. Threads may
    share a Ledger, and any number of processes may open the same one; a forked child opens its own.
    A Ledger that was closed, or read from a pickle, opens again when it is used.

    Parameters
    ----------
    where : path or str
        A file, for which SQLite is used; it must be on a local disk. Or a PostgreSQL address,
        ``postgresql://user@host/database``, which needs ``pip install "discreet[postgres]"``. Its password
        is better kept in ``~/.pgpass`` than in the address: pickles and copies do not carry it.
    create : bool, default True
        Whether to begin a new ledger where there is none.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from discreet import Ledger
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "budget.db"
    >>> ledger = Ledger(path)
    >>> ledger.open_account("survey", epsilon=2, delta=0, description="the survey of 2026")
    >>> ledger.remaining("survey").epsilon
    2.0
    """

    def __init__(self, where: str | os.PathLike[str], *, create: bool = True) -> None:
        self._shared = Shared(store_at(where))
        with self._shared.held(create=create):
            pass

    def open_account(
        self,
        name: str,
        epsilon: float,
        delta: float,
        description: str = "",
        adjacency: Adjacency = "replace",
    ) -> None:
        """Begin an account with a fixed budget; nothing can change it later.

        Parameters
        ----------
        name : str
            What the account is called, once and for all.
        epsilon, delta : float
            The budget. With delta 0 the account takes purely private spends only, and adds them up.
        description : str
            For readers of the ledger: which table it is about.
        adjacency : {"replace", "add-remove"}, default "replace"
            Which tables count as neighbours. Guarantees about different neighbours do not add up, so the
            account takes spends of its own kind only.
        """
        checked_account(name)
        checked_text(description, "description")
        checked_adjacency(adjacency)
        opened = Opened.under(checked_cap(epsilon, delta), adjacency, description)
        with self._shared.exclusive() as execute:
            if store.last_of(execute, name, "opened") is not None:
                raise LedgerError(f"account {name!r} exists already; a budget is not opened twice")
            self._append(execute, name, opened)

    def reserve(
        self,
        account: str,
        losses: Iterable[Part],
        what: str,
        adjacency: Adjacency = "replace",
    ) -> Reservation:
        """Spend from an account, before anything is read that the spend is for.

        What is going to be released is fixed when it is reserved, as a fit does it; or it is released before
        the next spend of the account is reserved. Spends are charged in the order of their reservations
        (docs/proofs/privacy-filter.md).

        Parameters
        ----------
        account : str
            Whose budget.
        losses : iterable of (loss, int)
            Each loss, and how often it is spent.
        what : str
            For readers of the ledger: what is done with it. Public facts only.
        adjacency : {"replace", "add-remove"}, default "replace"
            The neighbours that the losses are about.

        Returns
        -------
        Reservation
            To be committed before anything is released.

        Raises
        ------
        BudgetExceeded
            The account has less left. Nothing was spent.
        """
        checked_text(what, "what")
        parts = checked_losses(losses)
        with self._shared.exclusive() as execute:
            opened, spent = self._standing(execute, account)
            if opened.adjacency != adjacency:
                raise OptionError(
                    f"account {account!r} is about neighbours by {opened.adjacency!r}, "
                    f"the spend about those by {adjacency!r}"
                )
            rule = opened.filter
            after = rule.after(spent, parts)
            if not rule.admits(after):
                raise _exceeded(account, rule, spent)
            event, digest = self._append(execute, account, Reserved.of(what, parts, after))
        return Reservation(account, event.sequence, partial(self._commit, account, event.sequence, digest))

    def remaining(self, account: str) -> Remaining:
        """Return what an account has left."""
        with self._shared.snapshot() as execute:
            opened, spent = self._standing(execute, account)
        return opened.filter.remaining(spent)

    def history(self, account: str) -> pd.DataFrame:
        """Return a frame with one row for each spend: its number, when, what, which loss, which state."""
        with self._shared.snapshot() as execute:
            self._opened(execute, account)
            return frame(store.events_of(execute, account))

    def accounts(self) -> list[str]:
        """Return the names of the accounts, oldest first."""
        with self._shared.snapshot() as execute:
            return store.account_names(execute)

    def account(self, name: str) -> Account:
        """Return what an account was opened with."""
        with self._shared.snapshot() as execute:
            opened = self._opened(execute, name)
        return Account(name, opened.epsilon, opened.delta, opened.adjacency, opened.description)

    def verify(self, anchor: str | None = None) -> Chain:
        """Read the whole ledger, and check every event, total and cap.

        Parameters
        ----------
        anchor : str, optional
            The ``head`` that an earlier ``verify`` gave, and that was kept elsewhere. A copy of the ledger
            from before that moment does not have it.

        Returns
        -------
        Chain
            How many events there are, and the digest of the last one: the anchor for the next time.

        Raises
        ------
        LedgerDamaged
            The ledger was edited, cut or rolled back.
        """
        with self._shared.held() as held:
            held.check()
            with held.snapshot() as execute:
                chain = replayed(store.stored(execute))
        if anchor is not None and anchor not in chain.digests:
            raise LedgerDamaged(
                "the ledger does not contain the anchor: it was rolled back to a copy from before, "
                "was written anew, or is another ledger"
            )
        return chain

    def export(self) -> str:
        """Return all events as JSON, one a line, oldest first: for an archive, and for other programs."""
        with self._shared.snapshot() as execute:
            return "".join(f"{row[4]}\n" for row in store.stored(execute))

    def close(self) -> None:
        """Let go of the file or the connection."""
        self._shared.close()

    def _commit(self, account: str, spend: int, digest: str) -> None:
        with self._shared.exclusive() as execute:
            # A ledger that was rolled back meanwhile would not account for what is about to be released.
            if store.digest_at(execute, spend) != digest:
                raise LedgerDamaged(
                    f"the ledger lost spend {spend}, which was reserved; nothing may be released"
                )
            if store.is_committed(execute, spend):
                raise LedgerError(f"spend {spend} was committed before; reserve anew for another release")
            self._append(execute, account, Committed(spend))

    def _opened(self, execute: Execute, account: str) -> Opened:
        checked_account(account)
        event = store.last_of(execute, account, "opened")
        if event is None:
            raise LedgerError(
                f"ledger {self._shared.store.name} has no account {account!r}; open it with its budget first"
            )
        assert isinstance(event.what, Opened)
        return event.what

    def _standing(self, execute: Execute, account: str) -> tuple[Opened, Spent]:
        opened = self._opened(execute, account)
        event = store.last_of(execute, account, "reserved")
        return opened, event.what.after if event and isinstance(event.what, Reserved) else Spent()

    def _append(self, execute: Execute, account: str, what: What) -> tuple[Event, str]:
        now, newest = self._shared.store.now(execute), store.last(execute)
        if newest is None:
            event = Event(1, now, account, what, GENESIS)
        else:
            before, head = newest
            event = Event(before.sequence + 1, _not_before(before.time, now), account, what, head)
        digest = store.append(execute, event, what.spend if isinstance(what, Committed) else None)
        return event, digest

    @property
    def address(self) -> str:
        """Where it is: a path, or the address of a server without a password."""
        return self._shared.store.address

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # scikit-learn's clone copies parameters deeply; all copies mean the one ledger.
        return self

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _found_again, (self.address,)

    def __repr__(self) -> str:
        return f"Ledger({self._shared.store.name})"


def _found_again(address: str) -> Ledger:
    """Stand for a ledger that a pickle names; where a model was handed on to, there may be none."""
    ledger = Ledger.__new__(Ledger)
    ledger._shared = Shared(store_at(address))
    return ledger


def _not_before(earlier: datetime, now: datetime) -> datetime:
    if now < earlier - CLOCK_SLACK:
        raise LedgerError("the clock was set back behind the ledger's last event; correct it and try again")
    return max(earlier, now)


def _exceeded(account: str, rule: PrivacyFilter, spent: Spent) -> BudgetExceeded:
    left = rule.remaining(spent)
    at = f" at delta = {show(left.delta)}" if left.delta else ""
    pure = f" (epsilon = {shown_down(left.pure_epsilon)} for a pure spend)" if left.delta else ""
    return BudgetExceeded(
        f"account {account!r} has epsilon = {shown_down(left.epsilon)}{at} left{pure}; this spend needs "
        "more, and nothing was spent"
    )
