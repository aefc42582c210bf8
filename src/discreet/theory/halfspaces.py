"""The private halfspace learner HS-StL: settings and sample size (Bun, Carmosino, Sorrell 2020, Theorem 25).

A source has margin tau if some unit vector u has |u x| >= tau on every record; records lie in the unit ball.
Algorithm 4 boosts z_t = sum_i mu_t(i) y_i x_i + N(0, sigma^2 I), a weighted mean, and returns the halfspace
of their average.

`HalfspaceParameters` is what this library stands behind. The paper's own arithmetic is in
`discreet.theory.halfspaces_as_printed`; its proof has gaps (docs/theory.md, section 3, has counter-examples).
Section 4 of that page proves the same statement for Algorithm 4 with another learning rate, a noise that
covers all records, and a limit on the dimension.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from discreet.accounting import ZCDP, ApproxDP, largest_zcdp
from discreet.errors import OptionError
from discreet.theory.limits import check_goal, least, whole

ROUNDS = 1024
"""T = 1024 ln(1/kappa)/tau^2: Theorem 20 with advantage tau/8."""

LEARNING_RATE = 1 / 24
"""In this library's convention, for levels s = sum_t y <z_t, x>; the paper's lambda is 1/12."""

MARGIN_COST = 25.6
"""2 * 2/(5/32): twice the final vector's norm over its margin in units of tau (docs/theory.md, section 4)."""


@dataclass(frozen=True)
class SampleSize:
    """How many records each part of the proof asks for; the largest decides.

    Parameters
    ----------
    privacy : int
        For (epsilon, delta).
    label_noise : int
        So that flipped labels stay below a share kappa tau/4.
    generalisation : int
        So that few small margins on the sample mean few errors outside.
    """

    privacy: int
    label_noise: int
    generalisation: int

    @property
    def total(self) -> int:
        """The number of records that meets all three."""
        return max(self.privacy, self.label_noise, self.generalisation)


