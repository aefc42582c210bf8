"""Where a release meets a ledger: its loss is spent before the first record is read."""

from __future__ import annotations

import os
from collections.abc import Iterable

from discreet.accounting import Part
from discreet.accounting.adjacency import Adjacency
from discreet.errors import OptionError
from discreet.ledger.accounts import Reservation
from discreet.ledger.ledger import Ledger


def reserve(
    where: object,
    account: str | None,
    losses: Iterable[Part],
    what: str,
    adjacency: Adjacency,
    void: str | None,
) -> Reservation | None:
    """Spend losses, release by release, if a ledger is to pay for them.

    Parameters
    ----------
    where : Ledger or path or None
        The ledger; with ``account``, or neither.
    account : str or None
        Which of its accounts.
    losses : iterable of (loss, int)
        What is going to be released.
    what : str
        For readers of the ledger.
    adjacency : {"replace", "add-remove"}
        The neighbours that the losses are about.
    void : str or None
        Why there is no guarantee, if there is none: a ledger then has nothing to record.
    """
    if where is None and account is None:
        return None
    if where is None or account is None:
        raise OptionError("ledger and account go together: which ledger, and which of its accounts")
    if void is not None:
        raise OptionError(f"a fit without a guarantee ({void}) is not for a ledger")
    if not isinstance(where, Ledger | str | os.PathLike):
        raise OptionError("ledger must be a Ledger, or the address of one")
    ledger = where if isinstance(where, Ledger) else Ledger(where, create=False)
    return ledger.reserve(account, losses, what, adjacency)
