"""A regularised leader: a halfspace whose values are differences of probabilities, and its file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from discreet.boosting.features import NORM, Coding
from discreet.models.halfspace import COEFFICIENT_NORM, Halfspace
from discreet.models.halfspace_file import SavedHalfspace
from discreet.schema.schema import Schema


@dataclass(frozen=True)
class Leader(Halfspace):
    """A linear function. Twice ``learning_rate`` times a vote is a value.

    The loss is a square where values lie between -1 and 1, so a value estimates the probability of the last
    class less that of the first.
    """

    @classmethod
    def of(cls, coefficients: npt.NDArray[np.float64], coding: Coding) -> Self:
        """Round the coefficients of a function of vectors divided by ``NORM`` to integers."""
        norm = float(np.linalg.norm(coefficients))
        shift = math.floor(math.log2(COEFFICIENT_NORM / norm)) - 1 if norm > 0 else 0
        whole = np.rint(coefficients * 2.0**shift)
        return cls(tuple(int(value) for value in whole), 2.0 ** (-shift - 1) / NORM, coding)

    def values(self, votes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return the values of records with these inner products."""
        return np.asarray(2 * self.learning_rate * votes.astype(np.float64))

    def positive_probability(self, votes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Turn inner products into probabilities of the last class."""
        return np.clip((1 + self.values(votes)) / 2, 0.0, 1.0)


class SavedLeader(SavedHalfspace, frozen=True, forbid_unknown_fields=True):
    """The contents of a file with a leader."""

    def restored(self, schema: Schema) -> Leader:
        """Rebuild the leader; its features must be those that the schema offers."""
        restored = super().restored(schema)
        return Leader(restored.coefficients, restored.learning_rate, restored.coding)
