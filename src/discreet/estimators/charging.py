"""Where a plan meets a ledger: the loss is spent before the first record is read."""

from __future__ import annotations

import os
from typing import Any

from discreet.boosting.plan import Plan
from discreet.errors import OptionError
from discreet.ledger.accounts import Reservation
from discreet.ledger.ledger import Ledger


def reserve(options: dict[str, Any], plan: Plan, estimator: str, void: str | None) -> Reservation | None:
    """Spend what a plan costs, release by release, if the options name a ledger.

    Parameters
    ----------
    options : dict
        The estimator's, with ``ledger`` and ``account``: both, or neither.
    plan : Plan
        What is going to be released.
    estimator : str
        Who releases it.
    void : str or None
        Why the fit has no guarantee, if it has none: a ledger then has nothing to record.
    """
    where, account = options["ledger"], options["account"]
    if where is None and account is None:
        return None
    if where is None or account is None:
        raise OptionError("ledger and account go together: which ledger, and which of its accounts")
    if void is not None:
        raise OptionError(f"a fit without a guarantee ({void}) is not for a ledger")
    if not isinstance(where, Ledger | str | os.PathLike):
        raise OptionError("ledger must be a Ledger, or the address of one")
    ledger = where if isinstance(where, Ledger) else Ledger(where, create=False)
    return ledger.reserve(
        account,
        [(term.loss, term.times) for term in plan.terms],
        f"{estimator}, {plan.rounds} rounds",
        plan.adjacency,
    )
