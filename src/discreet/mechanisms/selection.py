"""Noise through OpenDP: the production sampler, and the loss that a selection states for itself."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import opendp.prelude as dp

from discreet.accounting import BoundedRange, Loss, PureDP
from discreet.errors import PlanError
from discreet.mechanisms.above_threshold import AboveThreshold, discrete_laplace
from discreet.mechanisms.claims import Claim, Noise
from discreet.mechanisms.drawing import draw
from discreet.mechanisms.labels import draw_costs
from discreet.mechanisms.perturbations import draw_perturbations
from discreet.mechanisms.release import Minimise, Scores, Vector
from discreet.mechanisms.vectors import draw_gaussian, draw_laplace

dp.enable_features("contrib")

_SCORES = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
_MEASURES: dict[Noise, Any] = {
    "exponential": dp.max_divergence(),
    "gumbel": dp.zero_concentrated_divergence(),
}


class OpenDPSampler:
    """Noise from OpenDP's exact samplers, seeded by the operating system: the only one that guarantees."""

    reason: str | None = None

    def select(self, scores: Scores, noise: Noise, scale: float) -> int:
        """Draw the index of a candidate."""
        return int(_noisy_max(noise, scale)(scores))

    def threshold_test(self, scale: float) -> AboveThreshold:
        """Begin a run of AboveThreshold."""
        return AboveThreshold(discrete_laplace, scale)

    def draw(self, ends: npt.NDArray[np.int64]) -> int:
        """Draw a place, secretly."""
        return draw(ends)

    def vector(self, values: Vector, noise: Noise, scale: float) -> Vector:
        """Draw a noisy vector, with Gaussian or Laplace noise."""
        return draw_laplace(values, scale) if noise == "laplace" else draw_gaussian(values, scale)

    def labels(self, minimise: Minimise, n_points: int, scale: float) -> npt.NDArray[np.int8]:
        """Draw the costs of labels, and return the cheapest."""
        return minimise(draw_costs(n_points, scale)).labels

    def perturbations(self, n_runs: int, n_points: int) -> npt.NDArray[np.int64]:
        """Draw the costs of runs, secretly."""
        return draw_perturbations(n_runs, n_points)


def selection_loss(claim: Claim, noise: Noise, scale: float) -> Loss:
    """Return what OpenDP's own map states for one selection.

    OpenDP takes a sensitivity d and charges for a range of 2d, so a range r is passed as d = r/2,
    rounded up (PRIVACY.md 0). For Gumbel noise it states rho = width^2/8, from which the width follows.
    """
    half_range = -(-claim.bound // 2)
    try:
        stated = float(_noisy_max(noise, scale).map(half_range))
    except dp.OpenDPException:
        stated = math.inf  # the map overflows where the scale is next to nothing
    if noise == "exponential":
        return PureDP(stated)
    return BoundedRange(math.nextafter(math.sqrt(8 * stated), math.inf))


@lru_cache(maxsize=64)
def _noisy_max(noise: Noise, scale: float) -> Any:
    try:
        return dp.m.make_noisy_max(*_SCORES, _MEASURES[noise], scale=scale)
    except dp.OpenDPException:
        raise PlanError(f"OpenDP offers no selection at scale {scale:g}") from None
