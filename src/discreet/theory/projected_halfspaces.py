"""Large-margin halfspaces by random projection: error and sample size (Le Nguyen, Ullman, Zakynthinou 2020).

A source has margin gamma if some unit vector w* has y<w*, x> >= gamma on every record, a unit vector. Records
are projected to m dimensions by a matrix of +-1/sqrt(m) and normalised; a halfspace is learnt there.

`DescentTheorem` and `NetTheorem` are Theorems 2 and 4 with explicit constants, by proofs that follow the
paper's and lose less (docs/theory.md, section 8). The paper's own arithmetic is in
`discreet.theory.projected_halfspaces_as_printed`. Each fails with probability at most beta: a third of it for
the projection, one for the learner and one for the step from the sample to the source.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from discreet.accounting import ApproxDP, largest_zcdp
from discreet.errors import OptionError
from discreet.theory.limits import least, positive, share, whole

DESCENT_KEEPS = 1 / 2
"""The share of the margin that is left after the projection for a descent: 1/(kept (1 - kept)) is least."""

NET_KEEPS = 1 / 5
"""For a net: its radius is gamma/10, and margins of gamma/10 are to be left."""

RADIUS_SHARE = 1 / 10
"""The radius of the net over gamma."""

STEPS_FACTOR = 10
"""So many times the steps at which a descent's optimisation error equals its noise."""


def projection_tail(distortion: float, dimension: int) -> float:
    """Bound P(|Ax|^2 > (1 + t)|x|^2), and P(|Ax|^2 < (1 - t)|x|^2), by exp(-(m/2)(t^2/2 - t^3/3)).

    Achlioptas (2003), for a matrix of +-1/sqrt(m). Both together have twice that.
    """
    return math.exp(-dimension * _rate(distortion))


def projected_margin(margin: float, distortion: float) -> float:
    """Return what is left of a margin if squared norms are off by factors 1 +- t: (gamma - t)/(1 + t).

    For unit vectors x and w*, y<Aw*, Ax> = |A(x + y w*)|^2/4 - |A(x - y w*)|^2/4 is at least
    (1 - t)|x + y w*|^2/4 - (1 + t)|x - y w*|^2/4 = y<w*, x> - t, and |Ax||Aw*| at most 1 + t.
    """
    return (margin - distortion) / (1 + distortion)


def distortion_for(margin: float, kept: float) -> float:
    """Return the t at which ``projected_margin`` is a share ``kept`` of the margin."""
    return margin * (1 - kept) / (1 + kept * margin)


def net_error(n_records: int, n_errors: float, log_candidates: float, failure: float) -> float:
    """Bound the error of any of so many public candidates that errs on at most ``n_errors`` of the sample.

    A candidate with error p does so with probability at most exp(-n KL(n_errors/n || p)), by Chernoff; the
    bound is the p at which that, times the number of candidates, is ``failure``.

    Parameters
    ----------
    n_records : int
        The size of the sample.
    n_errors : float
        At most so many errors in the sample.
    log_candidates : float
        The natural logarithm of the number of candidates, which were fixed before the sample was drawn.
    failure : float
        The probability that the bound fails.
    """
    observed = n_errors / n_records
    wanted = (log_candidates - math.log(failure)) / n_records
    if observed >= 1:
        return 1.0
    low, high = observed, 1.0
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _divergence(observed, middle) < wanted else (low, middle)
    return high


@dataclass(frozen=True)
class DescentTheorem:
    """Theorem 2 for noisy gradient descent on the whole sample, averaged (docs/theory.md, section 8).

    Parameters
    ----------
    beta : float
        The probability that the error is larger than stated.
    epsilon, delta : float
        The privacy budget; delta above 0.
    margin : float
        Gamma.

    Examples
    --------
    >>> theorem = DescentTheorem(beta=0.05, epsilon=1.0, delta=1e-6, margin=0.3)
    >>> n = theorem.n_records(alpha=0.1)
    >>> n, theorem.n_components(n)
    (89281, 4273)
    """

    beta: float
    epsilon: float
    delta: float
    margin: float

    def __post_init__(self) -> None:
        _check(self.beta, self.epsilon, self.margin)
        share(self.delta, "delta")

    @property
    def lipschitz(self) -> float:
        """The loss max(0, 1 - y<w, x>/(kept gamma)) moves by at most this times a step of w."""
        return 1 / (DESCENT_KEEPS * self.margin)

    @cached_property
    def mu(self) -> float:
        """The noise of a step is 2 ``lipschitz`` sqrt(steps)/mu: sqrt(2 rho) for the rho of the budget."""
        return math.sqrt(2 * largest_zcdp(ApproxDP(self.epsilon, self.delta)).rho)

    def n_components(self, n_records: int) -> int:
        """Return m, the dimension of the projection."""
        return math.ceil(self._components(n_records))

    def steps(self, n_records: int) -> int:
        """Return T, the number of steps."""
        return math.ceil(STEPS_FACTOR * (n_records * self.mu) ** 2 / (4 * self._components(n_records)))

    def sigma(self, n_records: int) -> float:
        """Return the noise in each coordinate of the sum of all gradients, in each step."""
        return 2 * self.lipschitz * math.sqrt(self.steps(n_records)) / self.mu

    def step_length(self, n_records: int) -> float:
        """Return by what each noisy sum of gradients is multiplied: 1/(M sqrt(T)), M as for ``loss``."""
        return 1 / math.sqrt(self._mean_square(n_records) * self.steps(n_records))

    def loss(self, n_records: int) -> float:
        """Bound the mean loss on the sample, but with probability beta/3.

        M/sqrt(T) + (2 + 1/sqrt(T)) sigma sqrt(2 l/T), l = ln(6/beta), for the total, with
        M^2 = (nL)^2 + sigma^2 (m + 2 sqrt(m l/T) + 2 l/T), a bound of the mean square of a noisy gradient.
        """
        steps = self.steps(n_records)
        noise = 2 * self.lipschitz / self.mu  # sigma/sqrt(T)
        linear = (2 + 1 / math.sqrt(steps)) * noise * math.sqrt(2 * self._tail)
        return (math.sqrt(self._mean_square(n_records) / steps) + linear) / n_records

    def error(self, n_records: int) -> float:
        """Bound the error on the source by the loss on the sample: the better of two bounds.

        * By margins: loss + (2/(kept gamma) + sqrt(ln(3/beta)/2))/sqrt(n), as for `HalfspaceParameters`.
        * By counting halfspaces, of dimension m (the paper's Lemma 4): 2 loss + (8/n)(m ln(2 e n/m) +
          ln(12/beta)). It is the better one for alpha below some 0.0003, and has the paper's rate, 1/alpha.
        """
        n, tail, m = whole(n_records, "n"), math.log(3) - math.log(self.beta), self._components(n_records) + 1
        loss = self.loss(n)
        by_margins = loss + (2 * self.lipschitz + math.sqrt(tail / 2)) / math.sqrt(n)
        growth = m * math.log(2 * math.e * n / m) if 2 * n > m else math.inf
        return min(1.0, by_margins, 2 * loss + 8 / n * (growth + math.log(4) + tail))

    def n_records(self, alpha: float) -> int:
        """Return the least number of records with which the error is at most alpha."""
        share(alpha, "alpha")
        return least(lambda n: self.error(n) <= alpha)

    @property
    def _tail(self) -> float:
        return math.log(6) - math.log(self.beta)

    def _mean_square(self, n_records: int) -> float:
        m, steps = self._components(n_records) + 1, self.steps(n_records)
        length = m + 2 * math.sqrt(m * self._tail / steps) + 2 * self._tail / steps
        return (n_records * self.lipschitz) ** 2 + self.sigma(n_records) ** 2 * length

    def _components(self, n_records: int) -> float:
        return _components(self.margin, DESCENT_KEEPS, self.beta, n_records)


