"""What a model promises, in one value."""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.accounting import ZCDP, ApproxDP, Loss, show
from discreet.accounting.adjacency import NEIGHBOURS, Adjacency
from discreet.ledger.accounts import Reservation
from discreet.models.explanation import explained


@dataclass(frozen=True)
class PrivacyStatement:
    """The privacy guarantee of one fitted model.

    Parameters
    ----------
    epsilon, delta : float
        The guarantee, rounded up; ``delta`` is 0 for pure differential privacy.
    rho : float or None
        The zCDP loss behind it; None if the fit was purely private, or if more than (epsilon, delta) is not
        known.
    adjacency : {"replace", "add-remove"}
        Which tables count as neighbours.
    holds : bool
        Whether the guarantee holds for this model.
    reason : str or None
        Why it does not hold, if it does not.
    account : str or None
        The account of a ledger that paid for it, if one did.
    spend : int or None
        The number of the spend in that ledger.
    """

    epsilon: float
    delta: float
    rho: float | None
    adjacency: Adjacency
    holds: bool
    reason: str | None
    account: str | None = None
    spend: int | None = None

    def __post_init__(self) -> None:
        finite = all(math.isfinite(loss) and loss >= 0 for loss in (self.epsilon, self.rho or 0.0))
        if not finite or not 0 <= self.delta < 1 or self.holds != (self.reason is None):
            raise ValueError("not a privacy statement")
        if self.rho is not None and self.delta == 0:
            raise ValueError("zCDP goes with delta above 0, pure differential privacy with delta 0")
        if (self.account is None) != (self.spend is None):
            raise ValueError("an account and a spend go together")

    @classmethod
    def of(
        cls,
        guarantee: ApproxDP,
        loss: Loss | ApproxDP,
        adjacency: Adjacency,
        reason: str | None,
        spend: Reservation | None = None,
    ) -> PrivacyStatement:
        """State a loss as spent, and by whom, or say why it does not count."""
        return cls(
            epsilon=guarantee.epsilon,
            delta=guarantee.delta,
            rho=loss.rho if isinstance(loss, ZCDP) else None,
            adjacency=adjacency,
            holds=reason is None,
            reason=reason,
            account=None if spend is None else spend.account,
            spend=None if spend is None else spend.spend,
        )

    def explained(self) -> str:
        """Return the statement as a page in plain words: what is protected, how well, and what is not."""
        return explained(self)

    def __str__(self) -> str:
        if not self.holds:
            return f"no guarantee: {self.reason}"
        parts = [f"epsilon = {show(self.epsilon)}"]
        if self.delta:
            parts.append(f"delta = {show(self.delta)}")
        if self.rho is not None:
            parts.append(f"rho = {show(self.rho)} (zCDP)")
        elif self.delta:
            parts.append("no zCDP")
        else:
            parts.append("pure differential privacy")
        lines = [", ".join(parts), f"neighbours: {NEIGHBOURS[self.adjacency]}"]
        if self.account is not None:
            lines.append(f"paid by account {self.account!r}, spend {self.spend} of its ledger")
        return "\n".join(lines)
