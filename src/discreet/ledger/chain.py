"""Checks a ledger as a whole: the chain of digests, and every total and cap once more."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from discreet.accounting.privacy_filter import PrivacyFilter, Spent
from discreet.errors import LedgerDamaged, OptionError
from discreet.ledger.events import GENESIS, Committed, Event, Opened, Reserved, read_event


@dataclass(frozen=True)
class Chain:
    """A ledger that was found to be whole.

    Parameters
    ----------
    events : int
        How many events it has.
    head : str
        The digest of the last one, which depends on all. Kept elsewhere, it is an anchor.
    digests : frozenset of str
        Those of all events, and what stands before the first: all anchors that it is true to.
    """

    events: int
    head: str
    digests: frozenset[str] = field(repr=False)


@dataclass
class _Account:
    rule: PrivacyFilter
    spent: Spent = field(default_factory=Spent)
    open_spends: set[int] = field(default_factory=set)


def replayed(rows: Iterable[tuple[Any, ...]]) -> Chain:
    """Go through all events from the first, as (sequence, kind, account, spend, body, digest).

    Raises
    ------
    LedgerDamaged
        An event is missing, was edited, or should never have been admitted.
    """
    accounts: dict[str, _Account] = {}
    head, digests, before, count = GENESIS, {GENESIS}, datetime.min.replace(tzinfo=UTC), 0
    for count, (sequence, kind, account, spend, body, digest) in enumerate(rows, start=1):
        event = read_event(body, digest)
        committed = event.what.spend if isinstance(event.what, Committed) else None
        if (event.sequence, event.kind, event.account, committed) != (sequence, kind, account, spend):
            raise LedgerDamaged(f"event {count} of the ledger differs from its own columns")
        if sequence != count or event.previous != head or event.time < before:
            raise LedgerDamaged(f"the ledger's chain is broken at event {count}")
        _apply(accounts, event)
        head, before = digest, event.time
        digests.add(digest)
    return Chain(count, head, frozenset(digests))


def _apply(accounts: dict[str, _Account], event: Event) -> None:
    known, what = accounts.get(event.account), event.what
    if isinstance(what, Opened):
        if known is not None:
            raise LedgerDamaged(f"account {event.account!r} was opened twice")
        accounts[event.account] = _Account(what.filter)
    elif known is None:
        raise LedgerDamaged(f"event {event.sequence} is about an account that was not opened")
    elif isinstance(what, Reserved):
        known.spent = _recomputed(known, what)
        if known.spent != what.after or not known.rule.admits(known.spent):
            raise LedgerDamaged(f"spend {event.sequence} does not add up, or is over the cap")
        known.open_spends.add(event.sequence)
    elif what.spend in known.open_spends:
        known.open_spends.remove(what.spend)
    else:
        raise LedgerDamaged(f"event {event.sequence} commits what was not reserved")


def _recomputed(account: _Account, what: Reserved) -> Spent:
    try:
        return account.rule.after(account.spent, [loss.restored() for loss in what.losses])
    except OptionError:
        raise LedgerDamaged("a spend has a loss that its account does not take") from None
