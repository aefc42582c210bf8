"""Privately boosted one-rules: a scorecard with a guarantee."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pandas as pd
from sklearn.utils.validation import check_is_fitted

from discreet.boosting.assembly import Assembly, assemble
from discreet.boosting.literals import Rule
from discreet.boosting.options import BoostingOptions
from discreet.boosting.weak_learners.one_rule import OneRule
from discreet.estimators.boosted import BoostedClassifier
from discreet.ledger.ledger import Ledger
from discreet.models.ensemble import RuleEnsemble
from discreet.models.rules_file import SavedRules, saved_rules
from discreet.models.scorecard import scorecard
from discreet.schema.columns import Category, Column
from discreet.schema.schema import Schema


class BoostedRulesClassifier(BoostedClassifier):
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
    reweighting : {"madaboost", "lazy-bregman", "smoothboost"}, default "madaboost"
        The measure over records. SmoothBoost stops as soon as a private test says that little weight is
        left; ``rounds`` is then the most that it runs, and the test takes a part of the budget.
    density : float or "auto", default "auto"
        For lazy-bregman: the share of the records' full weight that is kept. For smoothboost: the share
        below which it stops.
    adjacency : {"replace", "add-remove"}, default "replace"
        Which tables count as neighbours. Under "replace" the number of records is public; under
        "add-remove" it is private and nothing depends on it.
    class_weight : mapping, optional
        A public weight in (0, 1] for each class, 1 where none is given: how much a record of that class
        counts. Never computed from the records.
    classes : sequence, optional
        The two class labels, where the schema has no target. Never read off the labels.
    expected_records : int, default 10_000
        A public guess of the number of records, used under "add-remove" only: by "auto", and for the mass
        below which SmoothBoost stops.
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

    _saved_type = SavedRules
    ensemble_: RuleEnsemble

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
        """Return the model as a table: votes per (column, test), most weighty first."""
        check_is_fitted(self)
        return scorecard(self.ensemble_, self.schema_, self.classes_.tolist())

    def _assemble(self, options: BoostingOptions, schema: Schema, n_records: int | None) -> Assembly[Rule]:
        return assemble(options, OneRule(schema), n_records)

    def _ensemble(self, hypotheses: Sequence[Rule], parts: Assembly[Rule]) -> RuleEnsemble:
        return RuleEnsemble(tuple(hypotheses), parts.learning_rate)

    def _learned(self) -> dict[str, Any]:
        return {
            "learning_rate": self.ensemble_.learning_rate,
            "rules": saved_rules(self.ensemble_, self.schema_),
        }
