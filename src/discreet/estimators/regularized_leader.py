"""Semi-private linear classifiers: private labelled records, public unlabelled ones."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from discreet.boosting.features import Coding, FeatureMap, Vectors
from discreet.errors import InputError
from discreet.estimators.charging import reserve
from discreet.estimators.private import refuse_unsupported, warn_of_delta
from discreet.estimators.tabular import TableClassifier
from discreet.ledger.ledger import Ledger
from discreet.mechanisms.release import Release
from discreet.mechanisms.source import current_sampler
from discreet.models.halfspace_file import coefficients_table, saved_coefficients
from discreet.models.leader import Leader, SavedLeader
from discreet.models.statement import PrivacyStatement
from discreet.schema.columns import Category, Column
from discreet.schema.encode import check_containers, encode, encode_labels, encode_numbers
from discreet.schema.schema import Schema
from discreet.schema.tables import Table, open_table, resolve_schema
from discreet.semiprivate.leader.leader import SIGNS, release_leader
from discreet.semiprivate.leader.options import LeaderOptions
from discreet.semiprivate.leader.plan import LeaderPlan, make_leader_plan

# Public fields only: the plan's, which is made before any private record is read.
_LOG = logging.getLogger("discreet")


class RegularizedLeaderClassifier(TableClassifier):
    """Differentially private linear classification with the help of public unlabelled records.

    The fit minimises a convex loss over the private records plus a regulariser that is measured on the public
    ones, so that one private record moves the predictions on them only a little, and releases the
    minimiser once, with noise. This is Algorithm 3 of *Oracle-Efficient Differentially Private Learning with
    Public Data* (2024).

    The guarantee is about the private records only, and holds whatever the public ones are. The public
    records should look like the private ones: their second moments decide which directions are worth noise.

    Parameters
    ----------
    epsilon : float, default 1.0
        The privacy budget of one fit.
    delta : float, default 1e-6
        The delta of the guarantee; well below one over the number of records. 0 asks for pure differential
        privacy, by Laplace noise, which is several times larger.
    schema : Schema or Numeric or Categorical or Boolean, optional
        What is public about the columns. A single declaration is applied to every column of an array.
        Needed, except for boolean arrays.
    bound : {"leverage", "values"}, default "leverage"
        Why one record cannot move the leader far. "leverage" shortens each record's vector by a public rule,
        until no function is larger on it than a public multiple of its root mean square on the public
        records. "values" is the paper's own: functions with values in [-1, 1] only; it needs far more
        records.
    strength : float or "auto", default "auto"
        How strong the regulariser is; it shrinks values evenly, and less noise is needed where it is strong.
    ridge : float or "auto", default "auto"
        What is added to the second moments of the public records, for directions that these hardly have.
    coding : {"auto", "thermometer", "numeric"}, default "auto"
        How numeric columns become features: one a cut, or the number itself, as for
        `BoostedHalfspaceClassifier`. "auto" takes the number itself where the budget is small.
    adjacency : {"replace", "add-remove"}, default "replace"
        Which tables count as neighbours. Under "replace" the number of records is public; under
        "add-remove" it is private and nothing depends on it.
    classes : sequence, optional
        The two class labels, where the schema has no target. Never read off the labels.
    expected_records : int, default 10_000
        A public guess of the number of records; used under "add-remove" only.
    ledger : Ledger or path, optional
        The privacy budget that pays for the fit, before a private record is read.
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
    ensemble_ : Leader
        The coefficients, in integers.
    options_ : LeaderOptions
        The options of the fit, as they go into the model file.
    plan_ : LeaderPlan
        What was released, at what loss. Not part of a saved model.
    n_features_in_ : int
        How many columns the schema has.
    feature_names_in_ : array of str
        Their names, if the table had names.

    Examples
    --------
    >>> import numpy as np
    >>> from discreet import Numeric, RegularizedLeaderClassifier
    >>> X = np.linspace(0, 1, 4000).reshape(-1, 2)
    >>> y = X[:, 0] > 0.5
    >>> model = RegularizedLeaderClassifier(schema=Numeric(0, 1, bins=10), classes=[False, True])
    >>> print(model.fit(X, y, public=X[::7]).privacy_.holds)
    True
    """

    _options_type = LeaderOptions
    _saved_type = SavedLeader
    ensemble_: Leader

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-6,
        schema: Schema | Column | None = None,
        *,
        bound: str = "leverage",
        strength: float | Literal["auto"] = "auto",
        ridge: float | Literal["auto"] = "auto",
        coding: Coding | Literal["auto"] = "auto",
        adjacency: str = "replace",
        classes: tuple[Category | bool, ...] | None = None,
        expected_records: int = 10_000,
        ledger: Ledger | str | os.PathLike[str] | None = None,
        account: str | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.schema = schema
        self.bound = bound
        self.strength = strength
        self.ridge = ridge
        self.coding = coding
        self.adjacency = adjacency
        self.classes = classes
        self.expected_records = expected_records
        self.ledger = ledger
        self.account = account

    def fit(self, X: Any, y: Any = None, *, public: Any = None, **unsupported: Any) -> Self:
        """Learn from a private table, with the help of a public one.

        Parameters
        ----------
        X : table
            The private records: pandas, polars or pyarrow table, or a two-dimensional array. Columns that
            the schema does not name are ignored.
        y : column
            Their labels. A label outside the classes gives its record weight 0.
        public : table
            Public records without labels, with the same columns. They are not protected in any way.

        Returns
        -------
        self
        """
        refuse_unsupported(unsupported)
        options = LeaderOptions.checked(self.get_params(deep=False))
        sampler, void = current_sampler()
        table = open_table(X)
        schema, target = self._targeted(resolve_schema(self.schema, table))
        plan = make_leader_plan(options, _points(public, schema), table.n_records)
        warn_of_delta(plan.guarantee, plan.n_records)
        _LOG.info("fit: a regularised leader, %s", plan.guarantee)
        check_containers(table, schema, y)
        spend = reserve(self.ledger, self.account, plan.losses, type(self).__name__, plan.adjacency, void)

        # No private record was read so far.
        labels = SIGNS[encode_labels(y, target, table.n_records)]
        records = plan.geometry.records(_vectors(table, schema, plan.coding))
        point = release_leader(plan, records, labels, Release(plan.terms, sampler))

        if spend is not None:
            spend.commit()
        self.plan_ = plan
        self._set_fitted(
            options,
            schema,
            target,
            Leader.of(plan.gain * plan.geometry.coefficients(point), plan.coding),
            PrivacyStatement.of(plan.guarantee, plan.price.loss, plan.adjacency, void, spend),
            named=table.has_names,
        )
        return self

    def plan(self, n_records: int | None = None, *, public: Any = None) -> LeaderPlan:
        """Show what a fit would release, and at what loss; reads the public table only.

        Parameters
        ----------
        n_records : int, optional
            The public number of records; needed under ``adjacency="replace"``.
        public : table
            The public records.
        """
        options = LeaderOptions.checked(self.get_params(deep=False))
        schema, size = self._planned(options.adjacency, n_records)
        return make_leader_plan(options, _points(public, schema), size)

    def scorecard(self) -> pd.DataFrame:
        """Return the model as a table: what each feature adds to a value, most weighty first."""
        check_is_fitted(self)
        return coefficients_table(self.ensemble_, self.schema_, self.classes_.tolist())

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the values: estimates of the second class's probability less the first one's."""
        votes = self._votes(X)
        return self.ensemble_.values(votes)

    def _read(self, table: Table) -> Vectors:
        return _vectors(table, self.schema_, self.ensemble_.coding)

    def _learned(self) -> dict[str, Any]:
        return {
            "learning_rate": self.ensemble_.learning_rate,
            "coding": self.ensemble_.coding,
            "coefficients": saved_coefficients(self.ensemble_, self.schema_),
        }


def _points(public: Any, schema: Schema) -> Callable[[Coding], Vectors]:
    """Open the public table, and return what reads it."""
    if public is None:
        raise InputError(
            "public= is needed: a table of public records without labels, with the columns of the schema"
        )
    table = open_table(public)
    if table.n_records == 0:
        raise InputError("the public table has no records")
    return lambda coding: _vectors(table, schema, coding)


def _vectors(table: Table, schema: Schema, coding: Coding) -> Vectors:
    return FeatureMap(schema, coding).vectors(encode(table, schema), encode_numbers(table, schema))
