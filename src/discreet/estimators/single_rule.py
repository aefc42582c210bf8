"""What the classifiers that are one rule share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from discreet.boosting.literals import Rule
from discreet.estimators.private import PrivateClassifier
from discreet.schema.encode import encode
from discreet.schema.schema import Schema, Target
from discreet.schema.tables import Table, open_table


class SingleRuleClassifier(PrivateClassifier):
    """A classifier that is one rule."""

    schema_: Schema
    rule_: Rule

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return what the rule says."""
        check_is_fitted(self)
        codes = encode(open_table(X), self.schema_).values[self.rule_.column]
        return np.asarray(self.classes_[(self.rule_.votes[codes] > 0).astype(np.intp)])

    def _set_rule(self, rule: Rule, schema: Schema, target: Target, table: Table) -> None:
        """Keep the rule and the public facts about the table that it was learned from."""
        self.rule_, self.schema_ = rule, schema
        self.classes_ = np.array(target.classes)
        self.n_features_in_ = len(schema.names)
        if table.has_names:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags
