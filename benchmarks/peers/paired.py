"""The interval of a paired difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.stats import t

from discreet.benchmark.metrics import mean_and_error

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean difference and its confidence interval."""

    mean: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether the sign of the difference is established at the interval's level."""
        return self.low > 0 or self.high < 0


def paired_interval(ours: Sequence[float], theirs: Sequence[float], level: float = LEVEL) -> Interval:
    """Compare two models that were measured on the same seeds or folds.

    Parameters
    ----------
    ours, theirs : sequence of float
        One figure a seed or fold, in the same order; at least two.
    level : float, default 0.95
        The confidence of the interval.

    Returns
    -------
    Interval
        Of ours minus theirs: Student's t interval of the mean of the paired differences. Folds share training
        records, so their differences are not independent, and the interval is somewhat too narrow; seeds of
        one split share all records, and the interval tells of the noise of learning, not of another sample.
    """
    if len(ours) != len(theirs) or len(ours) < 2:
        raise ValueError("a paired comparison needs at least two pairs, and as many figures on either side")
    mean, error = mean_and_error([mine - yours for mine, yours in zip(ours, theirs, strict=True)])
    reach = error * float(t.ppf((1 + level) / 2, len(ours) - 1))
    return Interval(mean, mean - reach, mean + reach)
