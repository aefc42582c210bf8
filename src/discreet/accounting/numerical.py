"""Numerical composition by privacy loss distributions, for statements about many unequal releases.

Only for losses that were fixed beforehand, and never for a plan or a ledger: a guarantee must not depend on
which extras are installed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from discreet.accounting.losses import ZCDP, GaussianDP, Loss, Part, SampledGaussianDP, amount, checked
from discreet.errors import MissingExtra, OptionError


def numerical_guarantee(parts: Iterable[Part], delta: float) -> float:
    """Return the epsilon of adaptive releases at a delta by dp-accounting, pessimistic in every rounding.

    A pure loss is dominated by randomised response, and so is a bounded range, which is pure as well.

    Parameters
    ----------
    parts : iterable of (loss, int)
        What is released, and how often.
    delta : float
        The delta that the statement may use.
    """
    try:
        from dp_accounting.pld import common
        from dp_accounting.pld import privacy_loss_distribution as pld
    except ImportError:
        raise MissingExtra("numerical composition", "accounting") from None

    def distribution(loss: Loss) -> Any:
        if isinstance(loss, ZCDP | SampledGaussianDP):
            raise OptionError("a loss that is known by its divergences only has no privacy loss distribution")
        if isinstance(loss, GaussianDP):
            return pld.from_gaussian_mechanism(1 / loss.mu)
        return pld.from_privacy_parameters(common.DifferentialPrivacyParameters(amount(loss), 0.0))

    total = pld.identity()
    for loss, times in checked(parts):
        if amount(loss):
            total = total.compose(distribution(loss).self_compose(times))
    return float(total.get_epsilon_for_delta(delta))
