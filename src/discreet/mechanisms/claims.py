"""What a plan promises to release, and on which terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from discreet.accounting import Loss

Noise = Literal["exponential", "gumbel", "gaussian"]
"""How a release is randomised. A selection: exponential noise is permute-and-flip (pure differential
privacy), Gumbel noise is the exponential mechanism (bounded range). A vector: the discrete Gaussian.
PRIVACY.md 0."""

Kind = Literal["selection", "vector"]
"""What leaves: the index of one candidate; or every coordinate of an integer vector, with noise."""

Route = Literal["pure", "approximate"]
"""Whether a plan does without delta."""

NOISE: dict[tuple[Kind, Route], Noise] = {
    ("selection", "pure"): "exponential",
    ("selection", "approximate"): "gumbel",
    ("vector", "approximate"): "gaussian",
}
"""The noise of each kind of release on each route. Vectors have none on the pure route: noise for their
L1 norm grows with the square root of their length, and with the rounds rather than their root."""


@dataclass(frozen=True)
class Claim:
    """One kind of release, as a weak learner declares it before any data is read.

    Parameters
    ----------
    kind : {"selection", "vector"}
        What leaves.
    norm : {"range", "l2"}
        How ``bound`` measures the effect of one record. The range is max(q' - q) - min(q' - q) over the
        candidates, for neighbours q, q'; the L2 norm is that of the difference of two vectors.
    bound : int
        The largest possible value of that norm, in the integer units of the scores or the vector.
    count : int
        How often a round releases it.
    proof : str
        The paragraph that proves the bound.
    unit : int, default 1
        What one full weight adds at most, for the print: 1 to a score, the norm of a record to a vector.
    """

    kind: Kind
    norm: Literal["range", "l2"]
    bound: int
    count: int
    proof: str
    unit: int = 1


@dataclass(frozen=True)
class Terms:
    """A claim with the noise that the plan gave it.

    Parameters
    ----------
    claim : Claim
        What may be released.
    times : int
        How often, over the whole fit.
    noise : {"exponential", "gumbel", "gaussian"}
        The distribution of the noise.
    scale : float
        Its scale, in the units of the scores or the vector.
    loss : PureDP, BoundedRange or GaussianDP
        The loss of one release.
    """

    claim: Claim
    times: int
    noise: Noise
    scale: float
    loss: Loss
