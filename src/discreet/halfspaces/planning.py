"""Is n enough? The dimension of the projection, the noise and the error, before any data."""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.errors import OptionError
from discreet.halfspaces.practical import Method, Practical, practical
from discreet.theory.limits import share, whole
from discreet.theory.projected_halfspaces import DescentTheorem, NetTheorem
from discreet.theory.projected_halfspaces_as_printed import PrintedSize, theorem_2, theorem_4


@dataclass(frozen=True)
class HalfspacePlan:
    """What is proven for a learner of projected halfspaces; ``print`` shows it.

    Parameters
    ----------
    method : {"descent", "net"}
        "net" if delta is 0.
    alpha, beta, epsilon, delta, margin : float
        What was asked for.
    n : int
        The number of records that was asked about.
    n_components : int
        m, at n records.
    steps : int
        Of the descent; 1 for a net.
    noise : float
        In each coordinate of a step's sum of gradients (Gaussian), or on each count of margin errors
        (exponential).
    predicted_error : float
        The error on the source is at most this at n records, but with probability beta; 1 says nothing.
    proven_components, proven_records : int
        m and the least n with which the error is at most alpha.
    printed : PrintedSize
        The same by the paper's own proof, its constants made explicit.
    log10_candidates : float or None
        Of a net at n records: the decimal logarithm of a bound of its size.
    practical : Practical or None
        What simulations reached, where they were made.
    """

    method: Method
    alpha: float
    beta: float
    epsilon: float
    delta: float
    margin: float
    n: int
    n_components: int
    steps: int
    noise: float
    predicted_error: float
    proven_components: int
    proven_records: int
    printed: PrintedSize
    log10_candidates: float | None = None
    practical: Practical | None = None

    @property
    def enough(self) -> bool:
        """Whether the error is proven to be at most alpha at n records."""
        return self.predicted_error <= self.alpha

    def __str__(self) -> str:
        budget = f"epsilon = {self.epsilon:g}" + (f", delta = {self.delta:g}" if self.delta else "")
        lines = [
            f"A halfspace of margin {self.margin:g} by {_NAMES[self.method]}, {budget}",
            f"asked for: error at most {self.alpha:g}, but with probability {self.beta:g}",
            f"proven: n = {self.proven_records:,} records, projected to m = {self.proven_components:,}",
            f"the paper's proof: n = {self.printed.n_records:,}, m = {self.printed.n_components:,}",
        ]
        if self.practical is not None:
            row = self.practical
            lines.append(
                f"measured: n = {row.n_records:,}, m = {row.n_components:,} gave error at most "
                f"{row.error:g} at margin {row.margin:g}, epsilon = {row.epsilon:g}\n"
                f"    ({row.command})"
            )
        lines += [f"n = {self.n:,}: m = {self.n_components:,}, {self._learner}", f"    {self._verdict}"]
        return "\n".join(lines)

    @property
    def _learner(self) -> str:
        if self.log10_candidates is not None:
            return f"at most 10^{self.log10_candidates:.0f} candidates, noise {self.noise:.4g} on each count"
        return f"{self.steps:,} steps, noise {self.noise:.4g} in each coordinate of a sum of gradients"

    @property
    def _verdict(self) -> str:
        if self.enough:
            return f"enough: error at most {self.predicted_error:.2g}"
        if self.predicted_error < 1:
            return f"not enough for the proof: error at most {self.predicted_error:.2g}"
        return "not enough for the proof, which says nothing here"


_NAMES: dict[Method, str] = {"descent": "noisy descent", "net": "choice from a net"}


def plan(
    *,
    alpha: float = 0.1,
    beta: float = 0.05,
    epsilon: float = 1.0,
    delta: float = 1e-6,
    margin: float = 0.1,
    n: int = 10_000,
) -> HalfspacePlan:
    """Tell what is proven about learning a large-margin halfspace from n records.

    Parameters
    ----------
    alpha, beta : float
        The error on the source, and the probability of more.
    epsilon, delta : float
        The privacy budget. Delta 0 asks for the choice from a net, delta above 0 for descent.
    margin : float
        Gamma: y<w*, x> is at least this on every record, all unit vectors.
    n : int
        The number of records.

    Returns
    -------
    HalfspacePlan
        Prints itself.

    Raises
    ------
    OptionError
        A number is out of its range.

    Examples
    --------
    >>> print(plan(margin=0.3, n=100_000))
    A halfspace of margin 0.3 by noisy descent, epsilon = 1, delta = 1e-06
    asked for: error at most 0.1, but with probability 0.05
    proven: n = 89,281 records, projected to m = 4,273
    the paper's proof: n = 403,579,309,155, m = 17,755,386
    measured: n = 656, m = 256 gave error at most 0.1 at margin 0.3, epsilon = 1
        (python -m benchmarks.paper.halfspaces.practical)
    n = 100,000: m = 4,302, 283,090 steps, noise 3.214e+04 in each coordinate of a sum of gradients
        enough: error at most 0.092
    """
    share(alpha, "alpha")
    whole(n, "n")
    if delta == 0:
        return _by_net(alpha, beta, epsilon, margin, n)
    if not 0 < delta < 1:
        raise OptionError("delta must be at least 0 and below 1; 0 asks for a net")
    theorem = DescentTheorem(beta, epsilon, delta, margin)
    needed = theorem.n_records(alpha)
    return HalfspacePlan(
        method="descent",
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        delta=delta,
        margin=margin,
        n=n,
        n_components=theorem.n_components(n),
        steps=theorem.steps(n),
        noise=theorem.sigma(n),
        predicted_error=theorem.error(n),
        proven_components=theorem.n_components(needed),
        proven_records=needed,
        printed=theorem_2(alpha, beta, epsilon, delta, margin),
        practical=practical("descent", alpha, beta, epsilon, delta, margin),
    )


def _by_net(alpha: float, beta: float, epsilon: float, margin: float, n: int) -> HalfspacePlan:
    theorem = NetTheorem(beta, epsilon, margin)
    needed = theorem.n_records(alpha)
    return HalfspacePlan(
        method="net",
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        delta=0.0,
        margin=margin,
        n=n,
        n_components=theorem.n_components(n),
        steps=1,
        noise=theorem.scale,
        predicted_error=theorem.error(n),
        proven_components=theorem.n_components(needed),
        proven_records=needed,
        printed=theorem_4(alpha, beta, epsilon, margin),
        log10_candidates=theorem.log_candidates(n) / math.log(10),
        practical=practical("net", alpha, beta, epsilon, 0.0, margin),
    )
