"""What the classifiers of tables share, however they learn: names of columns, predictions, files."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from discreet.accounting.adjacency import Adjacency
from discreet.boosting.options import checked_n_records
from discreet.errors import OptionError, SchemaError
from discreet.estimators.private import FileClassifier, two_classes
from discreet.models.ensemble import Ensemble
from discreet.models.files import SavedTableModel
from discreet.models.statement import PrivacyStatement
from discreet.schema.encode import encode
from discreet.schema.schema import Schema, Target
from discreet.schema.tables import Table, open_table


class TableClassifier(FileClassifier):
    """A classifier of the records of a table, by votes on each.

    A face has the parameters ``schema`` and ``classes`` beside those of its options.
    """

    _options_type: ClassVar[Any]
    _saved_type: ClassVar[type[SavedTableModel]]
    ensemble_: Ensemble

    @abstractmethod
    def scorecard(self) -> pd.DataFrame:
        """Return the model as a table."""

    @abstractmethod
    def _learned(self) -> dict[str, Any]:
        """Return what a model file keeps of the model, by the fields of ``_saved_type``."""

    def _read(self, table: Table) -> Any:
        """Read records as the model looks at them."""
        return encode(table, self.schema_)

    def _settled(self, options: Any, target: Target) -> Any:
        """Return the options of a fit to these classes."""
        return options

    def _planned(self, adjacency: Adjacency, n_records: int | None) -> tuple[Schema, int | None]:
        """Return the schema of a plan, and the number of records if that is public."""
        schema = self.schema if isinstance(self.schema, Schema) else getattr(self, "schema_", None)
        if not isinstance(schema, Schema):
            raise SchemaError("plan() needs a Schema with the names of the columns, or a fitted model")
        if adjacency == "replace" and n_records is None:
            raise OptionError("plan() needs n_records, which is public under adjacency='replace'")
        if adjacency == "add-remove" and n_records is not None:
            raise OptionError(
                "plan() takes no n_records under adjacency='add-remove': it is private, and "
                "expected_records stands for it"
            )
        return schema, None if n_records is None else checked_n_records(n_records)

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
            model._settled(options, target),
            schema,
            target,
            ensemble,
            saved.privacy,
            named=saved.columns_have_names,
        )
        return model

    def _set_fitted(
        self,
        options: Any,
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