@dataclass(frozen=True)
class NetTheorem:
    """Theorem 4: permute-and-flip over a gamma/10 net of the sphere (docs/theory.md, section 8).

    Parameters
    ----------
    beta : float
        The probability that the error is larger than stated.
    epsilon : float
        The privacy budget; delta is 0.
    margin : float
        Gamma.
    """

    beta: float
    epsilon: float
    margin: float

    def __post_init__(self) -> None:
        _check(self.beta, self.epsilon, self.margin)

    @property
    def scale(self) -> float:
        """The exponential noise on each count of margin errors: 2/epsilon, for a range of 2."""
        return 2 / self.epsilon

    def n_components(self, n_records: int) -> int:
        """Return m, the dimension of the projection."""
        return math.ceil(_components(self.margin, NET_KEEPS, self.beta, n_records))

    def log_candidates(self, n_records: int) -> float:
        """Bound the logarithm of a net's size: m ln(1 + 2/radius), as unit balls' volumes give it.

        `discreet.halfspaces.net.Net` counts the net that is built; in so many dimensions none can be.
        """
        m = _components(self.margin, NET_KEEPS, self.beta, n_records) + 1
        return m * math.log1p(2 / (RADIUS_SHARE * self.margin))

    def n_errors(self, log_candidates: float) -> float:
        """Bound the margin errors of the choice, but with probability beta/3.

        Some candidate has none. The noise of that one is not negative, and the largest of all is at most
        scale (ln(candidates) + ln(3/beta)), which no larger count survives.
        """
        return self.scale * (log_candidates + (math.log(3) - math.log(self.beta)))

    def error(self, n_records: int, log_candidates: float | None = None) -> float:
        """Bound the error on the source.

        Parameters
        ----------
        n_records : int
            The size of the sample.
        log_candidates : float, optional
            The logarithm of the exact size of a net, for records that need no projection: the probability of
            failure is then 2 beta/3.
        """
        whole(n_records, "n")
        size = self.log_candidates(n_records) if log_candidates is None else log_candidates
        return net_error(n_records, self.n_errors(size), size, self.beta / 3)

    def n_records(self, alpha: float, log_candidates: float | None = None) -> int:
        """Return the least number of records with which the error is at most alpha."""
        share(alpha, "alpha")
        return least(lambda n: self.error(n, log_candidates) <= alpha)


def _check(beta: float, epsilon: float, margin: float) -> None:
    share(beta, "beta")
    positive(epsilon, "epsilon")
    if not 0 < margin <= 1:
        raise OptionError("margin must be above 0 and at most 1: records are unit vectors")


def _rate(distortion: float) -> float:
    return distortion**2 / 4 - distortion**3 / 6


def _components(margin: float, kept: float, beta: float, n_records: int) -> float:
    """Return the real m with (3 n + 1) ``projection_tail`` = beta/3.

    Bounds of the error take m + 1, which no rounding exceeds: they fall with every record, where a whole m
    would make them jump.

    One event for w*, three for each record x: that A(x + y w*) is not too short, A(x - y w*) and Ax not too
    long.
    """
    whole(n_records, "n")
    return (math.log(3 * (3 * n_records + 1)) - math.log(beta)) / _rate(distortion_for(margin, kept))


def _divergence(observed: float, p: float) -> float:
    """Return KL(observed || p) between two coins, for observed < p."""
    if p >= 1:
        return math.inf
    rest = (1 - observed) * math.log((1 - observed) / (1 - p))
    return rest + (observed * math.log(observed / p) if observed else 0.0)
