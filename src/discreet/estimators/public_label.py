"""Public records labelled privately, and any scikit-learn classifier that learns from them."""

from __future__ import annotations

import os
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.utils import Tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from discreet.boosting.options import checked_n_records
from discreet.errors import InputError, OptionError
from discreet.estimators.charging import reserve
from discreet.estimators.private import PrivateClassifier, refuse_unsupported, two_classes
from discreet.ledger.ledger import Ledger
from discreet.mechanisms.release import Release
from discreet.mechanisms.source import current_sampler
from discreet.models.statement import PrivacyStatement
from discreet.schema.columns import Category, Column
from discreet.schema.encode import check_containers, encode, encode_labels
from discreet.schema.schema import Schema
from discreet.schema.tables import Table, open_table, resolve_schema
from discreet.semiprivate.label_options import LabelOptions
from discreet.semiprivate.label_plan import LabelPlan
from discreet.semiprivate.labelling import PublicPoints, release_labels
from discreet.semiprivate.oracles.base import Oracle
from discreet.semiprivate.oracles.rules import ExactRules
from discreet.semiprivate.student_table import student_table


class PublicLabelClassifier(PrivateClassifier):
    """Public records, labelled with differential privacy, teach any classifier.

    For whoever has a private table with labels and a public one of the same kind without: a census file, an
    older release. A few public records that tell the oracle's classifiers apart are chosen without looking
    at the private table. They are labelled by the classifier with the fewest errors on the private records,
    up to noise: this is all that is released. A classifier of the same class that agrees with those labels
    then labels all public records, and the student learns from them, without any further loss of privacy.

    Parameters
    ----------
    epsilon : float, default 1.0
        The privacy budget of one fit. Delta is always 0.
    schema : Schema or Numeric or Categorical or Boolean, optional
        What is public about the columns, of both tables.
    oracle : Oracle, default ExactRules()
        The class of classifiers that label. A richer one, such as ``ExactTree(depth=2)``, comes closer to
        the truth with many records and large budgets. Where an oracle may refuse to answer, as
        ``IntegerHalfspace`` may on a class that it cannot list, there is no guarantee.
    student : classifier, default HistGradientBoostingClassifier()
        Any scikit-learn classifier. It sees numbers only, none missing: a column of 0 and 1 for each
        declared category.
    points : int or "auto", default "auto"
        How many public records are labelled by the release, at the most. "auto" follows from the budget and
        the number of records.
    adjacency : {"replace", "add-remove"}, default "replace"
        Which private tables count as neighbours. Under "replace" the number of private records is public;
        under "add-remove" it is private and nothing depends on it.
    classes : sequence, optional
        The two class labels, where the schema has no target. Never read off the labels.
    expected_records : int, default 10_000
        A public guess of the number of private records, used by "auto" under "add-remove".
    ledger : Ledger or path, optional
        The privacy budget that pays for the fit, before a private record is read.
    account : str, optional
        The account of the ledger.

    Attributes
    ----------
    classes_ : array
        The two classes in sorted order.
    student_ : classifier
        The student, fitted. If all public records were labelled alike, a constant.
    public_labels_ : array
        The label of each public record, in their order; anything else may be trained on it.
    points_ : array of int
        Which public records were labelled by the release.
    released_ : array
        Their labels: all that was learned from the private table.
    schema_ : Schema
        The schema in use.
    privacy_ : PrivacyStatement
        What is guaranteed; print it.
    plan_ : LabelPlan
        What was released, at what loss.
    n_features_in_ : int
        How many columns the schema has.
    feature_names_in_ : array of str
        Their names, if the private table had names.

    Examples
    --------
    >>> import numpy as np
    >>> from discreet import Numeric, PublicLabelClassifier
    >>> X, Z = np.linspace(0, 1, 2000).reshape(-1, 1), np.linspace(0, 1, 500).reshape(-1, 1)
    >>> y = X[:, 0] > 0.5
    >>> model = PublicLabelClassifier(schema=Numeric(0, 1, bins=10), classes=[False, True])
    >>> print(model.fit(X, y, public=Z).privacy_)
    epsilon = 1, pure differential privacy
    neighbours: one record replaced by any other; the number of records is public
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        schema: Schema | Column | None = None,
        *,
        oracle: Oracle | None = None,
        student: Any = None,
        points: int | Literal["auto"] = "auto",
        adjacency: str = "replace",
        classes: tuple[Category | bool, ...] | None = None,
        expected_records: int = 10_000,
        ledger: Ledger | str | os.PathLike[str] | None = None,
        account: str | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.schema = schema
        self.oracle = oracle
        self.student = student
        self.points = points
        self.adjacency = adjacency
        self.classes = classes
        self.expected_records = expected_records
        self.ledger = ledger
        self.account = account

    def fit(self, X: Any, y: Any = None, *, public: Any = None, **unsupported: Any) -> Self:
        """Learn from a private table with labels and a public one without.

        Parameters
        ----------
        X : table
            The private records. Columns that the schema does not name are ignored.
        y : column
            Their labels. A record whose label is outside the classes counts for nothing.
        public : table
            The public records, with the columns of the schema. They are read as they are, without noise.

        Returns
        -------
        self
        """
        refuse_unsupported(unsupported)
        options = LabelOptions.checked(self.get_params(deep=False))
        sampler, void = current_sampler()
        table = open_table(X)
        schema = resolve_schema(self.schema, table)
        target = two_classes(type(self).__name__, self.classes, schema.target)
        shown = opened_public(public)
        points = self._points(options, schema, shown, table.n_records)
        plan = self._plan(options, points, table.n_records)
        void = void or plan.doubt
        check_containers(table, schema, y)
        what = f"{type(self).__name__}, labels of {plan.points} public records"
        spend = reserve(self.ledger, self.account, plan.losses, what, plan.adjacency, void)

        # No private record was read so far.
        release = Release(plan.terms, sampler)
        private, labels = encode(table, schema), encode_labels(y, target, table.n_records)
        released = release_labels(points, private, labels, release, plan.terms[0].claim)
        if spend is not None:
            spend.commit()

        # From here on everything follows from what was released, and public data.
        self.schema_, self.plan_ = schema, plan
        self.privacy_ = PrivacyStatement.of(plan.guarantee, plan.loss, plan.adjacency, void, spend)
        self.classes_ = np.array(target.classes)
        self.points_, self.released_ = points.chosen, self.classes_[released]
        self.public_labels_ = self.classes_[points.label_all(released)]
        self.n_features_in_ = len(schema.names)
        if table.has_names:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.student_ = self._taught(student_table(shown, schema), self.public_labels_)
        return self

    def plan(self, n_records: int | None = None, *, public: Any = None) -> LabelPlan:
        """Show what a fit would release, and at what loss; reads no private data.

        Parameters
        ----------
        n_records : int, optional
            The public number of private records; needed under ``adjacency="replace"``.
        public : table
            The public records.
        """
        options = LabelOptions.checked(self.get_params(deep=False))
        if options.adjacency == "replace" and n_records is None:
            raise OptionError("plan() needs n_records, which is public under adjacency='replace'")
        if options.adjacency == "add-remove" and n_records is not None:
            raise OptionError(
                "plan() takes no n_records under adjacency='add-remove': it is private, and "
                "expected_records stands for it"
            )
        n = options.expected_records if n_records is None else checked_n_records(n_records)
        shown = opened_public(public)
        points = self._points(options, resolve_schema(self.schema, shown), shown, n)
        return self._plan(options, points, n)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the student's predictions."""
        return np.asarray(self._student_fitted().predict(self._seen(X)))

    @available_if(lambda self: hasattr(self._student_or_default(), "predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the student's probability of each class, columns as in ``classes_``."""
        student = self._student_fitted()
        found = student.predict_proba(self._seen(X))
        shares = np.zeros((len(found), len(self.classes_)))
        shares[:, np.searchsorted(self.classes_, student.classes_)] = found
        return shares

    def save(self, path: str | os.PathLike[str]) -> None:
        """Refuse: a model file holds no student, because that may be any object."""
        raise OptionError(
            f"{type(self).__name__} has no model file, because a student may be any object: keep "
            "public_labels_, from which any student can be trained again, or keep student_ the way its own "
            "library keeps it"
        )

    def _points(self, options: LabelOptions, schema: Schema, public: Table, n_records: int) -> PublicPoints:
        """Choose the points; ``n_records`` is not looked at where it is private."""
        oracle: Any = ExactRules() if self.oracle is None else self.oracle
        if not callable(getattr(oracle, "on", None)):
            raise OptionError(
                "oracle must be a class of classifiers, such as ExactRules() or ExactTree(depth=2)"
            )
        if self.student is not None and not callable(getattr(self.student, "fit", None)):
            raise OptionError("student must be a scikit-learn classifier, not fitted")
        try:
            codes = encode(public, schema)
        except InputError as error:
            raise InputError(f"public: {error}") from None
        return PublicPoints.chosen_for(oracle, schema, codes, options.most_points(n_records))

    def _plan(self, options: LabelOptions, points: PublicPoints, n_records: int) -> LabelPlan:
        return options.plan(
            points=len(points.chosen),
            n_records=None if options.adjacency == "add-remove" else n_records,
            n_public=points.public.values.shape[1],
            oracle=points.oracle,
            schema=points.schema,
        )

    def _taught(self, public: Any, labels: npt.NDArray[Any]) -> Any:
        if len(np.unique(labels)) == 1:
            # Most classifiers refuse to learn from one class.
            return DummyClassifier(strategy="most_frequent").fit(public, labels)
        return clone(self._student_or_default()).fit(public, labels)

    def _student_or_default(self) -> Any:
        return HistGradientBoostingClassifier() if self.student is None else self.student

    def _student_fitted(self) -> Any:
        check_is_fitted(self)
        return self.student_

    def _seen(self, X: Any) -> Any:
        return student_table(open_table(X), self.schema_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def opened_public(public: Any) -> Table:
    """Open the public table, or say that it is the public one that is wrong."""
    if public is None:
        raise InputError("public= is needed: a table of public records, which may have no labels")
    try:
        table = open_table(public)
    except InputError as error:
        raise InputError(f"public: {error}") from None
    if table.n_records == 0:
        raise InputError("public= has no records")
    return table
