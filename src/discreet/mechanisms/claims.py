"""What a plan promises to release, and on which terms."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from discreet.accounting import Loss

Noise = Literal["exponential", "gumbel", "laplace", "gaussian"]
"""How a release is randomised. For a selection, exponential noise is permute-and-flip (pure differential
privacy), Gumbel noise is the exponential mechanism (bounded range). A threshold test takes discrete Laplace
noise, as do the costs of labels; a vector takes discrete Gaussian noise, or discrete Laplace noise where its
L1 norm is bounded. PRIVACY.md 0, 5, 6, 8."""

Kind = Literal["selection", "selections", "threshold", "vector", "labels"]
"""What leaves: the index of one candidate; or that of one in each leaf, all leaves at once; or when, in a
run of queries, the first one was above a threshold; or every coordinate of an integer vector, with noise; or
a label for each of some public points."""

Route = Literal["pure", "approximate"]
"""Whether a plan does without delta."""

NOISE: dict[tuple[Kind, Route], Noise] = {
    ("selection", "pure"): "exponential",
    ("selection", "approximate"): "gumbel",
    ("selections", "pure"): "exponential",
    ("selections", "approximate"): "gumbel",
    ("threshold", "pure"): "laplace",
    ("threshold", "approximate"): "laplace",
    ("vector", "approximate"): "gaussian",
    ("vector", "pure"): "laplace",
    ("labels", "pure"): "laplace",
}
"""The noise of each kind of release on each route. Labels have Laplace noise only: their proof fails for any
other (PRIVACY.md 9, E8)."""


@dataclass(frozen=True)
class Sampling:
    """The draws on which a release was made.

    Parameters
    ----------
    draws : int
        How many records were drawn, independently.
    distance : Fraction
        How far one record of the table can move the distribution of a draw, in total variation.
    """

    draws: int
    distance: Fraction


@dataclass(frozen=True)
class Claim:
    """One kind of release, as a weak learner or a stopping rule declares it before any data is read.

    Parameters
    ----------
    kind : {"selection", "selections", "threshold", "vector", "labels"}
        What leaves.
    norm : {"range", "change", "l2", "l1"}
        How ``bound`` measures the effect of one record on the scores. The range is
        max(q' - q) - min(q' - q) over the candidates, for neighbours q, q'; of selections, the sum of
        these over the leaves; of labels, the candidates are all labellings, and their scores the least
        errors of a classifier that labels the points so. The change is the largest abs(q' - q) over the
        queries; the L2 and the L1 norm are those of the difference of two vectors.
    bound : int
        The largest possible value of that norm, in the integer units of the scores or the vector.
    count : int
        How often a round releases it; a threshold test is one release, whatever it is asked.
    proof : str
        The paragraph that proves the bound.
    sampling : Sampling, optional
        If the scores are those of drawn records: ``bound`` is then for one record of the sample.
    unit : int, default 1
        What one full weight adds at most, for the print: 1 to a score, the norm of a record to a vector.
    points : int, default 0
        For labels: of how many points.
    """

    kind: Kind
    norm: Literal["range", "change", "l2", "l1"]
    bound: int
    count: int
    proof: str
    sampling: Sampling | None = None
    unit: int = 1
    points: int = 0


@dataclass(frozen=True)
class Terms:
    """A claim with the noise that the plan gave it.

    Parameters
    ----------
    claim : Claim
        What may be released.
    times : int
        How often, over the whole fit.
    noise : {"exponential", "gumbel", "laplace", "gaussian"}
        The distribution of the noise.
    scale : float
        Its scale, in the units of the scores or the vector. Of a threshold test, that of the noise on the
        threshold; queries have twice as much.
    loss : PureDP, BoundedRange, GaussianDP or SampledGaussianDP
        The loss of one release.
    """

    claim: Claim
    times: int
    noise: Noise
    scale: float
    loss: Loss


def noise_of(claim: Claim, route: Route) -> Noise | None:
    """Return the noise of a claim on a route, or none: Gaussian noise is for L2 norms, and never pure.

    Noise for the L1 norm grows with the square root of a vector's length, and with the rounds rather than
    their root; so a learner may well claim an L2 norm only.
    """
    if claim.kind == "vector" and (claim.norm == "l1") != (route == "pure"):
        return None
    return NOISE.get((claim.kind, route))
