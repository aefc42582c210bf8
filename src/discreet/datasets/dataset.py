"""What a loader returns: a table, its labels, and what the public knows about them."""

from __future__ import annotations

import importlib.resources
from dataclasses import dataclass

import pandas as pd

from discreet.errors import SplitMissing
from discreet.schema.schema import Schema, Target


@dataclass(frozen=True, eq=False)
class Dataset:
    """A public data set.

    Attributes
    ----------
    name : str
        What people call it.
    X : DataFrame
        Every row and every column that the publisher gives, in the publisher's order, the label
        excepted. Cells that the publisher marks as missing are missing. The index is unique.
    y : Series
        The labels, on the same index; each is one of the schema's classes.
    schema : Schema
        A public schema with its target; it may leave out columns and values of ``X``.
    source : str
        Who made the data, where they come from, and under which licence.
    n_train : int or None
        How many rows, from the first, the publisher gives for training; None without a split.
    """

    name: str
    X: pd.DataFrame
    y: pd.Series
    schema: Schema
    source: str
    n_train: int | None = None

    def __repr__(self) -> str:
        n_rows, n_columns = self.X.shape
        return f"Dataset({self.name!r}, {n_rows} rows, {n_columns} columns)"

    @property
    def X_train(self) -> pd.DataFrame:  # noqa: N802
        """Rows that the publisher gives for training; `SplitMissing` where there is no split."""
        return self.X.iloc[: self._split()]

    @property
    def y_train(self) -> pd.Series:
        """Labels of ``X_train``."""
        return self.y.iloc[: self._split()]

    @property
    def X_test(self) -> pd.DataFrame:  # noqa: N802
        """Rows that the publisher gives for testing; `SplitMissing` where there is no split."""
        return self.X.iloc[self._split() :]

    @property
    def y_test(self) -> pd.Series:
        """Labels of ``X_test``."""
        return self.y.iloc[self._split() :]

    def _split(self) -> int:
        if self.n_train is None:
            raise SplitMissing(
                f"the publisher of {self.name} does not split it; take X and y, and split them yourself "
                "(sklearn.model_selection.train_test_split)"
            )
        return self.n_train


def public_schema(name: str) -> tuple[Schema, Target]:
    """Read a schema that ships with the package, and its target."""
    resource = importlib.resources.files("discreet.datasets") / "schemas" / f"{name}.toml"
    with importlib.resources.as_file(resource) as path:
        schema = Schema.from_toml(path)
    assert schema.target is not None
    return schema, schema.target
