"""What the projection is compared with: the same descent without it, and objective perturbation.

Written for the benchmark. Noise comes from numpy's generator: these are measurements, and nothing is
guaranteed for what they return.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit

from discreet import ProjectedHalfspaceClassifier
from discreet.engines.projection import NORM
from discreet.halfspaces.defaults import settled_rounds, step_of
from discreet.halfspaces.fit_plan import UNIT
from discreet.halfspaces.options import ProjectedOptions

Floats = npt.NDArray[np.floating]

_CURVATURE = 0.25
"""The largest second derivative of the logistic loss: the paper's c."""


def unprojected_descent(
    X: Any,
    y: npt.NDArray[np.int64],
    margin: float,
    epsilon: float,
    delta: float,
    random: np.random.Generator,
) -> Floats:
    """Noisy descent on the columns themselves, with the library's rounds, step and noise.

    The library does so with ``n_components`` as large as the number of columns; but only up to 2^14 of them,
    and 2^24 over all rounds.
    """
    n, d = X.shape
    model = ProjectedHalfspaceClassifier(epsilon, delta, margin, [0, 1])
    rounds = settled_rounds(ProjectedOptions.checked(model.get_params(deep=False)), n, d)
    # The noise in a coordinate depends on the rounds, and not on the number of coordinates.
    (term,) = model.set_params(rounds=rounds, n_components=1).plan(n, d).terms
    deviation = term.scale / (NORM * UNIT)
    step = step_of(n, d, rounds, deviation)
    signs = 2.0 * y - 1
    w, total = np.zeros(d, dtype=X.dtype), np.zeros(d)
    for done in range(rounds):
        active = signs * (signs * (X @ w) < 0.96 * margin)
        noise = deviation * random.standard_normal(d, dtype=np.float32)
        w = w + step * (X.T @ active.astype(X.dtype) + noise)
        w = (w / max(1.0, float(np.linalg.norm(w)))).astype(X.dtype)
        if done >= rounds // 2:
            total += w
    return total


def objective_perturbation(
    X: Any, y: npt.NDArray[np.int64], regularisation: float, epsilon: float, random: np.random.Generator
) -> Floats:
    """Chaudhuri, Monteleoni, Sarwate (2011), Algorithm 2, with the logistic loss: (epsilon, 0).

    Minimises (1/n) sum of losses + (L/2) |f|^2 + <b, f>/n. The direction of b is uniform, and its norm has
    the distribution Gamma(d, 2/epsilon'). The paper's L is ``regularisation``, raised where it leaves
    too little of epsilon.
    """
    n, d = X.shape
    left, strength = _settled(n, regularisation, epsilon)
    b = random.standard_normal(d)
    b *= random.gamma(d, 2 / left) / np.linalg.norm(b)
    signs = 2.0 * y - 1

    # The quadratic part is least at this point. Seen from there, b is gone, and the sum has no large terms.
    least = -b / (n * strength)
    offset = X @ least.astype(X.dtype)

    def objective(f: Floats) -> tuple[float, Floats]:
        margins = signs * (X @ f.astype(X.dtype) + offset)
        slopes = -signs * expit(-margins)
        value = np.logaddexp(0, -margins).mean() + strength / 2 * (f @ f)
        return float(value), (X.T @ slopes.astype(X.dtype)) / n + strength * f

    exact = {"maxiter": 200, "gtol": 1e-7}
    found = minimize(objective, np.zeros(d), jac=True, method="L-BFGS-B", options=exact)
    return np.asarray(least + found.x)


def _settled(n: int, regularisation: float, epsilon: float) -> tuple[float, float]:
    """Return the paper's epsilon' and the strength of the regulariser."""
    ratio = _CURVATURE / (n * regularisation)
    left = epsilon - 2 * math.log1p(ratio)
    if left > 0:
        return left, regularisation
    return epsilon / 2, max(regularisation, _CURVATURE / (n * math.expm1(epsilon / 4)))
