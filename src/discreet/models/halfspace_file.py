"""A halfspace in a model file, and as a person reads it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import pandas as pd

from discreet.boosting.features import Coding, Feature, FeatureMap
from discreet.errors import ModelFileError
from discreet.models.files import SavedTableModel
from discreet.models.halfspace import COEFFICIENT_NORM, Halfspace
from discreet.schema.schema import Schema


class SavedCoefficient(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One coefficient in the words of the schema."""

    column: str | None
    test: str
    coefficient: int


class SavedHalfspace(SavedTableModel, frozen=True, forbid_unknown_fields=True):
    """The contents of a file with a halfspace."""

    learning_rate: float
    coding: Coding
    coefficients: list[SavedCoefficient]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.learning_rate < float("inf"):
            raise ValueError("a model has a positive learning rate")
        if sum(saved.coefficient**2 for saved in self.coefficients) > COEFFICIENT_NORM**2:
            raise ValueError("coefficients are too large")

    def restored(self, schema: Schema) -> Halfspace:
        """Rebuild the halfspace; its features must be those that the schema offers."""
        offered = [_named(feature, schema) for feature in FeatureMap(schema, self.coding).features]
        if offered != [(saved.column, saved.test) for saved in self.coefficients]:
            raise ModelFileError("the features of the model are not those that its schema offers")
        coefficients = tuple(saved.coefficient for saved in self.coefficients)
        return Halfspace(coefficients, self.learning_rate, self.coding)


def saved_coefficients(model: Halfspace, schema: Schema) -> list[SavedCoefficient]:
    """Put coefficients into the words of the schema."""
    features = FeatureMap(schema, model.coding).features
    return [
        SavedCoefficient(*_named(feature, schema), coefficient)
        for feature, coefficient in zip(features, model.coefficients, strict=True)
    ]


def coefficients_table(model: Halfspace, schema: Schema, classes: Sequence[object]) -> pd.DataFrame:
    """Return the log odds that each feature adds where it is 1, most weighty first.

    A number is 1 where it lies one spread above its centre; a test is 1 where it holds, and a cut is -1
    where it does not.
    """
    against, towards = classes
    features = FeatureMap(schema, model.coding)
    odds = 2 * model.learning_rate * np.array(model.coefficients, dtype=np.float64) * features.units
    names = [_named(feature, schema) for feature in features.features]
    order = np.argsort(-np.abs(odds), kind="stable")
    return pd.DataFrame(
        {
            "column": [names[place][0] or "" for place in order],
            "test": [names[place][1] for place in order],
            "coefficient": odds[order],
            "favours": [towards if odds[place] > 0 else against for place in order],
        }
    )


def _named(feature: Feature, schema: Schema) -> tuple[str | None, str]:
    test = str(feature)
    return (None if test == "always" else schema.names[feature.column], test)
