"""What a ledger hands out: what an account was opened with, and the receipt of a spend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from discreet.accounting.adjacency import Adjacency


@dataclass(frozen=True)
class Account:
    """What an account was opened with.

    Parameters
    ----------
    name : str
        What it is called.
    epsilon, delta : float
        Its budget.
    adjacency : {"replace", "add-remove"}
        Which tables count as neighbours.
    description : str
        Which table it is about.
    """

    name: str
    epsilon: float
    delta: float
    adjacency: Adjacency
    description: str


class Reservation:
    """A spend that counts, for something that has not been released yet.

    Parameters
    ----------
    account : str
        Whose budget it is.
    spend : int
        Its number in the ledger.
    commit : callable
        Records the release.
    """

    def __init__(self, account: str, spend: int, commit: Callable[[], None]) -> None:
        self.account = account
        self.spend = spend
        self._commit = commit

    def commit(self) -> None:
        """Record, durably, that the release takes place now; to be called before anything is let out.

        Raises
        ------
        LedgerError
            It was recorded before, or the ledger does not have the spend any more, or cannot be written:
            nothing may be let out.
        """
        self._commit()

    def __repr__(self) -> str:
        return f"Reservation(account={self.account!r}, spend={self.spend})"
