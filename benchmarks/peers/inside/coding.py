"""Features for peers that take a matrix: made from public facts only, one record at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Coding:
    """A public map from columns to features.

    `numbers` is "scaled" (a number becomes one feature in [-1, 1], by its bounds) or "bins" (an indicator for
    each interval between two cuts). A category becomes an indicator, a boolean one feature, 0 or 1.
    """

    columns: list[dict[str, Any]]
    numbers: str

    @property
    def norm(self) -> float:
        """No row is longer than this: each column adds a vector of norm 1 at the most."""
        return math.sqrt(len(self.columns))

    def features(self, X: np.ndarray) -> np.ndarray:
        """Code rows."""
        parts = [self._part(column, X[:, place]) for place, column in enumerate(self.columns)]
        return np.column_stack(parts)

    @property
    def owners(self) -> list[int]:
        """The column that each feature belongs to."""
        return [
            place
            for place, column in enumerate(self.columns)
            for _ in range(self._part(column, np.zeros(1)).shape[1])
        ]

    def columns_used(self, weights: Sequence[float]) -> int:
        """Count columns with a feature whose weight is not 0."""
        return len({owner for owner, weight in zip(self.owners, weights, strict=True) if weight != 0})

    def _part(self, column: dict[str, Any], cells: np.ndarray) -> np.ndarray:
        if column["kind"] == "categorical":
            return _indicators(cells, len(column["values"]))
        if column["kind"] == "boolean":
            return np.maximum(cells, 0)[:, None]
        low, high = column["low"], column["high"]
        known = np.where(np.isnan(cells), (low + high) / 2, cells)
        if self.numbers == "scaled":
            return (2 * (known - low) / (high - low) - 1)[:, None]
        return _indicators(np.searchsorted(column["cuts"], known), len(column["cuts"]) + 1)


def _indicators(places: np.ndarray, n_places: int) -> np.ndarray:
    return (places[:, None] == np.arange(n_places)).astype(np.float64)


def sigmoid(margins: np.ndarray) -> np.ndarray:
    """Turn log odds into probabilities, without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * margins))
