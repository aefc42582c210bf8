"""Sample sizes of the semi-private learners, with their constants (docs/theory.md, section 7).

A learner gets n private labelled records and m public points, whose distribution has a density of at least
``smoothness`` times that of the private ones' features. With probability 1 - beta its error is within alpha
of the best in the class. The paper writes O(.) throughout; the constants here are those of the proofs on that
page. One of them nobody has written down: that of the comparison of norms (the paper's Lemma 12), which is an
argument, 1 unless given.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from discreet.accounting import ApproxDP, largest_zcdp
from discreet.errors import OptionError
from discreet.theory.limits import least, positive, share


@dataclass(frozen=True)
class LeaderSize:
    """What a theorem on leaders asks for.

    Parameters
    ----------
    points : int
        m, the public points.
    strength : float
        eta, of the regulariser or of the perturbation.
    noise : float
        gamma, the scale of the noise on a value.
    runs : int
        J, how many minimisers are averaged; 1 for the regularised leader.
    records : int
        n, the private records.
    """

    points: int
    strength: float
    noise: float
    runs: int
    records: int


@dataclass(frozen=True)
class LabelsSize:
    """What a theorem on released labels asks for: m public points and n private records."""

    points: int
    records: int


def theorem_3(
    alpha: float,
    beta: float,
    epsilon: float,
    delta: float,
    *,
    complexity: float,
    smoothness: float = 1.0,
    lipschitz: float = 1.0,
    comparison: float = 1.0,
) -> LeaderSize:
    """Return settings and sample sizes of the regularised leader (Algorithm 3).

    Parameters
    ----------
    alpha, beta : float
        Excess loss, and the probability of more.
    epsilon, delta : float
        The budget; with ``delta`` 0 the noise is Laplace.
    complexity : float
        The largest Gaussian complexity of the class, root d for d dimensions; its values lie in [-1, 1].
    smoothness : float, default 1
        The sigma of the paper: 1 if public and private records look alike.
    lipschitz : float, default 1
        Of the loss, which lies in [0, 1].
    comparison : float, default 1
        The constant of Lemma 12, which is not known.
    """
    goal = _Goal.checked(alpha, beta, epsilon, delta, complexity, smoothness, lipschitz, comparison)
    points = goal.points()
    if delta:
        noise = goal.largest_noise(1 + math.sqrt(2 * math.log(1 / goal.failure) / points))
        strength = points / (noise * _mu(epsilon, delta)) ** 2
    else:
        noise = goal.largest_noise(math.log(points / goal.failure))
        strength = (points / (noise * epsilon)) ** 2
    records = max(goal.records(), math.ceil(4 * strength / alpha))
    return LeaderSize(points, strength, noise, 1, records)


def theorem_2(
    alpha: float,
    beta: float,
    epsilon: float,
    delta: float,
    *,
    complexity: float,
    smoothness: float = 1.0,
    lipschitz: float = 1.0,
    comparison: float = 1.0,
    least_square: float = 0.5,
) -> LeaderSize:
    """Return settings and sample sizes of the perturbed leader (Algorithm 2); ``delta`` is above 0.

    Half of ``delta`` is for the Gaussian noise, half for the average of the runs. Parameters are those of
    `theorem_3`, and

    Parameters
    ----------
    alpha, beta, epsilon, delta, complexity, smoothness, lipschitz, comparison
        As for `theorem_3`.
    least_square : float, default 0.5
        The least mean square of a function of the class on the public points.
    """
    share(delta, "delta")
    share(least_square, "least_square", 1.0 + 1e-9)
    goal = _Goal.checked(alpha, beta, epsilon, delta, complexity, smoothness, lipschitz, comparison)
    points = goal.points()
    noise = goal.largest_noise(1 + math.sqrt(2 * math.log(1 / goal.failure) / points))
    stable = noise * _mu(epsilon, delta / 2) / math.sqrt(points)
    runs = math.ceil(8 * math.log(2 / delta) / stable**2)
    strength = 16 * complexity / (least_square * (3 * stable / 8) ** 4)
    perturbed = 2 * strength * (complexity + math.sqrt(2 * math.log(2 / goal.failure) / runs))
    records = max(goal.records(), math.ceil(4 * perturbed / alpha))
    return LeaderSize(points, strength, noise, runs, records)


def theorem_4(
    alpha: float, beta: float, epsilon: float, *, vc_dimension: int, smoothness: float = 1.0
) -> LabelsSize:
    """Return sample sizes of RRSPM (Algorithm 4) with Laplace noise, whatever the labels are.

    Its Gaussian form is not private (PRIVACY.md 9, E8).
    """
    return _labels(alpha, beta, epsilon, vc_dimension, smoothness, _agnostic)


def remark_1(
    alpha: float, beta: float, epsilon: float, *, vc_dimension: int, smoothness: float = 1.0
) -> LabelsSize:
    """Return sample sizes of RRSPM where some classifier of the class makes no error."""
    return _labels(alpha, beta, epsilon, vc_dimension, smoothness, _realisable)


@dataclass(frozen=True)
class _Goal:
    """A leader's goal: a quarter of alpha for each of four parts of its error, a quarter of beta likewise."""

    alpha: float
    failure: float
    complexity: float
    smoothness: float
    lipschitz: float
    comparison: float

    @classmethod
    def checked(
        cls, alpha: float, beta: float, epsilon: float, delta: float, complexity: float, *others: float
    ) -> _Goal:
        share(alpha, "alpha")
        share(beta, "beta")
        positive(epsilon, "epsilon")
        if delta:
            share(delta, "delta")
        positive(complexity, "complexity")
        smoothness, lipschitz, comparison = others
        if not 0 < smoothness <= 1:
            raise OptionError("smoothness must be above 0 and at most 1")
        positive(lipschitz, "lipschitz")
        positive(comparison, "comparison")
        return cls(alpha, beta / 4, complexity, smoothness, lipschitz, comparison)

    def points(self) -> int:
        """Return the points on which norms are close to those of the distribution."""

        def enough(m: int) -> bool:
            norms = math.log(m) ** 3 * self.complexity / math.sqrt(m)
            norms += math.sqrt((math.log(math.log(m)) + math.log(1 / self.failure)) / m)
            return self.lipschitz / self.smoothness * self.comparison * norms <= self.alpha / 4

        return least(enough, _TURNING)

    def largest_noise(self, length: float) -> float:
        """Return the noise that takes its part of alpha; noise of scale 1 has a norm of ``length``."""
        return self.alpha * self.smoothness / (16 * self.lipschitz * length)

    def records(self) -> int:
        """Return the records on which mean losses are close to expected ones."""

        def enough(n: int) -> bool:
            average = 4 * self.lipschitz * math.sqrt(math.pi / 2) * self.complexity / math.sqrt(n)
            return average + 2 * math.sqrt(math.log(2 / self.failure) / (2 * n)) <= self.alpha / 4

        return least(enough)


