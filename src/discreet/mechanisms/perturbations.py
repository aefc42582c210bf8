"""Random costs of labels for a leader that is perturbed (PRIVACY.md 8): secret, and nearly normal.

The guarantee of a perturbed leader rests on how its perturbations are distributed: they are secret, like
noise, and come from the same exact sampler. They are normal draws for all that their proof needs: the scale
is one from which on discrete Gaussian noise cannot be told from rounded normal noise
(docs/proofs/gaussian-vectors.md).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discreet.mechanisms.vectors import LEAST_SCALE, MOST_COORDINATES, draw_gaussian

PERTURBATION_SCALE = LEAST_SCALE
MOST_PERTURBATIONS = MOST_COORDINATES
"""Of all runs of a fit together."""


def draw_perturbations(n_runs: int, n_points: int) -> npt.NDArray[np.int64]:
    """Draw a cost for each point in each run, independent discrete Gaussian noise."""
    return draw_gaussian(np.zeros(n_runs * n_points, dtype=np.int64), PERTURBATION_SCALE).reshape(
        n_runs, n_points
    )
