"""How good probabilities are: four figures, the same for every model that is compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

SURE = 1e-6
"""Probabilities closer to 0 or 1 count as this far from it: a wrong certainty must not make a mean
infinite."""


@dataclass(frozen=True)
class Metrics:
    """Figures of one model on held-out records.

    Attributes
    ----------
    accuracy : float
        Share of records on the right side of 0.5; exactly 0.5 counts as the negative class.
    auc : float
        Area under the ROC curve; ties count half.
    log_loss : float
        Mean negative logarithm of the true class's probability, in nats; see `SURE`.
    brier : float
        Mean squared difference of probability and outcome.
    """

    accuracy: float
    auc: float
    log_loss: float
    brier: float


METRICS = tuple(field.name for field in fields(Metrics))


def measured(positive: npt.NDArray[np.bool_], probabilities: npt.NDArray[np.float64]) -> Metrics:
    """Measure probabilities of the positive class against what is true.

    Parameters
    ----------
    positive : array of bool
        Which records are of the positive class; both classes occur.
    probabilities : array of float
        What the model says. A peer's regression may leave [0, 1]: its order counts for the AUC, and for the
        other figures the nearest probability.

    Returns
    -------
    Metrics
        The four figures.

    Raises
    ------
    ValueError
        A probability is not a number.
    """
    # Imported late: scikit-learn is slow to import, and readers of results do without.
    from sklearn.metrics import roc_auc_score

    if not np.isfinite(probabilities).all():
        raise ValueError("a probability is not a finite number")
    kept = np.clip(probabilities, 0.0, 1.0)
    unsure = np.clip(kept, SURE, 1 - SURE)
    return Metrics(
        accuracy=float(((kept > 0.5) == positive).mean()),
        auc=float(roc_auc_score(positive, probabilities)),
        log_loss=float(-np.log(np.where(positive, unsure, 1 - unsure)).mean()),
        brier=float(((kept - positive) ** 2).mean()),
    )


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error, which one value alone does not have (nan)."""
    numbers = np.asarray(values, dtype=np.float64)
    error = numbers.std(ddof=1) / math.sqrt(len(numbers)) if len(numbers) > 1 else math.nan
    return float(numbers.mean()), float(error)