# log(m)^3 / root(m) falls from exp(6) on.
_TURNING = 404


def _mu(epsilon: float, delta: float) -> float:
    """Return a Gaussian loss that meets the budget."""
    return math.sqrt(2 * largest_zcdp(ApproxDP(epsilon, delta)).rho)


def _labels(
    alpha: float,
    beta: float,
    epsilon: float,
    vc_dimension: int,
    smoothness: float,
    excess: Callable[[float, float], float],
) -> LabelsSize:
    """Half of alpha is for what the points do not tell apart, half for the records and the noise."""
    share(alpha, "alpha")
    share(beta, "beta")
    positive(epsilon, "epsilon")
    if not 0 < smoothness <= 1:
        raise OptionError("smoothness must be above 0 and at most 1")
    failure = beta / 3

    def told_apart(m: int) -> bool:
        pairs = 2 * _log_growth(2 * m, vc_dimension) + math.log(2 / failure)
        return 2 * pairs / (math.log(2) * m) <= alpha * smoothness / 2

    points = least(told_apart, vc_dimension)
    noise = 2 * points**2 * math.log(points / failure) / epsilon

    def learnt(n: int) -> bool:
        capacity = (_log_growth(2 * n, vc_dimension) + math.log(4 / failure)) / n
        return excess(noise / n, capacity) <= alpha / 2

    return LabelsSize(points, least(learnt, vc_dimension))


def _agnostic(noise: float, capacity: float) -> float:
    return noise + 2 * math.sqrt(8 * capacity)


def _realisable(noise: float, capacity: float) -> float:
    return noise + 2 * math.sqrt(noise * capacity) + 4 * capacity


def _log_growth(n: int, vc_dimension: int) -> float:
    """Bound the logarithm of the number of labellings of n points (Sauer's lemma)."""
    return vc_dimension * math.log(math.e * max(n, vc_dimension) / vc_dimension)
