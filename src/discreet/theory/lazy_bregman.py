"""Lazy Bregman boosting: rounds, margin and slickness (Bun, Carmosino, Sorrell 2020, Theorem 20, Lemma 21).

Conventions of this module, and of the library: logarithms are natural; a weak learner has advantage gamma if
the weighted mean of y h(x) is at least 2 gamma (their Definition 11); weights are proportional to
exp(-learning_rate s) with s = sum_t y h_t(x). The paper writes exp(-lambda sum_t (1 + y h_t(x)) / 2), so its
lambda is twice ``learning_rate``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.theory.limits import share, whole


@dataclass(frozen=True)
class RoundBound:
    """What Theorem 20 promises of a run.

    Parameters
    ----------
    rounds : int
        So many rounds are enough.
    learning_rate : float
        In this library's convention, half the paper's lambda.
    density : float
        Kappa: at most this share of the records may end below the margin.
    margin : float
        The margin that all other records reach, as a mean vote in [-1, 1].
    """

    rounds: int
    learning_rate: float
    density: float
    margin: float


def round_bound(advantage: float, density: float) -> RoundBound:
    """Return the rounds and the learning rate of Theorem 20.

    T = ceil(16 ln(1/kappa) / gamma^2) rounds at lambda = gamma/4 leave fewer than kappa n records with
    y H(x) < gamma. (The paper writes y H(x) <= gamma; its proof bounds the mean margin of any kappa n
    records from below by gamma, which excludes the strict inequality only.)

    Parameters
    ----------
    advantage : float
        Gamma, below 1/2, in every round.
    density : float
        Kappa.

    Examples
    --------
    >>> round_bound(advantage=0.1, density=0.25)
    RoundBound(rounds=2219, learning_rate=0.0125, density=0.25, margin=0.1)
    """
    share(density, "density")
    share(advantage, "advantage", most=0.5)
    rounds = math.ceil(16 * math.log(1 / density) / advantage**2)
    return RoundBound(rounds, advantage / 8, density, advantage)


def guaranteed_margin(rounds: int, learning_rate: float, advantage: float, density: float) -> float:
    """Return the margin that any number of rounds guarantees, at any learning rate.

    The inequality that ends the proof of Lemma 39, gamma <= theta/2 + lambda + ln(1/kappa)/(T lambda),
    solved for theta. Below zero it promises nothing.

    Parameters
    ----------
    rounds : int
        T.
    learning_rate : float
        In this library's convention; lambda is twice as large.
    advantage, density : float
        Gamma and kappa.
    """
    share(density, "density")
    share(advantage, "advantage", most=0.5)
    paper_rate = 2 * learning_rate
    regret = paper_rate + math.log(1 / density) / (whole(rounds, "rounds") * paper_rate)
    return 2 * (advantage - regret)


def slickness(density: float, n_records: int) -> float:
    """Return how far one record moves the normalised measure in statistical distance: 1/(kappa n).

    Lemma 21 as stated. Its proof goes through a third measure and proves twice that (erratum E5). The
    stated figure is right: by PRIVACY.md 2.1 the other records' weights all move one way, together by
    W_i - W'_i, and the replaced one's by as much, so the L1 distance is at most 2, half of it 1, and both
    measures have mass kappa n.

    Parameters
    ----------
    density : float
        Kappa.
    n_records : int
        The public number of records.
    """
    share(density, "density")
    return 1 / (density * whole(n_records, "n_records"))
