"""What one release of a claim costs, by the mechanism's own map."""

from __future__ import annotations

from discreet.accounting import Loss
from discreet.mechanisms.above_threshold import threshold_loss
from discreet.mechanisms.claims import Claim, Noise
from discreet.mechanisms.selection import selection_loss


def release_loss(claim: Claim, noise: Noise, scale: float) -> Loss:
    """Return the loss of one release of a claim under noise of this kind and scale."""
    if claim.kind == "threshold":
        return threshold_loss(claim, scale)
    return selection_loss(claim, noise, scale)
