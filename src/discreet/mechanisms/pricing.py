"""What one release of a claim costs, by the mechanism's own map."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from discreet.accounting import ZCDP, BoundedRange, GaussianDP, Loss, PureDP, SampledGaussianDP
from discreet.mechanisms.above_threshold import threshold_loss
from discreet.mechanisms.claims import Claim, Noise, Sampling
from discreet.mechanisms.labels import labels_loss
from discreet.mechanisms.selection import selection_loss
from discreet.mechanisms.vectors import gaussian_loss, laplace_loss

_ROUNDING = 1e-14
"""Covers the rounding of expm1, log1p and three products."""


def release_loss(claim: Claim, noise: Noise, scale: float) -> Loss:
    """Return the loss of one release of a claim under noise of this kind and scale."""
    if claim.sampling is not None and claim.kind == "vector" and noise == "gaussian":
        return _on_one_record(gaussian_loss(claim, scale), claim.sampling)
    if claim.sampling is not None:
        return _on_a_sample(release_loss(replace(claim, sampling=None), noise, scale), claim.sampling)
    if claim.kind == "threshold":
        return threshold_loss(claim, scale)
    if claim.kind == "labels":
        return labels_loss(claim, scale)
    if claim.kind == "vector":
        if (claim.norm == "l1") != (noise == "laplace"):
            raise TypeError("Laplace noise is for L1 norms, Gaussian noise for L2 norms")
        return laplace_loss(claim, scale) if noise == "laplace" else gaussian_loss(claim, scale)
    return selection_loss(claim, noise, scale)


def _on_a_sample(loss: Loss, sampling: Sampling) -> PureDP:
    """Return what a release on drawn records costs the whole table (docs/proofs/resampling.md).

    Each draw multiplies the ratio of probabilities by at most 1 + distance (exp(epsilon) - 1). A selection of
    bounded range is as private, purely, as its range is wide.
    """
    if not isinstance(loss, PureDP | BoundedRange):
        raise TypeError("resampling is for selections: other noise is not purely private")
    epsilon = loss.epsilon if isinstance(loss, PureDP) else loss.width
    if epsilon > 700:
        return PureDP(math.inf)
    distance = math.nextafter(float(Fraction(sampling.distance)), math.inf)
    amplified = sampling.draws * math.log1p(distance * math.expm1(epsilon))
    return PureDP(amplified * (1 + _ROUNDING))


def _on_one_record(loss: GaussianDP | ZCDP, sampling: Sampling) -> SampledGaussianDP:
    """Return what Gaussian noise on one drawn record costs the table (docs/proofs/stochastic-descent.md).

    It is stated about the discrete Gaussian itself, so it holds at scales too small for a Gaussian loss, too.
    """
    if sampling.draws != 1:
        raise TypeError("a vector with Gaussian noise is priced for a single draw")
    mu = loss.mu if isinstance(loss, GaussianDP) else math.nextafter(math.sqrt(2 * loss.rho), math.inf)
    return SampledGaussianDP(mu, min(1.0, math.nextafter(float(sampling.distance), math.inf)))
