"""What adaptive releases cost together, as (epsilon, delta): the best of the bounds that are proven."""

from __future__ import annotations

import math
from collections.abc import Iterable

from discreet.accounting.gaussian import epsilon_by_gaussian, gaussian_total
from discreet.accounting.losses import ApproxDP, Part, PureDP, checked, compose
from discreet.accounting.renyi import epsilon_by_renyi
from discreet.errors import OptionError


def guarantee(parts: Iterable[Part], delta: float) -> ApproxDP:
    """State losses that were fixed beforehand as (epsilon, delta), epsilon rounded up.

    Three bounds are compared (docs/proofs/composition.md): the sum of epsilons, if all losses are pure,
    which needs no delta; the sum of Renyi divergences at the best order; and the Gaussian loss that dominates
    the releases.

    Parameters
    ----------
    parts : iterable of (loss, int)
        What is released, and how often; each release may depend on those before.
    delta : float
        The delta that the statement may use; 0 if all losses are pure, and only then.
    """
    listed = checked(parts)
    pure = compose(listed) if listed else PureDP(0.0)
    if isinstance(pure, PureDP) and delta == 0:
        return ApproxDP(pure.epsilon, 0.0)
    if not 0 < delta < 1:
        raise OptionError("losses that are not pure need 0 < delta < 1")
    gaussian = gaussian_total(listed)
    epsilon = min(
        epsilon_by_renyi(listed, delta),
        math.inf if gaussian is None else epsilon_by_gaussian(gaussian.mu, delta),
    )
    if isinstance(pure, PureDP) and pure.epsilon <= epsilon:
        return ApproxDP(pure.epsilon, 0.0)
    return ApproxDP(epsilon, delta)


def advanced_composition(epsilon: float, times: int, delta: float) -> float:
    """Return the epsilon of ``times`` pure releases at a delta by Dwork, Rothblum, Vadhan (2010).

    For reproducing figures of papers that use it (the thesis's Theorem 2.5.3); ``guarantee`` is tighter.
    """
    return math.sqrt(2 * times * math.log(1 / delta)) * epsilon + times * epsilon * math.expm1(epsilon)
