"""Privately boosted one-rules: a scorecard with a guarantee."""

from __future__ import annotations

import logging
import os
import warnings
from dataclasses import asdict, fields
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted
from tqdm import tqdm

import discreet
from discreet.boosting.assembly import assemble
from discreet.boosting.loop import boost
from discreet.boosting.options import BoostingOptions, checked_n_records, checked_threads
from discreet.boosting.plan import Plan
from discreet.engines.base import View
from discreet.engines.local import LocalEngine
from discreet.errors import OptionError, SchemaError
from discreet.estimators.charging import reserve
from discreet.ledger.ledger import Ledger
from discreet.mechanisms.release import Release
from discreet.mechanisms.source import current_sampler
from discreet.models.ensemble import RuleEnsemble
from discreet.models.files import VERSION, SavedModel, restored, saved_rules, write_model
from discreet.models.scorecard import scorecard
from discreet.models.statement import PrivacyStatement
from discreet.schema.columns import Category, Column
from discreet.schema.encode import check_containers, encode, encode_labels
from discreet.schema.schema import Schema, Target
from discreet.schema.tables import open_table, resolve_schema

# Public fields only: the plan's, which is made before any record is read.
_LOG = logging.getLogger("discreet")


class BoostedRulesClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Differentially private boosting of one-rules.

    Every round selects, privately, one test of one column (``age <= 30``, ``sex = Female``) that separates
    the classes best on the records which the rules so far get wrong; the model is the vote of all rules.
    It is a table of votes that a person can read, and it is all that was learned from the data.

    Parameters
    ----------
    epsilon : float, default 1.0
        The privacy budget of one fit.
    delta : float, default 1e-6
        The delta of the guarantee; well below one over the number of records. 0 asks for pure
        differential privacy, at some cost in accuracy.
    schema : Schema or Numeric or Categorical or Boolean, optional
        What is public about the columns. A single declaration is applied to every column of an array.
        Needed, except for boolean arrays.
    rounds : int or "auto", default "auto"
        How many rules vote.
    learning_rate : float or "auto", default "auto"
        How much one vote changes a record's weight.
    reweighting : {"madaboost", "lazy-bregman"}, default "madaboost"
        The measure over records.
    density : float or "auto", default "auto"
        For lazy-bregman: the share of the records' full weight that is kept.
    adjacency : {"replace", "add-remove"}, default "replace"
        Which tables count as neighbours. Under "replace" the number of records is public; under
        "add-remove" it is private and nothing depends on it.
    classes : sequence, optional
        The two class labels, where the schema has no target. Never read off the labels.
    expected_records : int, default 10_000
        A public guess of the number of records; used by "auto" under "add-remove" only.
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
        The two classes in sorted order; votes above zero mean the second.
    schema_ : Schema
        The schema in use, with its target.
    privacy_ : PrivacyStatement
        What is guaranteed; print it.
    ensemble_ : RuleEnsemble
        The released rules in the order of their rounds.
    options_ : BoostingOptions
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
    >>> from discreet import BoostedRulesClassifier, Numeric
    >>> X = np.linspace(0, 1, 2000).reshape(-1, 1)
    >>> y = X[:, 0] > 0.5
    >>> model = BoostedRulesClassifier(schema=Numeric(0, 1, bins=10), classes=[False, True]).fit(X, y)
    >>> print(model.privacy_.holds)
    True
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-6,
        schema: Schema | Column | None = None,
        *,
        rounds: int | Literal["auto"] = "auto",
        learning_rate: float | Literal["auto"] = "auto",
        reweighting: str = "madaboost",
        density: float | Literal["auto"] = "auto",
        adjacency: str = "replace",
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
        self.reweighting = reweighting
        self.density = density
        self.adjacency = adjacency
        self.classes = classes
        self.expected_records = expected_records
        self.n_jobs = n_jobs
        self.progress = progress
        self.ledger = ledger
        self.account = account

    def fit(self, X: Any, y: Any = None, **unsupported: Any) -> Self:
        """Learn from a private table.

        Parameters
        ----------
        X : table
            pandas, polars or pyarrow table, or a two-dimensional array. Columns that the schema does not
            name are ignored.
        y : column
            The labels. A label outside the classes gives its record weight 0.

        Returns
        -------
        self
        """
        _refuse(unsupported)
        options = BoostingOptions.checked(self.get_params(deep=False))
        threads = checked_threads(self.n_jobs)
        sampler, void = current_sampler()
        table = open_table(X)
        schema, target = self._targeted(resolve_schema(self.schema, table))
        parts = assemble(options, schema, table.n_records)
        plan = parts.plan
        _LOG.info("fit: %d rounds, %s", plan.rounds, plan.guarantee)
        check_containers(table, schema, y)
        spend = reserve(self.get_params(deep=False), plan, type(self).__name__, void)

        # No record was read so far.
        labels = encode_labels(y, target, table.n_records)
        engine = LocalEngine(encode(table, schema), threads)
        rules = boost(
            # Also a disabled bar takes a lock that forked processes share, and one that is killed keeps it.
            tqdm(range(plan.rounds), desc="rounds") if self.progress else range(plan.rounds),
            parts.measure,
            parts.learner,
            View(engine, engine.open(labels, plan.rounds)),
            plan.rounds,
            Release(plan.terms, sampler),
        )

        if spend is not None:
            spend.commit()
        self.plan_ = plan
        self._set_fitted(
            options,
            schema,
            target,
            RuleEnsemble(tuple(rules), parts.learning_rate),
            PrivacyStatement.of(plan.guarantee, plan.loss, plan.adjacency, void, spend),
            named=table.has_names,
        )
        return self

    def plan(self, n_records: int | None = None) -> Plan:
        """Show what a fit would release, how often, and at what loss; reads no data.

        Parameters
        ----------
        n_records : int, optional
            The public number of records; needed under ``adjacency="replace"``.
        """
        options = BoostingOptions.checked(self.get_params(deep=False))
        schema = self.schema if isinstance(self.schema, Schema) else getattr(self, "schema_", None)
        if not isinstance(schema, Schema):
            raise SchemaError("plan() needs a Schema with the names of the columns, or a fitted model")
        if options.adjacency == "replace" and n_records is None:
            raise OptionError("plan() needs n_records, which is public under adjacency='replace'")
        if options.adjacency == "add-remove" and n_records is not None:
            raise OptionError(
                "plan() takes no n_records under adjacency='add-remove': it is private, and "
                "expected_records stands for it"
            )
        checked = None if n_records is None else checked_n_records(n_records)
        return assemble(options, schema, checked).plan

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the votes on each record; above zero means the second class."""
        return self._votes(X).astype(np.float64)

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the probability of each class, columns as in ``classes_``."""
        votes = self._votes(X)
        positive = self.ensemble_.positive_probability(votes)
        return np.column_stack([1 - positive, positive])

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class with more votes; a tie goes to the first."""
        positive = self._votes(X) > 0
        return np.asarray(self.classes_[positive.astype(np.intp)])

    def scorecard(self) -> pd.DataFrame:
        """Return the model as a table: votes per (column, test), most weighty first."""
        check_is_fitted(self)
        return scorecard(self.ensemble_, self.schema_, self.classes_.tolist())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file; ``discreet.load_model`` reads it back."""
        check_is_fitted(self)
        write_model(
            SavedModel(
                format="discreet-model",
                version=VERSION,
                written_by=f"discreet {discreet.__version__}",
                estimator=type(self).__name__,
                parameters=asdict(self.options_),
                columns_have_names=hasattr(self, "feature_names_in_"),
                schema=self.schema_.to_dict(),
                learning_rate=self.ensemble_.learning_rate,
                privacy=self.privacy_,
                rules=saved_rules(self.ensemble_, self.schema_),
            ),
            path,
        )

    @classmethod
    def from_saved(cls, saved: SavedModel) -> Self:
        """Rebuild a fitted model from the contents of its file."""
        schema, ensemble = restored(saved)
        if saved.parameters.keys() != {field.name for field in fields(BoostingOptions)}:
            raise OptionError("an option is missing or unknown")
        options = BoostingOptions.checked(saved.parameters)
        model = cls(schema=schema, **asdict(options))
        model._set_fitted(
            options, *model._targeted(schema), ensemble, saved.privacy, named=saved.columns_have_names
        )
        return model

    def _set_fitted(
        self,
        options: BoostingOptions,
        schema: Schema,
        target: Target,
        ensemble: RuleEnsemble,
        privacy: PrivacyStatement,
        *,
        named: bool,
    ) -> None:
        self.options_ = options
        self.schema_ = schema
        self.ensemble_ = ensemble
        self.privacy_ = privacy
        self.classes_ = np.array(target.classes)
        self.n_features_in_ = len(schema.names)
        if named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _votes(self, X: Any) -> npt.NDArray[np.int64]:
        check_is_fitted(self)
        table = open_table(X)
        codes = encode(table, self.schema_)
        if hasattr(self, "feature_names_in_") and not table.has_names:
            warnings.warn(
                f"X does not have valid feature names, but {type(self).__name__} was fitted with feature "
                "names; its columns are taken in the order of the schema",
                UserWarning,
                stacklevel=3,
            )
        return self.ensemble_.votes(codes)

    def _targeted(self, schema: Schema) -> tuple[Schema, Target]:
        """Return the schema with its target; ``classes`` stands in where the schema has none."""
        # The name is for the model file only; it must not be that of a column.
        name = "target"
        while name in schema.columns:
            name += "_"
        declared = None if self.classes is None else Target(name, self.classes)
        target = schema.target or declared
        if target is None:
            raise SchemaError(
                "the classes must be declared, not read off the labels: give the schema a "
                "target=Target(name, classes=[...]), or pass classes=[...]"
            )
        if declared is not None and declared.classes != target.classes:
            raise OptionError("classes= differs from the classes of the schema's target; drop one")
        if len(target.classes) != 2:
            raise SchemaError(
                f"BoostedRulesClassifier tells two classes apart; target {target.name!r} has "
                f"{len(target.classes)}"
            )
        return Schema(schema.columns, target=target), target

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.non_deterministic = True
        return tags


def _refuse(unsupported: dict[str, Any]) -> None:
    if "sample_weight" in unsupported:
        raise OptionError(
            "sample_weight is not supported: a record's weight decides how much one record can move the "
            "model, and the privacy proof needs to know it beforehand"
        )
    if unsupported:
        raise OptionError(f"fit does not know the option {sorted(unsupported)[0]!r}")
