"""What a release costs: the statement of the mechanism that draws its noise."""

from __future__ import annotations

from discreet.accounting import Loss
from discreet.mechanisms.claims import Claim, Noise
from discreet.mechanisms.selection import selection_loss
from discreet.mechanisms.vectors import gaussian_loss


def stated_loss(claim: Claim, noise: Noise, scale: float) -> Loss:
    """Return what OpenDP states for one release of a claim."""
    return gaussian_loss(claim, scale) if noise == "gaussian" else selection_loss(claim, noise, scale)
