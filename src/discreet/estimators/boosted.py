"""What the boosted classifiers share: one way from a table to a model with a guarantee."""

from __future__ import annotations

import logging
import warnings
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted
from tqdm import tqdm

from discreet.boosting.assembly import Assembly
from discreet.boosting.loop import boost
from discreet.boosting.options import BoostingOptions, checked_n_records, checked_threads
from discreet.boosting.plan import Plan
from discreet.engines.base import Task, View
from discreet.engines.local import LocalEngine
from discreet.errors import OptionError, SchemaError
from discreet.estimators.charging import reserve
from discreet.estimators.private import FileClassifier, refuse_unsupported, two_classes, warn_of_delta
from discreet.mechanisms.release import Release
from discreet.mechanisms.source import current_sampler
from discreet.models.ensemble import Ensemble
from discreet.models.files import SavedTableModel
from discreet.models.statement import PrivacyStatement
from discreet.schema.encode import check_containers, encode, encode_labels
from discreet.schema.schema import Schema, Target
from discreet.schema.tables import Table, open_table, resolve_schema

# Public fields only: the plan's, which is made before any record is read.
_LOG = logging.getLogger("discreet")
_BAR = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}]"


class BoostedClassifier(FileClassifier):
    """A classifier that boosts a private weak learner; each learner has a face of its own.

    A face has the parameters ``schema``, ``classes``, ``n_jobs``, ``progress``, ``ledger`` and ``account``
    beside those of its options.
    """

    _options_type: ClassVar[type[BoostingOptions]] = BoostingOptions
    _saved_type: ClassVar[type[SavedTableModel]]
    ensemble_: Ensemble

    @abstractmethod
    def scorecard(self) -> pd.DataFrame:
        """Return the model as a table."""

    @abstractmethod
    def _assemble(self, options: Any, schema: Schema, n_records: int | None) -> Assembly[Any]:
        """Choose the parts of a fit and make its plan; reads no record."""

    @abstractmethod
    def _ensemble(self, hypotheses: Sequence[Any], parts: Any) -> Ensemble:
        """Make the model out of what was released."""

    @abstractmethod
    def _learned(self) -> dict[str, Any]:
        """Return what a model file keeps of the model, by the fields of ``_saved_type``."""

    def _opened(
        self, table: Table, schema: Schema, parts: Any, labels: npt.NDArray[np.int8], threads: int
    ) -> Task:
        """Read the records, and begin a task on them."""
        engine = LocalEngine(encode(table, schema), threads)
        return View(engine, engine.open(labels, parts.max_level))

    def _read(self, table: Table) -> Any:
        """Read records as the model looks at them."""
        return encode(table, self.schema_)

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
        refuse_unsupported(unsupported)
        options = self._options_type.checked(self.get_params(deep=False))
        threads = checked_threads(self.n_jobs)
        sampler, void = current_sampler()
        table = open_table(X)
        schema, target = self._targeted(resolve_schema(self.schema, table))
        options = options.for_classes(target.classes)
        parts = self._assemble(options, schema, table.n_records)
        plan = parts.plan
        warn_of_delta(plan.guarantee, plan.n_records)
        _LOG.info("fit: %d rounds, %s", plan.rounds, plan.guarantee)
        check_containers(table, schema, y)
        what = f"{type(self).__name__}, {plan.rounds} rounds"
        spend = reserve(self.ledger, self.account, plan.losses, what, plan.adjacency, void)

        # No record was read so far.
        labels = encode_labels(y, target, table.n_records)
        view = self._opened(table, schema, parts, labels, threads)
        rounds = range(plan.rounds)
        hypotheses = boost(
            # Also a disabled bar takes a lock that forked processes share, and one that is killed keeps it.
            tqdm(rounds, desc="rounds", bar_format=_BAR) if self.progress else rounds,
            parts.measure,
            parts.learner,
            view,
            parts.max_level,
            Release(plan.terms, sampler),
            parts.stop,
        )

        if spend is not None:
            spend.commit()
        self.plan_ = plan
        self._set_fitted(
            options,
            schema,
            target,
            self._ensemble(hypotheses, parts),
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
        options = self._options_type.checked(self.get_params(deep=False))
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
        if options.class_weight is not None:
            schema, target = self._targeted(schema)
            options = options.for_classes(target.classes)
        checked = None if n_records is None else checked_n_records(n_records)
        return self._assemble(options, schema, checked).plan

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

    def _contents(self) -> dict[str, Any]:
        return {
            "columns_have_names": hasattr(self, "feature_names_in_"),
            "schema": self.schema_.to_dict(),
            **self._learned(),
        }

    @classmethod
    def from_saved(cls, saved: SavedTableModel) -> Self:
        """Rebuild a fitted model from the contents of its file."""
        schema = saved.restored_schema()
        ensemble = saved.restored(schema)
        options = cls._options_type.from_file(saved.parameters)
        model = cls(schema=schema, **vars(options))
        schema, target = model._targeted(schema)
        model._set_fitted(
            options.for_classes(target.classes),
            schema,
            target,
            ensemble,
            saved.privacy,
            named=saved.columns_have_names,
        )
        return model

    def _set_fitted(
        self,
        options: BoostingOptions,
        schema: Schema,
        target: Target,
        ensemble: Ensemble,
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
        table, problem = self._named_alike(open_table(X))
        records = self._read(table)
        if problem is not None:
            warnings.warn(
                f"{problem}; its columns are taken in the order of the schema", UserWarning, stacklevel=3
            )
        return self.ensemble_.votes(records)

    def _named_alike(self, table: Table) -> tuple[Table, str | None]:
        """Go by position, and say so, where only one of fit and predict saw the schema's names."""
        fitted, name = hasattr(self, "feature_names_in_"), type(self).__name__
        if fitted and not table.has_names:
            return table, f"X does not have valid feature names, but {name} was fitted with feature names"
        if table.has_names and not fitted and not set(self.schema_.names) <= set(table.names):
            return table.by_position(), f"X has feature names, but {name} was fitted without feature names"
        return table, None

    def _targeted(self, schema: Schema) -> tuple[Schema, Target]:
        """Return the schema with its target; ``classes`` stands in where the schema has none."""
        target = two_classes(type(self).__name__, self.classes, schema.target)
        if schema.target is None:
            # The name is for the model file only; it must not be that of a column.
            name = target.name
            while name in schema.columns:
                name += "_"
            target = Target(name, target.classes)
        return Schema(schema.columns, target=target), target

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
