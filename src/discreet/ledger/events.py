"""What a ledger writes down: events that are only ever appended, each with the digest of the one before.

An event is stored as the JSON text that its digest is of. Nothing in it comes from a private table: names,
budgets, losses and plans are public.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import astuple
from datetime import datetime
from typing import Annotated, Literal, TypeAlias

import msgspec

from discreet.accounting import ApproxDP, BoundedRange, GaussianDP, Loss, Part, PureDP
from discreet.accounting.adjacency import Adjacency
from discreet.accounting.privacy_filter import PrivacyFilter, Spent
from discreet.errors import LedgerDamaged

GENESIS = "0" * 64
"""Stands for the digest before the first event."""

LossKind = Literal["pure", "bounded range", "gaussian"]
LOSSES: dict[LossKind, type[PureDP | BoundedRange | GaussianDP]] = {
    "pure": PureDP,
    "bounded range": BoundedRange,
    "gaussian": GaussianDP,
}
"""What can be spent."""


MOST_TIMES = 1_000_000
"""How often one spend may repeat a loss: an account is locked while its filter adds them up."""


class SavedLoss(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One loss, and how often it is spent."""

    kind: LossKind
    amount: float
    times: Annotated[int, msgspec.Meta(ge=1, le=MOST_TIMES)]

    @classmethod
    def of(cls, loss: Loss, times: int) -> SavedLoss:
        """Write a loss down."""
        (kind,) = (kind for kind, known in LOSSES.items() if type(loss) is known)
        (amount,) = astuple(loss)
        return cls(kind, amount, times)

    def restored(self) -> Part:
        """Read it back."""
        return LOSSES[self.kind](self.amount), self.times


class Opened(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="opened"):
    """An account began; ``mu`` is the Gaussian loss within its budget."""

    epsilon: float
    delta: float
    mu: float | None
    adjacency: Adjacency
    description: str

    @classmethod
    def under(cls, cap: ApproxDP, adjacency: Adjacency, description: str) -> Opened:
        """Fix everything that the spends of this account will be judged by."""
        rule = PrivacyFilter.under(cap)
        return cls(rule.cap.epsilon, rule.cap.delta, rule.mu, adjacency, description)

    @property
    def filter(self) -> PrivacyFilter:
        """What decides on the spends of this account."""
        return PrivacyFilter(ApproxDP(self.epsilon, self.delta), self.mu)


class Reserved(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="reserved"):
    """A spend: from here on it counts. Its number is that of the event; totals are those after it."""

    what: str
    losses: tuple[SavedLoss, ...]
    total_pure: str | None
    total_variance: str | None

    @classmethod
    def of(cls, what: str, losses: Iterable[Part], after: Spent) -> Reserved:
        """Write a spend down; totals as texts, because they are longer than the integers of JSON readers."""
        saved = tuple(SavedLoss.of(loss, times) for loss, times in losses)
        return cls(what, saved, *(None if total is None else str(total) for total in astuple(after)))

    @property
    def after(self) -> Spent:
        """The account's totals with this spend."""
        totals = (self.total_pure, self.total_variance)
        return Spent(*(None if total is None else int(total) for total in totals))


class Committed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="committed"):
    """What was reserved under this number is about to be released."""

    spend: int


What: TypeAlias = Opened | Reserved | Committed


class Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a ledger.

    Attributes
    ----------
    sequence : int
        1, 2, 3, ...; that of a reservation is the number of its spend.
    time : datetime
        When, in UTC; never earlier than the event before.
    account : str
        Whose.
    what : Opened or Reserved or Committed
        What happened.
    previous : str
        The digest of the event before.
    """

    sequence: int
    time: Annotated[datetime, msgspec.Meta(tz=True)]
    account: str
    what: What
    previous: str

    @property
    def kind(self) -> str:
        """The name of what happened."""
        return str(type(self.what).__struct_config__.tag)

    def written(self) -> tuple[str, str]:
        """Return the text that is stored, and its digest."""
        body = msgspec.json.encode(self, order="deterministic").decode()
        return body, digest_of(body)


def digest_of(body: str) -> str:
    """Return the digest that the next event refers to."""
    return hashlib.sha256(body.encode()).hexdigest()


def read_event(body: str, digest: str) -> Event:
    """Read a stored event.

    Raises
    ------
    LedgerDamaged
        The text was edited, or is no event.
    """
    if digest_of(body) != digest:
        raise LedgerDamaged("an event of the ledger was changed after it was written")
    try:
        event = msgspec.json.decode(body, type=Event)
        if isinstance(event.what, Reserved):
            _ = event.what.after
            _ = [loss.restored() for loss in event.what.losses]
    except (msgspec.MsgspecError, ValueError):
        raise LedgerDamaged("an event of the ledger cannot be read") from None
    return event
