"""A projected halfspace in a model file: weights and a seed, however many columns there are."""

from __future__ import annotations

from typing import Any

from discreet.models.files import SavedModel

_MOST_WEIGHT = 2**40


class SavedProjectedHalfspace(SavedModel, frozen=True, forbid_unknown_fields=True):
    """The contents of a file with a projected halfspace."""

    classes: list[Any]
    n_features: int
    feature_names: list[str] | None
    matrix_checksum: str | None
    weights: list[int]

    def __post_init__(self) -> None:
        super().__post_init__()
        names = self.feature_names
        width = self.n_features + bool(self.parameters.get("intercept"))
        if not 1 <= self.n_features <= 2**31 or (names is not None and len(names) != self.n_features):
            raise ValueError("a model has columns, each with a name if one has")
        if not 1 <= len(self.weights) <= min(width, 2**14):
            raise ValueError("a model has a weight for each component, and no more components than columns")
        if (self.matrix_checksum is None) != (len(self.weights) == width):
            raise ValueError("a model has a matrix if it has fewer components than columns")
        if max(map(abs, self.weights)) > _MOST_WEIGHT:
            raise ValueError("weights are too large")
