"""The perturbed leader: one rule, by the average of many random minimisations."""

from __future__ import annotations

import os
import warnings
from typing import Any, Literal, Self

from discreet.boosting.literals import Rule
from discreet.boosting.options import checked_n_records
from discreet.errors import OptionError
from discreet.estimators.private import refuse_unsupported, two_classes, warn_of_delta
from discreet.estimators.public_label import opened_public
from discreet.estimators.single_rule import SingleRuleClassifier
from discreet.ledger.ledger import Ledger
from discreet.mechanisms.release import Release
from discreet.mechanisms.source import current_sampler
from discreet.models.statement import PrivacyStatement
from discreet.schema.columns import Category, Column
from discreet.schema.encode import check_containers, encode, encode_labels
from discreet.schema.schema import Schema
from discreet.schema.tables import Table, open_table, resolve_schema
from discreet.semiprivate.labelling import PublicPoints
from discreet.semiprivate.oracles.rules import ExactRules
from discreet.semiprivate.perturbed.leader import labellings_of, release_average
from discreet.semiprivate.perturbed.options import PerturbedOptions
from discreet.semiprivate.perturbed.plan import PerturbedPlan, make_perturbed_plan


class PerturbedLeaderClassifier(SingleRuleClassifier):
    """A single rule, by the perturbed leader; for comparison with the literature.

    The rule with the fewest errors plus random costs is found many times, with other costs each time. The
    average of what these rules say of some public records hardly depends on one private record; it is
    released, once, with noise, and the rule that is closest to it is the model. This is Algorithm 2 of
    *Oracle-Efficient Differentially Private Learning with Public Data* (2024).

    It needs very many records. Below the number that its plan prints, the noise is larger than anything that
    it could say, and ``fit`` warns. Above it the model is one rule; ``BoostedRulesClassifier``, with
    ``rounds=1`` or more, needs no public table and far fewer records.

    Parameters
    ----------
    epsilon : float, default 1.0
        The privacy budget of one fit.
    delta : float, default 1e-6
        The delta of the guarantee, above 0 and well below one over the number of records. Half of it is for
        noise, half for the average: perturbations under which one record moves it too far.
    schema : Schema or Numeric or Categorical or Boolean, optional
        What is public about the columns, of both tables.
    points : int, default 16
        How many public records are looked at, at the most; chosen by public data only.
    strength : float or "auto", default "auto"
        How many errors a perturbation is worth. "auto" is a tenth of the number of records.
    runs : int, default 4096
        How many minimisations are averaged.
    adjacency : {"replace", "add-remove"}, default "replace"
        Which private tables count as neighbours. Under "replace" the number of private records is public;
        under "add-remove" it is private and nothing depends on it.
    classes : sequence, optional
        The two class labels, where the schema has no target. Never read off the labels.
    expected_records : int, default 10_000
        A public guess of the number of private records, used under "add-remove" only.
    ledger, account : None
        Refused: a ledger adds up finer accounts than an (epsilon, delta), and this fit has no other.

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
    plan_ : PerturbedPlan
        What was released, at what loss.
    n_features_in_ : int
        How many columns the schema has.
    feature_names_in_ : array of str
        Their names, if the private table had names.

    Examples
    --------
    >>> import numpy as np
    >>> from discreet import Numeric, PerturbedLeaderClassifier
    >>> X = np.linspace(0, 1, 200_000).reshape(-1, 1)
    >>> model = PerturbedLeaderClassifier(schema=Numeric(0, 1, bins=4), classes=[False, True])
    >>> print(model.fit(X, X[:, 0] > 0.5, public=X[::1000]).rule_.literal)
    <= 0.5
    """

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-6,
        schema: Schema | Column | None = None,
        *,
        points: int = 16,
        strength: float | Literal["auto"] = "auto",
        runs: int = 4096,
        adjacency: str = "replace",
        classes: tuple[Category | bool, ...] | None = None,
        expected_records: int = 10_000,
        ledger: Ledger | str | os.PathLike[str] | None = None,
        account: str | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.schema = schema
        self.points = points
        self.strength = strength
        self.runs = runs
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
            The public records, with the columns of the schema. They are not protected in any way.

        Returns
        -------
        self
        """
        refuse_unsupported(unsupported)
        options = self._checked()
        sampler, void = current_sampler()
        table = open_table(X)
        schema = resolve_schema(self.schema, table)
        target = two_classes(type(self).__name__, self.classes, schema.target)
        points, plan = _planned(options, schema, opened_public(public), table.n_records)
        warn_of_delta(plan.guarantee, plan.n_records)
        _warn_of_noise(plan)
        check_containers(table, schema, y)

        # No private record was read so far.
        private, labels = encode(table, schema), encode_labels(y, target, table.n_records)
        released = release_average(plan, points, private, labels, Release(plan.terms, sampler))

        # From here on everything follows from what was released, and public data.
        closest = points.agreeing(released).hypothesis
        assert isinstance(closest, Rule)
        self.plan_ = plan
        self.privacy_ = PrivacyStatement.of(plan.guarantee, plan.guarantee, plan.adjacency, void)
        self._set_rule(closest, schema, target, table)
        return self

    def plan(self, n_records: int | None = None, *, public: Any = None) -> PerturbedPlan:
        """Show what a fit would release, at what loss, and from how many records on that says anything.

        Parameters
        ----------
        n_records : int, optional
            The public number of private records; needed under ``adjacency="replace"``.
        public : table
            The public records.
        """
        options = self._checked()
        if options.adjacency == "replace" and n_records is None:
            raise OptionError("plan() needs n_records, which is public under adjacency='replace'")
        if options.adjacency == "add-remove" and n_records is not None:
            raise OptionError(
                "plan() takes no n_records under adjacency='add-remove': it is private, and "
                "expected_records stands for it"
            )
        shown = opened_public(public)
        n = None if n_records is None else checked_n_records(n_records)
        return _planned(options, resolve_schema(self.schema, shown), shown, n)[1]

    def _checked(self) -> PerturbedOptions:
        if self.ledger is not None or self.account is not None:
            raise OptionError(
                "a ledger does not pay for a perturbed leader: it adds up losses that are known in more "
                "detail than an (epsilon, delta), and part of this delta is not that of any noise"
            )
        return PerturbedOptions.checked(self.get_params(deep=False))


def _planned(
    options: PerturbedOptions, schema: Schema, public: Table, n_records: int | None
) -> tuple[PublicPoints, PerturbedPlan]:
    codes = encode(public, schema)
    points = PublicPoints.chosen_for(ExactRules(), schema, codes, options.points)
    plan = make_perturbed_plan(
        options,
        n_public=codes.values.shape[1],
        n_points=len(points.chosen),
        n_labellings=len(labellings_of(points)),
        n_records=n_records,
    )
    return points, plan


def _warn_of_noise(plan: PerturbedPlan) -> None:
    """Warn a caller's caller of a release that says nothing; a fact of public numbers."""
    if plan.noise_on_rules > 1:
        enough = plan.enough_records
        remedy = "no number of them is enough" if enough is None else f"it takes some {enough:,}"
        warnings.warn(
            f"so few records leave nothing but noise of a perturbed leader: {remedy}, and the proven sample "
            "size is that of Theorem 2 in the plan",
            UserWarning,
            stacklevel=3,
        )
