"""SmoothBoost with a private stopping rule (Bun, Carmosino, Sorrell 2020, Lemma 49 and Theorem 53).

This is the paper's propose-test-release form, for comparison. PRIVACY.md 6 has the cheaper one: all tests are
one run of AboveThreshold, paid once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.accounting import ApproxDP
from discreet.errors import OptionError
from discreet.theory.limits import positive, share, whole


@dataclass(frozen=True)
class StoppedBoosting:
    """What Theorem 53 promises of a run.

    Parameters
    ----------
    rounds : int
        It stops within so many.
    n_records : int
        The sample size from which the noisy test stops in time, and not too early.
    loss : ApproxDP
        The privacy loss of all these rounds.
    margin : float
        What all but a share kappa of the records reach.
    """

    rounds: int
    n_records: int
    loss: ApproxDP
    margin: float


def stopped_round_loss(epsilon: float, delta: float) -> ApproxDP:
    """Return the loss of one test and one call of the weak learner: (2 epsilon, e^epsilon delta).

    Lemma 49. It says "zCDP" (erratum E5); what Lemma 50 proves is approximate differential privacy, and
    zCDP does not follow: with probability delta anything may be released.

    Parameters
    ----------
    epsilon, delta : float
        The loss of the weak learner; the test's noise is Laplace of scale 1/epsilon.
    """
    return ApproxDP(2 * positive(epsilon, "epsilon"), math.exp(epsilon) * share(delta, "delta"))


def advanced_composition(loss: ApproxDP, times: int, delta: float) -> ApproxDP:
    """Return Theorem 48: k epsilon^2/2 + epsilon sqrt(2 k ln(1/delta')), at k delta + delta'.

    Parameters
    ----------
    loss : ApproxDP
        The loss of one mechanism.
    times : int
        k.
    delta : float
        Delta'.
    """
    k, epsilon = whole(times, "times"), loss.epsilon
    total = k * epsilon**2 / 2 + epsilon * math.sqrt(2 * k * math.log(1 / share(delta, "delta")))
    return ApproxDP(total, k * loss.delta + delta)


def theorem_53(
    epsilon: float, delta: float, advantage: float, density: float, beta: float, delta_prime: float
) -> StoppedBoosting:
    """Return the guarantees of SmoothBoost with the private test, every constant explicit.

    * rounds: below 4/(kappa gamma^2 sqrt(1 - gamma)), by Theorem 51 at kappa/2.
    * sample size: (2/kappa)(2 + ln(T/(beta delta))/epsilon). The test must pass while the mass is at least
      kappa n: it exceeds the threshold kappa n/2 by kappa n/2, of which 2 + ln(1/delta)/epsilon is the
      test's own margin, and the rest must cover Laplace noise in T rounds, ln(T/beta)/epsilon. It then fails
      with probability at most beta/2. Below kappa n/2 it passes with probability at most delta/2 a round,
      which is the other half if delta <= beta. (The paper writes c ln(T/(beta delta))/epsilon "with a
      constant c": it is 2/kappa at least.)
    * privacy: Theorem 48 on T rounds of (2 epsilon, e^epsilon delta), that is 2 T epsilon^2 +
      2 epsilon sqrt(2 T ln(1/delta')). (The paper has lost the factor 2 under the root.)
    * margin: gamma/(2 + gamma) on all but a share kappa.

    Parameters
    ----------
    epsilon, delta : float
        The weak learner is (epsilon, delta)-private for measures that differ by 4/(kappa n).
    advantage, density : float
        Gamma, and kappa.
    beta : float
        The probability that the test fails; at least delta.
    delta_prime : float
        What composition adds to delta.
    """
    share(advantage, "advantage", most=0.5)
    share(density, "density")
    round_loss = stopped_round_loss(epsilon, delta)
    if not delta <= share(beta, "beta"):
        raise OptionError("beta must be at least delta: the test itself fails with probability delta")
    bound = 4 / (density * advantage**2 * math.sqrt(1 - advantage))
    rounds = math.ceil(bound) - 1
    return StoppedBoosting(
        rounds=rounds,
        n_records=math.ceil(2 / density * (2 + math.log(rounds / (beta * delta)) / epsilon)),
        loss=advanced_composition(round_loss, rounds, delta_prime),
        margin=advantage / (2 + advantage),
    )