@dataclass(frozen=True)
class HalfspaceParameters:
    """Settings of Algorithm 4 with which its guarantee is proven (docs/theory.md, section 4).

    Parameters
    ----------
    alpha, beta : float
        The error outside the sample, and the probability of more.
    epsilon, delta : float
        The privacy budget.
    margin : float
        Tau.
    noise_rate : float
        Eta, the probability that a label is flipped.
    density : float
        Kappa = alpha/4.
    rounds : int
        T = ceil(1024 ln(1/kappa)/tau^2).
    sigma : float
        The noise in each coordinate of a weighted mean at n = ``n_records``; for a larger table see
        `sigma_for`.
    learning_rate : float
        1/24 for levels in units of weighted means; divide by R for levels in units of 1/R.
    sizes : SampleSize
        What each part of the proof asks for, at this sigma.
    max_dimension : int
        The largest number of columns for which the proof holds; beyond it, project first.

    Examples
    --------
    >>> settings = HalfspaceParameters.for_theorem(0.1, 0.05, 1.0, 1e-6, margin=0.2)
    >>> settings.density, settings.rounds
    (0.025, 94436)
    """

    alpha: float
    beta: float
    epsilon: float
    delta: float
    margin: float
    noise_rate: float
    density: float
    rounds: int
    sigma: float
    learning_rate: float
    sizes: SampleSize
    max_dimension: int

    @classmethod
    def for_theorem(
        cls,
        alpha: float,
        beta: float,
        epsilon: float,
        delta: float,
        margin: float,
        noise_rate: float = 0.0,
    ) -> HalfspaceParameters:
        """Return settings that learn a margin-``margin`` halfspace to error ``alpha`` under label noise.

        Parameters
        ----------
        alpha, beta : float
            The error outside the sample, and the probability of more.
        epsilon, delta : float
            The privacy budget; delta above 0.
        margin : float
            Tau.
        noise_rate : float, default 0
            Eta; below alpha tau/16. The sample size grows without bound towards that, and the paper's
            eta = alpha tau/32 costs 96 ln(3/beta)/(alpha tau) records at most.

        Raises
        ------
        OptionError
            A number is out of its range, or the noise rate is beyond the theorem.
        """
        check_goal(alpha, beta, epsilon, delta, margin)
        density = alpha / 4
        tolerated = density * margin / 4
        if not 0 <= noise_rate < tolerated:
            raise OptionError(
                f"noise_rate must be at least 0 and below alpha margin/16 = {tolerated:.4g}: beyond it the "
                "theorem promises nothing"
            )
        rounds = math.ceil(ROUNDS * math.log(1 / density) / margin**2)
        rho = largest_zcdp(ApproxDP(epsilon, delta)).rho

        def sigma(n: int) -> float:
            return _sigma(margin, rounds, beta, n)

        def sizes(n_for_sigma: Callable[[int], int]) -> SampleSize:
            return SampleSize(
                privacy=least(lambda n: _loss(rounds, density, n, sigma(n_for_sigma(n))) <= rho),
                label_noise=_records_for_noise(tolerated, noise_rate, beta),
                generalisation=_records_for_generalisation(alpha, beta, margin),
            )

        # Sigma depends on n through a logarithm, and n on sigma: first each n with its own sigma, which
        # settles the total; then what the parts ask for at the sigma of that total.
        n = sizes(lambda own: own).total
        return cls(
            alpha=alpha,
            beta=beta,
            epsilon=epsilon,
            delta=delta,
            margin=margin,
            noise_rate=noise_rate,
            density=density,
            rounds=rounds,
            sigma=sigma(n),
            learning_rate=LEARNING_RATE,
            sizes=sizes(lambda own: n),
            max_dimension=_max_dimension(rounds, margin, sigma(n), n, beta),
        )

    @property
    def n_records(self) -> int:
        """The sample size: with so many records privacy and accuracy both hold."""
        return self.sizes.total

    def sigma_for(self, n_records: int) -> float:
        """Return the noise that suits a table of this size: (tau/4)/sqrt(2 ln(3 T (n + 1)/beta)).

        It falls with the root of a logarithm, because the proof wants no record's vote drowned in any round.
        A released sum of weights with mass kappa n has noise kappa n sigma.
        """
        return _sigma(self.margin, self.rounds, self.beta, whole(n_records, "n_records"))

    def loss(self, n_records: int) -> ZCDP:
        """Return the loss of all rounds together at a number of records, with `sigma_for` that number.

        T (2/(kappa n))^2/(2 sigma^2) = 2 T/(kappa n sigma)^2, by the sensitivity of PRIVACY.md 5. What
        rounding to integers adds, the slack of the projection, is left to the plan of the fit.
        """
        return ZCDP(_loss(self.rounds, self.density, n_records, self.sigma_for(n_records)) * (1 + 1e-15))


def _sigma(margin: float, rounds: int, beta: float, n: int) -> float:
    return margin / 4 / math.sqrt(2 * math.log(3 * rounds * (n + 1) / beta))


def _loss(rounds: int, density: float, n: int, sigma: float) -> float:
    return 2 * rounds / (density * n * sigma) ** 2


def _records_for_noise(tolerated: float, noise_rate: float, beta: float) -> int:
    """Bound P(Binomial(n, eta) > tolerated n) by beta/3, by Chernoff's exp(-n KL(tolerated || eta))."""
    if noise_rate == 0:
        return 1
    divergence = tolerated * math.log(tolerated / noise_rate) + (1 - tolerated) * math.log(
        (1 - tolerated) / (1 - noise_rate)
    )
    return math.ceil(math.log(3 / beta) / divergence)


def _records_for_generalisation(alpha: float, beta: float, margin: float) -> int:
    """Return the least n with MARGIN_COST/(tau sqrt(n)) + sqrt(ln(3/beta)/(2 n)) <= alpha/2."""
    cost = MARGIN_COST / margin + math.sqrt(math.log(3 / beta) / 2)
    return math.ceil((2 * cost / alpha) ** 2)


def _max_dimension(rounds: int, margin: float, sigma: float, n: int, beta: float) -> int:
    """Return the largest d for which the summed noise has norm at most T tau/2, but with beta/(6 (n + 1)).

    A Gaussian vector of deviation sigma sqrt(T) has norm at most sigma sqrt(T)(sqrt(d) + t), but with
    probability exp(-t^2/2).
    """
    root = math.sqrt(rounds) * margin / (2 * sigma) - math.sqrt(2 * math.log(6 * (n + 1) / beta))
    return math.floor(root**2)
