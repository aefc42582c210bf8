"""Boosting by resampling: this framework and Dwork, Rothblum, Vadhan 2010, in sample sizes.

Bun, Carmosino, Sorrell 2020, Appendix L: a base learner draws m records from the current measure. Lemma 55
makes it private for the whole table. Its delta carries a factor that Lemma 55 and the proof of Theorem 57
give differently, 1 + exp(2 m/(kappa n)) and 1 + exp(2 epsilon_b m/(kappa n)) (erratum E6); so base learners
are purely private here, and no delta arises from sampling.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.errors import OptionError
from discreet.theory.lazy_bregman import round_bound
from discreet.theory.limits import positive, share, whole


@dataclass(frozen=True)
class ResampledBoosting:
    """What boosting by resampling needs.

    Parameters
    ----------
    rounds : int
        T.
    round_epsilon : float
        The pure loss that one round may have, epsilon/sqrt(8 T ln(1/delta)).
    n_records : int
        The sample size.
    """

    rounds: int
    round_epsilon: float
    n_records: int


def sampled_epsilon(base_epsilon: float, base_size: int, distance: float) -> float:
    """Return the loss of a pure learner on m sampled records: 4 epsilon_b m zeta (Lemma 55).

    Parameters
    ----------
    base_epsilon : float
        The loss of the learner on its sample, at most 1/2.
    base_size : int
        m.
    distance : float
        Zeta, how far one record of the table moves the sampled distribution.
    """
    if not 0 < base_epsilon <= 0.5:
        raise OptionError("base_epsilon must be above 0 and at most 1/2, as Lemma 55 asks")
    return 4 * base_epsilon * whole(base_size, "base_size") * distance


def theorem_57(
    base_epsilon: float, base_size: int, advantage: float, alpha: float, epsilon: float, delta: float
) -> ResampledBoosting:
    """Return what LazyBregBoost by resampling needs for training error ``alpha``, constants explicit.

    kappa = alpha and T = 16 ln(1/alpha)/gamma^2 by Theorem 20; one round loses 4 epsilon_b m/(kappa n),
    which may be epsilon* = epsilon/sqrt(8 T ln(1/delta)), so n = 4 epsilon_b m/(alpha epsilon*), and n > m.
    Advanced composition (Theorem 48) then gives at most (epsilon, delta) if epsilon <= 8 ln(1/delta). The
    proof's own last lines have 8 in place of 4 sqrt(8) = 11.3; the statement's epsilon* is the safe one.

    Parameters
    ----------
    base_epsilon : float
        The pure loss of the base learner on its sample, at most 1/2.
    base_size : int
        m, how many records it draws.
    advantage : float
        Gamma.
    alpha : float
        The training error.
    epsilon, delta : float
        The budget.

    Examples
    --------
    >>> theorem_57(0.1, 100, 0.1, 0.1, 1.0, 1e-6).n_records
    255275
    """
    if not 0 < epsilon <= 8 * math.log(1 / share(delta, "delta")):
        raise OptionError("epsilon must be above 0 and at most 8 ln(1/delta)")
    rounds = round_bound(advantage, share(alpha, "alpha")).rounds
    round_epsilon = epsilon / math.sqrt(8 * rounds * math.log(1 / delta))
    needed = sampled_epsilon(base_epsilon, base_size, 1 / alpha) / round_epsilon
    return ResampledBoosting(rounds, round_epsilon, max(math.ceil(needed), base_size + 1))


def theorem_56(
    base_epsilon: float,
    base_size: int,
    advantage: float,
    alpha: float,
    epsilon: float,
    delta: float,
    failure: float,
    constant: float = 1.0,
) -> ResampledBoosting:
    """Return what Boost4People needs, as Bun et al. state the theorem of Dwork, Rothblum, Vadhan.

    The statement has Theorem 57's sample size times v ln(1/alpha)/gamma^2, with exp(-v) the probability of
    failure, inside an Omega. Neither the statement nor the paper says what the Omega hides, so the factors
    that both theorems share get the same constants, and the rest ``constant``.

    Parameters
    ----------
    base_epsilon, base_size, advantage, alpha, epsilon, delta
        As for `theorem_57`.
    failure : float
        exp(-v).
    constant : float, default 1
        What the Omega hides.
    """
    ours = theorem_57(base_epsilon, base_size, advantage, alpha, epsilon, delta)
    excess = math.log(1 / share(failure, "failure")) * math.log(1 / alpha) / advantage**2
    needed = positive(constant, "constant") * excess * 4 * base_epsilon * base_size
    return ResampledBoosting(
        ours.rounds, ours.round_epsilon, math.ceil(needed / (alpha * ours.round_epsilon))
    )
