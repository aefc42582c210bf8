"""Theorems 2 and 4 of Le Nguyen, Ullman and Zakynthinou with the constants of the paper's own proofs.

For comparison: what hides in its O(.) and polylog. `discreet.theory.projected_halfspaces` proves the same
with less.

* m: four events of distortion t = gamma/100, each but with probability
  2 exp(-(m/2)(t^2/2 - t^3/3)) <= alpha beta^2/(64 n) (Achlioptas 2003).
* generalisation: 4 ((2n)^(m + 1) + 1) exp(-alpha n/32) <= beta/4 (Lemma 4).
* descent, Algorithm 3: one run of n^2 noisy steps has an expected excess of at most
  2 D G (2 + ln(n^2))/n, D = 2, G^2 = (n L)^2 + m sigma^2 (Shamir, Zhang 2013, Theorem 2, for the last
  iterate), and of k = ceil(ln(8/beta)) runs one is within e times that but with probability beta/8. The
  selection among them adds (2 B/epsilon') ln(8 k/beta), B the largest loss. The paper pays for the k runs
  with all of (epsilon, delta) and forgets the selection; here each of the k + 1 has an equal part.
* net: (2/epsilon)(ln|W| + ln(4/beta)) errors, |W| <= (1 + 20/gamma)^m.

Each mean loss is to be alpha/4.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from discreet.theory.limits import check_goal, least

DISTORTION = 1 / 100
"""Of squared norms, over gamma."""

KEPT = 96 / 100
"""The paper's share of the margin after the projection; 98/100 holds."""


@dataclass(frozen=True)
class PrintedSize:
    """What the printed proof asks for.

    Parameters
    ----------
    n_components : int
        m, at ``n_records`` records.
    privacy : int
        Records for the learner, at this m.
    generalisation : int
        Records for the step to the source, at this m.
    """

    n_components: int
    privacy: int
    generalisation: int

    @property
    def n_records(self) -> int:
        """The number of records that meets both."""
        return max(self.privacy, self.generalisation)


def theorem_2(alpha: float, beta: float, epsilon: float, delta: float, margin: float) -> PrintedSize:
    """Return the sample size of the learner by noisy stochastic descent, with Algorithm 3's settings."""
    check_goal(alpha, beta, epsilon, delta, margin)
    runs = math.ceil(math.log(8 / beta))
    part, part_delta = epsilon / (runs + 1), delta / (runs + 1)
    lipschitz = 100 / (86 * margin)
    largest_loss = lipschitz * (KEPT * margin + 1)

    def mean_loss(n: int, m: int) -> float:
        noise = 32 * m * (math.log(n) - math.log(part_delta)) * -math.log(part_delta) / part**2
        excess = 4 * lipschitz * math.sqrt(1 + noise) * (2 + 2 * math.log(n))
        selection = 2 * largest_loss / part * math.log(8 * runs / beta)
        return (math.e * excess + selection) / n

    return _size(alpha, beta, margin, mean_loss)


def theorem_4(alpha: float, beta: float, epsilon: float, margin: float) -> PrintedSize:
    """Return the sample size of the learner by the exponential mechanism over a net."""
    check_goal(alpha, beta, epsilon, 0.5, margin)

    def mean_loss(n: int, m: int) -> float:
        return 2 / epsilon * (m * math.log1p(20 / margin) + math.log(4 / beta)) / n

    return _size(alpha, beta, margin, mean_loss)


def printed_components(alpha: float, beta: float, margin: float, n_records: int) -> int:
    """Return the paper's m: 2 exp(-(m/2)(t^2/2 - t^3/3)) <= alpha beta^2/(64 n) at t = gamma/100."""
    t = DISTORTION * margin
    events = math.log(128 * n_records) - math.log(alpha) - 2 * math.log(beta)
    return math.ceil(events / (t**2 / 4 - t**3 / 6))


def _size(alpha: float, beta: float, margin: float, mean_loss: Callable[[int, int], float]) -> PrintedSize:
    def components(n: int) -> int:
        return printed_components(alpha, beta, margin, n)

    def generalises(n: int, m: int) -> bool:
        growth = (m + 1) * math.log(2 * n)  # ln(a + 1) <= ln(a) + 1/a
        return math.log(16 / beta) + growth + math.exp(-growth) <= alpha * n / 32

    n = least(lambda n: mean_loss(n, components(n)) <= alpha / 4 and generalises(n, components(n)))
    m = components(n)
    return PrintedSize(
        n_components=m,
        privacy=least(lambda n: mean_loss(n, m) <= alpha / 4),
        generalisation=least(lambda n: generalises(n, m)),
    )
