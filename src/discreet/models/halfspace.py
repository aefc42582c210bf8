"""A halfspace: one coefficient a feature, in integers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discreet.boosting.features import Coding, Vectors

COEFFICIENT_NORM = 2**47
"""Inner products with vectors on the grid stay below 2^62, and coefficients are exact in JSON."""

_BLOCK = 2**14


@dataclass(frozen=True)
class Halfspace:
    """The sum of the released vectors, which is their average up to a public factor.

    Parameters
    ----------
    coefficients : tuple of int
        One a feature, the intercept last.
    learning_rate : float
        Half the log odds of an inner product of 1.
    coding : {"numeric", "thermometer"}
        How numbers are coded.
    """

    coefficients: tuple[int, ...]
    learning_rate: float
    coding: Coding

    def votes(self, records: Vectors) -> npt.NDArray[np.int64]:
        """Return the inner product with each record; exact integers."""
        coefficients = np.array(self.coefficients, dtype=np.int64)
        blocks = range(0, len(records), _BLOCK)
        products = [records[start : start + _BLOCK].astype(np.int64) @ coefficients for start in blocks]
        return np.concatenate([np.zeros(0, dtype=np.int64), *products])

    def positive_probability(self, votes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Turn inner products into probabilities of the last class, by the link of the loss.

        It is that of `RuleEnsemble`: the measures are the same, and levels are inner products.
        """
        return np.asarray(np.exp(-np.logaddexp(0.0, -2 * self.learning_rate * votes)))
