"""What the paper's Algorithm 3 costs: repeated descents on drawn records, and the choice of one of them.

The paper gives the k repeats the whole budget, epsilon/k and delta/k each, and the choice comes on top. Here
the choice has a quarter of epsilon, and the repeats what that leaves; together they stay within the budget.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.accounting import ApproxDP, Part, calibrate
from discreet.errors import PlanError
from discreet.mechanisms.claims import Claim, Terms
from discreet.mechanisms.priced import Priced, Share, billed
from discreet.mechanisms.pricing import release_loss

_CHOICE = 0.25
"""The share of epsilon that pays for the choice."""

_WIDEST = 100.0
"""A choice with less noise is no better."""


@dataclass(frozen=True)
class BillOfRepeats:
    """The releases with their noise; and the noise by two rules, as a share of a record's vector."""

    price: Priced
    printed_noise: float
    proven_noise: float


def repeats_for(failure: float) -> int:
    """Return how many descents leave one of them good, but with this probability."""
    return math.ceil(math.log(8 / failure))


def printed_noise(epsilon: float, delta: float, n_records: int) -> float:
    """Return sigma/(n L) of the paper: sigma^2 = 32 L^2 n^2 ln(n/delta) ln(1/delta) / epsilon^2.

    Parameters
    ----------
    epsilon, delta : float
        For one descent.
    n_records : int
        n.
    """
    return math.sqrt(32 * math.log(n_records / delta) * math.log(1 / delta)) / epsilon


def bill_of_repeats(
    target: ApproxDP, steps: Share, choice: Claim, n_records: int, repeats: int
) -> BillOfRepeats:
    """Take the paper's noise where it meets the budget, and else as much as does.

    Parameters
    ----------
    target : ApproxDP
        The budget of everything.
    steps : Share
        The steps of all repeats; a unit of their claim is the norm of a record's vector.
    choice : Claim
        The choice of one iterate.
    n_records, repeats : int
        Both public.
    """
    if target.delta == 0:
        raise PlanError("a vector is released with Gaussian noise, which is never pure: choose delta above 0")
    step, per_record = steps.claim, steps.claim.bound / steps.claim.unit
    scale_of_choice = choice.bound / min(_CHOICE * target.epsilon, _WIDEST)
    chosen = Terms(choice, 1, "gumbel", scale_of_choice, release_loss(choice, "gumbel", scale_of_choice))

    def terms_at(multiplier: float) -> tuple[Terms, ...]:
        scale = multiplier * step.bound
        return Terms(step, steps.times, "gaussian", scale, release_loss(step, "gaussian", scale)), chosen

    def losses_at(multiplier: float) -> list[Part]:
        return [(term.loss, term.times) for term in terms_at(multiplier)]

    proven = calibrate(losses_at, target)
    printed = printed_noise((1 - _CHOICE) * target.epsilon / repeats, target.delta / repeats, n_records)
    price = billed(terms_at(max(proven, printed / per_record)), target)
    return BillOfRepeats(price, printed, proven * per_record)
