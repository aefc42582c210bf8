"""Privately boosted halfspaces: one linear model with a guarantee."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from discreet.boosting.features import NORM, Coding, FeatureMap, Vectors
from discreet.boosting.halfspaces import HalfspaceAssembly, HalfspaceOptions, assemble_halfspaces
from discreet.engines.base import Direction, Task
from discreet.engines.vectors import VectorEngine, rounded
from discreet.estimators.boosted import BoostedClassifier
from discreet.ledger.ledger import Ledger
from discreet.models.halfspace import COEFFICIENT_NORM, Halfspace
from discreet.models.halfspace_file import SavedHalfspace, coefficients_table, saved_coefficients
from discreet.schema.columns import Category, Column
from discreet.schema.encode import encode, encode_numbers
from discreet.schema.schema import Schema
from discreet.schema.tables import Table


class BoostedHalfspaceClassifier(BoostedClassifier):
    """Differentially private boosting of halfspaces: one linear model.

    Every round releases, with Gaussian noise, the direction from the centre of one class to that of the
    other, over the records which the directions so far get wrong; the model is the sum of all directions. It
    is a single table of coefficients, and it is all that was learned from the data. This is HS-StL of Bun,
    Carmosino and Sorrell (2020).

    Parameters
    ----------
    epsilon : float, default 1.0
        The privacy budget of one fit.
    delta : float, default 1e-6
        The delta of the guarantee; well below one over the number of records. Gaussian noise needs one above
        0: there is no pure variant.
    schema : Schema or Numeric or Categorical or Boolean, optional
        What is public about the columns. A single declaration is applied to every column of an array.
        Needed, except for boolean arrays.
    rounds : int or "auto", default "auto"
        How many directions add up. The noise of their sum does not depend on it; the time does.
    learning_rate : float or "auto", default "auto"
        How much one direction changes a record's weight, with directions that are sums over the number of
        records. Theory speaks of means over the measure: its rate is ``density`` times this one.
    coding : {"auto", "numeric", "thermometer"}, default "auto"
        How numeric columns become features. "numeric" takes the number itself, centred and scaled by the
        median and the quartiles of the column's public cuts, so wide bounds do no harm. "thermometer" takes
        one feature a cut, 1 up to it and -1 beyond, so a column need not be linear. "auto" is "numeric".
        Categories and booleans have a feature each, 1 where the test holds.
    reweighting : {"madaboost", "lazy-bregman"}, default "madaboost"
        The measure over records.
    density : float or "auto", default "auto"
        For lazy-bregman: the share of the records' full weight that is kept.
    adjacency : {"replace", "add-remove"}, default "replace"
        Which tables count as neighbours. Under "replace" the number of records is public; under
        "add-remove" it is private and nothing depends on it.
    class_weight : mapping, optional
        A public weight in (0, 1] for each class, 1 where none is given: how much a record of that class
        counts. Never computed from the records.
    classes : sequence, optional
        The two class labels, where the schema has no target. Never read off the labels.
    expected_records : int, default 10_000
        A public guess of the number of records; used under "add-remove" only.
    n_jobs : int, optional
        Threads; the model does not depend on it. None is 1, -1 is all processors.
    progress : bool, default False
        Show a progress bar.
    ledger : Ledger or path, optional
        The privacy budget that pays for the fit, before a record is read.
    account : str, optional
        The account of the ledger.

    Attributes
    ----------
    classes_ : array
        The two classes in sorted order; above zero means the second.
    schema_ : Schema
        The schema in use, with its target.
    privacy_ : PrivacyStatement
        What is guaranteed; print it.
    ensemble_ : Halfspace
        The coefficients, in integers.
    options_ : HalfspaceOptions
        The options of the fit, as they go into the model file.
    plan_ : Plan
        What was released, how often, at what loss. Not part of a saved model.
    n_features_in_ : int
        How many columns the schema has.
    feature_names_in_ : array of str
        Their names, if the table had names.

    Examples
    --------
    >>> import numpy as np
    >>> from discreet import BoostedHalfspaceClassifier, Numeric
    >>> X = np.linspace(0, 1, 4000).reshape(-1, 2)
    >>> y = X[:, 0] > 0.5
    >>> model = BoostedHalfspaceClassifier(schema=Numeric(0, 1, bins=10), classes=[False, True]).fit(X, y)
    >>> print(model.privacy_.holds)
    True

    With the settings of the theorem for a margin-tau source:

    >>> from discreet.theory import HalfspaceParameters
    >>> proven = HalfspaceParameters.for_theorem(0.4, 0.05, 1.0, 1e-6, margin=0.8)
    >>> faithful = BoostedHalfspaceClassifier(
    ...     schema=Numeric(0, 1, bins=10),
    ...     classes=[False, True],
    ...     reweighting="lazy-bregman",
    ...     rounds=proven.rounds,
    ...     density=proven.density,
    ...     learning_rate=proven.learning_rate / proven.density,
    ... )
    """

    _options_type = HalfspaceOptions
    _saved_type = SavedHalfspace
    ensemble_: Halfspace

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-6,
        schema: Schema | Column | None = None,
        *,
        rounds: int | Literal["auto"] = "auto",
        learning_rate: float | Literal["auto"] = "auto",
        coding: Coding | Literal["auto"] = "auto",
        reweighting: str = "madaboost",
        density: float | Literal["auto"] = "auto",
        adjacency: str = "replace",
        class_weight: Mapping[Category | bool, float] | None = None,
        classes: tuple[Category | bool, ...] | None = None,
        expected_records: int = 10_000,
        n_jobs: int | None = None,
        progress: bool = False,
        ledger: Ledger | str | os.PathLike[str] | None = None,
        account: str | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.schema = schema
        self.rounds = rounds
        self.learning_rate = learning_rate
        self.coding = coding
        self.reweighting = reweighting
        self.density = density
        self.adjacency = adjacency
        self.class_weight = class_weight
        self.classes = classes
        self.expected_records = expected_records
        self.n_jobs = n_jobs
        self.progress = progress
        self.ledger = ledger
        self.account = account

    def scorecard(self) -> pd.DataFrame:
        """Return the model as a table: one coefficient a feature, in log odds, most weighty first."""
        check_is_fitted(self)
        return coefficients_table(self.ensemble_, self.schema_, self.classes_.tolist())

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the log odds of the second class; above zero means that it is predicted."""
        votes = self._votes(X).astype(np.float64)
        return 2 * self.ensemble_.learning_rate * votes

    def _assemble(
        self, options: HalfspaceOptions, schema: Schema, n_records: int | None
    ) -> HalfspaceAssembly:
        return assemble_halfspaces(options, schema, n_records)

    def _opened(
        self,
        table: Table,
        schema: Schema,
        parts: HalfspaceAssembly,
        labels: npt.NDArray[np.int8],
        threads: int,
    ) -> Task:
        engine = VectorEngine(_vectors(table, schema, parts.coding), NORM, threads)
        return engine.open(labels, parts.max_level)

    def _read(self, table: Table) -> Vectors:
        return _vectors(table, self.schema_, self.ensemble_.coding)

    def _ensemble(self, hypotheses: Sequence[Direction], parts: HalfspaceAssembly) -> Halfspace:
        total = np.array([hypothesis.values for hypothesis in hypotheses], dtype=object).sum(axis=0)
        coefficients, shift = rounded(total, COEFFICIENT_NORM)
        return Halfspace(tuple(coefficients.tolist()), parts.unit * 2.0**shift, parts.coding)

    def _learned(self) -> dict[str, Any]:
        return {
            "learning_rate": self.ensemble_.learning_rate,
            "coding": self.ensemble_.coding,
            "coefficients": saved_coefficients(self.ensemble_, self.schema_),
        }


def _vectors(table: Table, schema: Schema, coding: Coding) -> Vectors:
    return FeatureMap(schema, coding).vectors(encode(table, schema), encode_numbers(table, schema))
