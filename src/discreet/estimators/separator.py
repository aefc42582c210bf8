"""One rule, found through its labels of made-up records that tell all rules apart."""

from __future__ import annotations

import os
from typing import Any, Self

import numpy as np

from discreet.boosting.literals import Rule
from discreet.boosting.options import checked_n_records
from discreet.errors import OptionError, SchemaError
from discreet.estimators.charging import reserve
from discreet.estimators.private import refuse_unsupported, two_classes
from discreet.estimators.single_rule import SingleRuleClassifier
from discreet.ledger.ledger import Ledger
from discreet.mechanisms.release import Release
from discreet.mechanisms.source import current_sampler
from discreet.models.statement import PrivacyStatement
from discreet.schema.columns import Category, Column
from discreet.schema.encode import Codes, check_containers, encode, encode_labels
from discreet.schema.schema import Schema
from discreet.schema.tables import open_table, resolve_schema
from discreet.semiprivate.identification import identification_set
from discreet.semiprivate.label_options import LabelOptions
from discreet.semiprivate.label_plan import LabelPlan
from discreet.semiprivate.labelling import minimised_labels
from discreet.semiprivate.oracles.rules import ExactRules


class SeparatorClassifier(SingleRuleClassifier):
    """The single rule with the fewest errors, by the separator algorithm (RSPM).

    Made-up records that tell all rules of the schema apart are labelled, privately, the way the best rule
    labels them; that is a rule. It needs no public table. For a better classifier of the same budget take
    ``BoostedRulesClassifier``: this one is for comparison with the literature.

    Parameters
    ----------
    epsilon : float, default 1.0
        The privacy budget of one fit. Delta is always 0.
    schema : Schema or Numeric or Categorical or Boolean, optional
        What is public about the columns; at most 400 tests.
    adjacency : {"replace", "add-remove"}, default "replace"
        Which tables count as neighbours.
    classes : sequence, optional
        The two class labels, where the schema has no target. Never read off the labels.
    ledger : Ledger or path, optional
        The privacy budget that pays for the fit, before a record is read.
    account : str, optional
        The account of the ledger.

    Attributes
    ----------
    classes_ : array
        The two classes in sorted order.
    rule_ : Rule
        The rule.
    schema_ : Schema
        The schema in use.
    privacy_ : PrivacyStatement
        What is guaranteed; print it.
    plan_ : LabelPlan
        What was released, at what loss.
    n_features_in_ : int
        How many columns the schema has.
    feature_names_in_ : array of str
        Their names, if the table had names.

    Examples
    --------
    >>> import numpy as np
    >>> from discreet import Numeric, SeparatorClassifier
    >>> X = np.linspace(0, 1, 2000).reshape(-1, 1)
    >>> model = SeparatorClassifier(8.0, Numeric(0, 1, bins=4), classes=[False, True])
    >>> print(model.fit(X, X[:, 0] > 0.5).rule_.literal)
    <= 0.5
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        schema: Schema | Column | None = None,
        *,
        adjacency: str = "replace",
        classes: tuple[Category | bool, ...] | None = None,
        ledger: Ledger | str | os.PathLike[str] | None = None,
        account: str | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.schema = schema
        self.adjacency = adjacency
        self.classes = classes
        self.ledger = ledger
        self.account = account

    def fit(self, X: Any, y: Any = None, **unsupported: Any) -> Self:
        """Learn from a private table.

        Parameters
        ----------
        X : table
            The records. Columns that the schema does not name are ignored.
        y : column
            The labels. A record whose label is outside the classes counts for nothing.

        Returns
        -------
        self
        """
        refuse_unsupported(unsupported)
        sampler, void = current_sampler()
        table = open_table(X)
        schema = resolve_schema(self.schema, table)
        target = two_classes(type(self).__name__, self.classes, schema.target)
        points = identification_set(schema)
        plan = self._plan(schema, points, table.n_records)
        check_containers(table, schema, y)
        what = f"{type(self).__name__}, labels of {plan.points} made-up records"
        spend = reserve(self.ledger, self.account, plan.losses, what, plan.adjacency, void)

        # No record was read so far.
        minimiser = ExactRules().on(schema, points)
        private, labels = encode(table, schema), encode_labels(y, target, table.n_records)
        released = minimised_labels(
            minimiser, private, labels, Release(plan.terms, sampler), plan.terms[0].claim
        )
        if spend is not None:
            spend.commit()

        # From here on everything follows from what was released.
        nobody = Codes(private.values[:, :0], private.n_codes)
        forced = 1 - 2 * released.astype(np.int64)
        agreeing = minimiser.minimise(nobody, labels[:0], forced).hypothesis
        assert isinstance(agreeing, Rule)  # the points tell all rules apart
        self.plan_ = plan
        self.privacy_ = PrivacyStatement.of(plan.guarantee, plan.loss, plan.adjacency, void, spend)
        self._set_rule(agreeing, schema, target, table)
        return self

    def plan(self, n_records: int | None = None) -> LabelPlan:
        """Show what a fit would release, and at what loss; reads no data.

        Parameters
        ----------
        n_records : int, optional
            The public number of records, for the print; not taken under ``adjacency="add-remove"``.
        """
        if not isinstance(self.schema, Schema):
            raise SchemaError("plan() needs a Schema with the names of the columns")
        if self.adjacency == "add-remove" and n_records is not None:
            raise OptionError("plan() takes no n_records under adjacency='add-remove': it is private")
        n = 0 if n_records is None else checked_n_records(n_records)
        return self._plan(self.schema, identification_set(self.schema), n)

    def _plan(self, schema: Schema, points: Codes, n_records: int) -> LabelPlan:
        given = self.get_params(deep=False) | {"points": "auto", "expected_records": 1}
        options, n_points = LabelOptions.checked(given), points.values.shape[1]
        return options.plan(
            points=n_points,
            n_records=None if options.adjacency == "add-remove" else n_records,
            n_public=n_points,
            oracle=ExactRules(),
            schema=schema,
        )
