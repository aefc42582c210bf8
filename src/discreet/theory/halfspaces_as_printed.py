"""Theorems 22 and 25 with the constants of the paper's own proofs (Bun, Carmosino, Sorrell 2020).

For comparison. `discreet.theory.halfspaces` has the settings and the sample size that are proven.
"""

from __future__ import annotations

import math

from discreet.accounting import ZCDP
from discreet.errors import OptionError
from discreet.theory.halfspaces import ROUNDS, SampleSize
from discreet.theory.limits import check_goal, least, positive, share, whole

FAT_SHATTERING = 65536
"""fat(gamma/16) <= 4 (16/gamma)^2 = 65536/tau^2 at gamma = tau/8, for norms of at most 2 (Lemma 24)."""


def weak_learner_loss(density: float, n_records: int, slickness: float, sigma: float) -> ZCDP:
    """Return the loss of one round by Theorem 22 as its appendix proves it: 2 (1/(kappa n) + s)^2/sigma^2.

    The body of the paper lacks the square (erratum E4). With s = 1/(kappa n) this is 8/(kappa n sigma)^2,
    four times what PRIVACY.md 5 proves for the lazy-Bregman measure directly.

    Parameters
    ----------
    density : float
        Kappa.
    n_records : int
        The public number of records.
    slickness : float
        s, how far one record moves the measure in statistical distance.
    sigma : float
        The noise in each coordinate of a weighted mean.
    """
    share(density, "density")
    distance = 2 * (1 / (density * whole(n_records, "n_records")) + slickness)
    return ZCDP(distance**2 / (2 * positive(sigma, "sigma") ** 2))


def theorem_25(alpha: float, beta: float, epsilon: float, delta: float, margin: float) -> SampleSize:
    """Return Theorem 25's sample size with the constants of its own proof, none left in O(.).

    * privacy: T rounds of 8/(kappa n sigma)^2, converted by epsilon >= 3 sqrt(rho ln(1/delta)), so
      n = 3 sqrt(8 T ln(1/delta))/(kappa sigma epsilon), with kappa = alpha/4, T = 1024 ln(1/kappa)/tau^2 and
      sigma = tau/(8 c sqrt(ln(3072 ln(1/kappa)/(beta tau^2)))). The constant c is 1/sqrt(2): the advantage
      loses half of a Gaussian's lower tail, sigma sqrt(2 ln(1/xi))/2.
    * label noise: 24 ln(3/beta)/(kappa tau) = 96 ln(3/beta)/(alpha tau), at eta = kappa tau/8.
    * generalisation: the least n at which Theorem 23's term is alpha/2.

    The proof has gaps: `HalfspaceParameters.for_theorem` gives one that is proven.

    Parameters
    ----------
    alpha, beta, epsilon, delta, margin : float
        As for `HalfspaceParameters.for_theorem`; epsilon at most 3 ln(1/delta), for the conversion.
    """
    check_goal(alpha, beta, epsilon, delta, margin)
    if epsilon > 3 * math.log(1 / delta):
        raise OptionError("the proof's conversion needs epsilon at most 3 ln(1/delta)")
    density = alpha / 4
    rounds = ROUNDS * math.log(1 / density) / margin**2
    sigma = margin / (8 * math.sqrt(0.5) * math.sqrt(math.log(3 * rounds / beta)))
    return SampleSize(
        privacy=math.ceil(3 * math.sqrt(8 * rounds * math.log(1 / delta)) / (density * sigma * epsilon)),
        label_noise=math.ceil(24 * math.log(3 / beta) / (density * margin)),
        generalisation=_records_for_generalisation(alpha, beta, margin),
    )


def _records_for_generalisation(alpha: float, beta: float, margin: float) -> int:
    """Return the least n with sqrt((2/n)(d ln(34 e n/d) log2(578 n) + ln(12/beta))) <= alpha/2.

    Theorem 23, from Bartlett's Theorem 2 (1998). The paper's print has lost a bracket: there, ln(4/delta)
    is not divided by n. Two kappa, alpha/2, is the share of records with a small margin.
    """
    d = FAT_SHATTERING / margin**2

    def term(n: int) -> float:
        dimension = d * math.log(34 * math.e * n / d) * math.log2(578 * n)
        return 2 / n * (dimension + math.log(12 / beta))

    return least(lambda n: term(n) <= (alpha / 2) ** 2, start=math.ceil(d))
