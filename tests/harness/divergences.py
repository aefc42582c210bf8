"""How much of its claim a pair of exact distributions uses up, and how far the figure may be off.

Every probability is known to a relative ``PROBABILITY_ERROR`` a release (docs/proofs/enumeration.md).
A share is reported as a lower bound of the true one: above 1 it proves a broken promise, and a true share
passes unseen only within the error below 1 + 2 error, which ``Share.error`` states.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from discreet.accounting import PureDP
from discreet.accounting.gaussian import gaussian_delta, gaussian_total
from discreet.boosting.plan import Plan
from discreet.mechanisms.rehearsal import PROBABILITY_ERROR, Outcome

ORDERS = (1.1, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0, 64.0, 256.0)

DEVIATIONS = np.array([0.0, 0.25, 0.5, 1.0, 1.5, 2.0])
"""Epsilons at which whole curves of delta are compared, as multiples of mu."""


@dataclass(frozen=True, order=True)
class Share:
    """A part of a claim that is certainly reached, and the error allowed for."""

    reached: float
    error: float = 0.0


BROKEN = Share(math.inf)

Distribution = dict[Outcome, float]


def shares(plan: Plan, p: Distribution, q: Distribution) -> dict[str, Share]:
    """Return the share of each claim of the plan that this pair of neighbours reaches."""
    if p.keys() != q.keys():
        return {"same outputs": BROKEN}
    outcomes = list(p)
    P, Q = np.array([p[outcome] for outcome in outcomes]), np.array([q[outcome] for outcome in outcomes])
    # Per probability: one error a release, and one rounding a product.
    error = (PROBABILITY_ERROR + 2**-52) * max(len(path) for path, _ in outcomes)
    ratio = np.log(P) - np.log(Q)
    found = {}
    if isinstance(plan.loss, PureDP):
        found["pure"] = _share(np.abs(ratio).max(), plan.loss.epsilon, 3 * error)
    else:
        found["zcdp"] = max(_zcdp(P, Q, plan.loss.rho, error), _zcdp(Q, P, plan.loss.rho, error))
        stated = (plan.guarantee.epsilon, plan.guarantee.delta)
        found["delta"] = max(_delta(P, Q, *stated, error), _delta(Q, P, *stated, error))
        mu = gaussian_total([(term.loss, term.times) for term in plan.terms]).mu
        found["gaussian"] = max(
            _delta(*pair, epsilon, gaussian_delta(mu, epsilon), error)
            for pair in ((P, Q), (Q, P))
            for epsilon in mu * DEVIATIONS
        )
        term = plan.terms[0]
        # Ranges do not add up over adaptive rounds (two rounds reach 1.18 times the sum here); rhos do.
        if sum(each.times for each in plan.terms) == 1 and term.noise == "gumbel":
            found["range"] = _share(np.ptp(ratio), term.claim.bound / term.scale, 6 * error)
    return found


def _share(value: float, claim: float, error: float) -> Share:
    return Share(float((value - error) / claim), error / claim)


def _zcdp(P: np.ndarray, Q: np.ndarray, rho: float, error: float) -> Share:
    """Compare Renyi divergences with order times rho; order 1 is the Kullback-Leibler divergence."""
    log_p, log_q = np.log(P), np.log(Q)
    found = [_share(float(P @ (log_p - log_q)), rho, 5 * error)]
    for order in ORDERS:
        total = np.logaddexp.reduce(order * log_p + (1 - order) * log_q)
        found.append(_share(total / (order - 1), order * rho, 2 * (2 * order - 1) * error / (order - 1)))
    return max(found)


def _delta(P: np.ndarray, Q: np.ndarray, epsilon: float, delta: float, error: float) -> Share:
    """Compare the exact delta at an epsilon with a claimed one."""
    factor = math.exp(epsilon)
    exact = float(np.maximum(P - factor * Q, 0).sum())
    return _share(exact, delta, 2 * (1 + factor) * error)
