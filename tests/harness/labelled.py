"""Procedures that label public records, as the harness runs them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd
from sklearn.tree import DecisionTreeClassifier

from discreet import PerturbedLeaderClassifier, PublicLabelClassifier, SeparatorClassifier
from discreet.accounting.adjacency import Adjacency
from discreet.mechanisms.release import Release, Sampler
from discreet.semiprivate.label_plan import LabelPlan, make_label_plan
from discreet.semiprivate.labelling import PublicPoints, release_labels
from discreet.semiprivate.oracles.rules import ExactRules
from discreet.semiprivate.oracles.trees import ExactTree
from discreet.testing import use_sampler
from tests.harness.artefacts import rule_artefacts_of, student_artefacts_of
from tests.harness.universes import ODD, PLAIN, RAGGED, SINGLE, WIDE, Table, Universe
from tests.unit.semiprivate.toy_oracle import ListedOracle, every_function


@dataclass(frozen=True, eq=False)
class Labels:
    """Labels of points chosen from one public record of each type; the labels of all are its output."""

    oracle: Any
    universe: Universe
    adjacency: Adjacency = "replace"
    points: int = 2
    epsilon: float = 4.0

    def plan_for(self, n: int) -> LabelPlan:
        return make_label_plan(
            points=len(self._points.chosen),
            epsilon=self.epsilon,
            adjacency=self.adjacency,
            n_records=n if self.adjacency == "replace" else None,
            n_public=len(self.universe.types),
            oracle=self.oracle,
            schema=self.universe.schema,
        )

    def run(self, table: Table, sampler: Sampler) -> Hashable:
        plan = self.plan_for(len(table))
        codes, labels = self.universe.codes(table), self.universe.labels(table)
        released = release_labels(
            self._points, codes, labels, Release(plan.terms, sampler), plan.terms[0].claim
        )
        return self._points.label_all(released).tobytes()

    @cached_property
    def _points(self) -> PublicPoints:
        everyone = tuple(range(len(self.universe.types)))
        codes = self.universe.codes(everyone)
        return PublicPoints.chosen_for(self.oracle, self.universe.schema, codes, self.points)


@dataclass(frozen=True, eq=False)
class PublicFit:
    """From two data frames to everything that the owner of the model could hand out."""

    universe: Universe
    options: dict[str, Any]
    estimator: type = PublicLabelClassifier
    _plans: dict[int | None, LabelPlan] = field(default_factory=dict, init=False, repr=False)

    @property
    def adjacency(self) -> Adjacency:
        return self._estimator().adjacency

    def plan_for(self, n: int) -> LabelPlan:
        n_records = n if self.adjacency == "replace" else None
        if n_records not in self._plans:
            self._plans[n_records] = self._estimator().plan(n_records, public=self._public)
        return self._plans[n_records]

    def run(self, table: Table, sampler: Sampler) -> Hashable:
        with use_sampler(sampler):
            return student_artefacts_of(self._estimator(), *self.universe.frame(table), self._public)

    @cached_property
    def _public(self) -> pd.DataFrame:
        everyone = tuple(range(len(self.universe.types)))
        return self.universe.frame(everyone[:: max(1, len(everyone) // 40)])[0]

    def _estimator(self) -> Any:
        student = DecisionTreeClassifier(max_depth=2, random_state=0)
        return self.estimator(schema=self.universe.schema, student=student, **self.options)


@dataclass(frozen=True, eq=False)
class RuleFit:
    """From a data frame to everything that the owner of a rule found by made-up records could hand out."""

    universe: Universe
    adjacency: Adjacency
    epsilon: float = 4.0

    def plan_for(self, n: int) -> LabelPlan:
        return self._estimator().plan(n if self.adjacency == "replace" else None)

    def run(self, table: Table, sampler: Sampler) -> Hashable:
        with use_sampler(sampler):
            return rule_artefacts_of(self._estimator(), *self.universe.frame(table))

    def _estimator(self) -> SeparatorClassifier:
        return SeparatorClassifier(self.epsilon, self.universe.schema, adjacency=self.adjacency)


@dataclass(frozen=True, eq=False)
class PerturbedFit(PublicFit):
    """The same for a perturbed leader."""

    estimator: type = PerturbedLeaderClassifier

    def run(self, table: Table, sampler: Sampler) -> Hashable:
        with use_sampler(sampler):
            frame = self.universe.frame(table)
            return rule_artefacts_of(self._estimator(), *frame, public=self._public)

    def _estimator(self) -> Any:
        return self.estimator(schema=self.universe.schema, **self.options)


ADJACENCIES: tuple[Adjacency, ...] = ("replace", "add-remove")

EVERY_LABELLING = ListedOracle(every_function)

ENUMERATED: dict[str, tuple[Callable[[Adjacency], Any], int, int, float, int]] = {
    "one point, every labelling": (lambda a: Labels(EVERY_LABELLING, SINGLE, a, 1), 3, 4, 0.99, 3),
    # One record moves one of two points only.
    "two points, every labelling": (lambda a: Labels(EVERY_LABELLING, SINGLE, a, 2), 3, 4, 0.499, 3),
    "two points, rules": (lambda a: Labels(ExactRules(), PLAIN, a, 2), 2, 4, 0.99, 2),
    "three points, rules": (lambda a: Labels(ExactRules(), PLAIN, a, 3), 1, 3, 0.6, 3),
    "two points, trees": (lambda a: Labels(ExactTree(2), PLAIN, a, 2), 2, 4, 0.499, 2),
    "whole fit of a separator": (lambda a: RuleFit(RAGGED, a), 1, 3, 0.33, 1),
    "whole fit, rules, odd cells": (
        lambda a: PublicFit(ODD, {"epsilon": 4.0, "points": 2, "adjacency": a, "expected_records": 3}),
        1,
        3,
        0.7,
        1,
    ),
}
"""By name: the procedure; the most records on every change, and in the long battery; what is reached of
epsilon, and the records that it takes."""


def replayed() -> dict[str, Any]:
    """Return larger tables over 400 record types."""
    labels = {
        f"labels, {name}, {adjacency}": Labels(oracle, WIDE, adjacency, 4)
        for name, oracle in (("rules", ExactRules()), ("trees", ExactTree(2)))
        for adjacency in ADJACENCIES
    }
    fits = {
        f"whole fit, labels, {adjacency}": PublicFit(WIDE, {"points": 4, "adjacency": adjacency})
        for adjacency in ADJACENCIES
    }
    automatic = PublicFit(WIDE, {"adjacency": "add-remove", "epsilon": 0.01, "expected_records": 3})
    # The claim for so few runs is for any perturbations, even those that hardly are any.
    perturbed = {
        f"whole fit, perturbed, {adjacency}": PerturbedFit(
            WIDE, {"runs": 4, "points": 4, "strength": 128.0, "adjacency": adjacency}
        )
        for adjacency in ADJACENCIES
    }
    return labels | fits | perturbed | {"whole fit, labels, automatic settings": automatic}
