"""What a plan promises to release, and on which terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from discreet.accounting import Loss

Noise = Literal["exponential", "gumbel"]
"""How a selection is randomised: exponential noise is permute-and-flip (pure differential privacy),
Gumbel noise is the exponential mechanism (zCDP by its bounded range). PRIVACY.md 0."""


@dataclass(frozen=True)
class Claim:
    """One kind of release, as a weak learner declares it before any data is read.

    Parameters
    ----------
    kind : {"selection", "selections"}
        What leaves: the index of one candidate; or that of one in each leaf, all leaves at once.
    norm : {"range"}
        How ``bound`` measures the effect of one record on the scores. The range is
        max(q' - q) - min(q' - q) over the candidates, for neighbours q, q'; of selections, the sum of
        these over the leaves.
    bound : int
        The largest possible value of that norm, in the integer units of the scores.
    count : int
        How often a round releases it.
    proof : str
        The paragraph that proves the bound.
    """

    kind: Literal["selection", "selections"]
    norm: Literal["range"]
    bound: int
    count: int
    proof: str


@dataclass(frozen=True)
class Terms:
    """A claim with the noise that the plan gave it.

    Parameters
    ----------
    claim : Claim
        What may be released.
    times : int
        How often, over the whole fit.
    noise : {"exponential", "gumbel"}
        The distribution of the noise.
    scale : float
        Its scale, in the units of the scores.
    loss : PureDP or ZCDP
        The loss of one release.
    """

    claim: Claim
    times: int
    noise: Noise
    scale: float
    loss: Loss
