"""Halfspaces by random projection, as the harness runs them: rows of numbers, and no schema."""

from __future__ import annotations

import itertools
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from discreet import ProjectedHalfspaceClassifier
from discreet.engines.hinge import HingeEngine
from discreet.engines.margin_errors import MarginErrors
from discreet.engines.projection import NORM
from discreet.halfspaces.choice import choose
from discreet.halfspaces.descent import descend
from discreet.halfspaces.fit_plan import NetPlan, ProjectedPlan, StochasticPlan, make_projected_plan
from discreet.halfspaces.net import Net
from discreet.halfspaces.options import ProjectedOptions
from discreet.halfspaces.projected import projection_of
from discreet.halfspaces.stochastic import descend_repeatedly
from discreet.mechanisms.release import Release, Sampler
from discreet.schema.encode import encode_labels
from discreet.schema.points import open_points
from discreet.schema.target import Target
from tests.harness.artefacts import artefacts_of
from tests.harness.procedures import WholeFit
from tests.harness.replay import Broken
from tests.harness.universes import Table

CLASSES = (0, 1)


@dataclass(frozen=True, eq=False)
class PointTypes:
    """Record types that are rows of numbers, and how tables of them come in.

    Parameters
    ----------
    rows : array, [type, column]
    labels : tuple
        One a type; some lie outside the classes.
    form : {"dense", "sparse", "messy"}
        The container. A messy one writes zeros down, divides numbers in two, and does not sort them.
    """

    rows: np.ndarray
    labels: tuple[object, ...]
    form: str = "dense"

    @property
    def types(self) -> range:
        return range(len(self.rows))

    def tables(self, n: int) -> list[Table]:
        return list(itertools.combinations_with_replacement(self.types, n))

    def types_of_label(self, label: int) -> np.ndarray:
        return np.flatnonzero([kind == label or (label == 2 and kind not in CLASSES) for kind in self.labels])

    def frame(self, table: Table) -> tuple[Any, np.ndarray]:
        rows = self.rows[list(table)]
        labels = np.empty(len(table), dtype=object)
        labels[:] = [self.labels[kind] for kind in table]
        if self.form == "dense":
            return rows, labels
        if self.form == "sparse":
            return sp.csr_matrix(rows), labels
        places = np.indices(rows.shape).reshape(2, -1)[:, ::-1]
        halves = np.tile(rows.ravel()[::-1] / 2, 2)
        return sp.coo_array((halves, tuple(np.tile(places, 2))), shape=rows.shape), labels


def _point_types(form: str) -> PointTypes:
    """Return 200 record types over nine columns: each row with its opposite, every odd number among them."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(50, 9)) * 10.0 ** rng.integers(-3, 4, (50, 1))
    rows[rng.random(rows.shape) < 0.3] = 0
    odd = rng.random(rows.shape) < 0.08
    rows[odd] = rng.choice([np.nan, np.inf, -np.inf, -0.0, 1e308, -1e308, 5e-324], odd.sum())
    rows[:2] = 0
    every = np.concatenate([rows, -rows, rows, -rows])
    return PointTypes(every, (0,) * 95 + ("neither", None, 2, float("nan"), 1.5) + (1,) * 100, form)


POINTS = {form: _point_types(form) for form in ("dense", "sparse", "messy")}

SETTINGS: dict[str, dict[str, Any]] = {
    "replace": {},
    "add-remove": {"adjacency": "add-remove", "expected_records": 12},
    "replace, sparse matrix, lifted": {"projection": "sparse", "intercept": True},
    "add-remove, no matrix": {"adjacency": "add-remove", "n_components": 9},
}


@dataclass(frozen=True, eq=False)
class Descent:
    """From rows to the weights of the components."""

    universe: PointTypes
    settings: dict[str, Any]
    _plans: dict[int | None, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def adjacency(self) -> Any:
        return self.settings.get("adjacency", "replace")

    def plan_for(self, n: int) -> ProjectedPlan:
        n_records = n if self.adjacency == "replace" else None
        if n_records not in self._plans:
            width = self.universe.rows.shape[1]
            self._plans[n_records] = make_projected_plan(self._options, n_records, width)
        return self._plans[n_records]

    def run(self, table: Table, sampler: Sampler) -> Hashable:
        X, y = self.universe.frame(table)
        plan, points = self.plan_for(len(table)), open_points(X)
        projection, checksum = projection_of(
            plan.projection, plan.n_components, plan.n_features, 0, plan.intercept
        )
        labels = encode_labels(y, Target("y", CLASSES), points.n_records)
        engine = HingeEngine(projection.vectors(points), labels, NORM)
        weights = descend(range(plan.rounds), plan, engine, Release(plan.terms, sampler))
        return checksum, weights.tobytes()

    @cached_property
    def _options(self) -> ProjectedOptions:
        defaults = ProjectedHalfspaceClassifier(n_components=5, rounds=4, margin=0.3).get_params()
        return ProjectedOptions.checked(defaults | self.settings)


FEW_POINTS = PointTypes(
    np.array(
        [
            [3.0, 4.0],
            [-3.0, -4.0],
            [1.0, 0.0],
            [-1.0, 0.0],
            [0.0, 0.0],
            [np.nan, np.inf],
            [1.0, 0.0],
            [0.0, 1.0],
        ]
    ),
    (0, 0, 1, 1, 1, 0, "neither", 1),
)
"""Eight record types in the plane."""


@dataclass(frozen=True, eq=False)
class Choice:
    """From rows to the candidate of a net, which is coarse enough to enumerate.

    Parameters
    ----------
    delta : float
        0 for permute-and-flip; else the exponential mechanism.
    radius : float
        Of the net, which has 7 candidates in the plane at 1/2.
    """

    universe: PointTypes
    adjacency: Any
    delta: float = 0.0
    radius: float = 0.5
    _plans: dict[int | None, Any] = field(default_factory=dict, init=False, repr=False)

    def plan_for(self, n: int) -> NetPlan:
        n_records = n if self.adjacency == "replace" else None
        if n_records not in self._plans:
            self._plans[n_records] = self._planned(n_records)
        return self._plans[n_records]

    def _planned(self, n_records: int | None) -> NetPlan:
        model = ProjectedHalfspaceClassifier(
            4.0, self.delta, 1.0, method="net", n_components=2, adjacency=self.adjacency
        )
        plan = make_projected_plan(
            ProjectedOptions.checked(model.get_params()), n_records, self.universe.rows.shape[1]
        )
        return replace(plan, net=Net(2, self.radius))

    def run(self, table: Table, sampler: Sampler) -> Hashable:
        X, y = self.universe.frame(table)
        plan, points = self.plan_for(len(table)), open_points(X)
        projection, _ = projection_of(plan.projection, 2, plan.n_features, 0, False)
        labels = encode_labels(y, Target("y", CLASSES), points.n_records)
        engine = MarginErrors(projection.vectors(points), labels, NORM)
        return choose(plan, engine, Release(plan.terms, sampler)).tobytes()


@dataclass(frozen=True, eq=False)
class Stochastic:
    """From rows to the chosen iterate, by fewer steps than are paid for.

    Parameters
    ----------
    steps : int
        Of one repeat, at most; there are three repeats.
    """

    universe: PointTypes
    steps: int = 12
    adjacency: Any = "replace"
    _plans: dict[int, StochasticPlan] = field(default_factory=dict, init=False, repr=False)

    def plan_for(self, n: int) -> StochasticPlan:
        if n not in self._plans:
            model = ProjectedHalfspaceClassifier(
                60.0, margin=0.3, method="stochastic", n_components=5, failure=0.5
            )
            plan = make_projected_plan(
                ProjectedOptions.checked(model.get_params()), n, self.universe.rows.shape[1]
            )
            self._plans[n] = replace(plan, steps=min(plan.steps, self.steps))
        return self._plans[n]

    def run(self, table: Table, sampler: Sampler) -> Hashable:
        X, y = self.universe.frame(table)
        plan, points = self.plan_for(len(table)), open_points(X)
        projection, _ = projection_of(plan.projection, 5, plan.n_features, 0, False)
        labels = encode_labels(y, Target("y", CLASSES), points.n_records)
        vectors = projection.vectors(points)
        errors = MarginErrors(vectors, labels, NORM)
        engine = HingeEngine(vectors, labels, NORM)
        release = Release(plan.terms, sampler)
        return descend_repeatedly(range(plan.repeats), plan, engine, errors, release).tobytes()


class ProjectedFit(WholeFit):
    """A whole fit on rows of numbers."""

    def plan_for(self, n: int) -> Any:
        n_records = n if self.adjacency == "replace" else None
        return self._estimator().plan(n_records, self.universe.rows.shape[1])

    def _estimator(self) -> ProjectedHalfspaceClassifier:
        descent = {"n_components": 5, "rounds": 4, "margin": 0.3}
        options = self.options if "method" in self.options else descent | self.options
        return ProjectedHalfspaceClassifier(classes=CLASSES, **options)

    def _artefacts(self, table: Table) -> Hashable:
        return artefacts_of(self._estimator(), *self.universe.frame(table), shown=shown)


def shown(model: Any) -> dict[str, bytes]:
    """Return what a projected halfspace shows: coefficients, and margins of rows that are no records."""
    public = np.random.default_rng(0).normal(size=(20, model.n_features_in_))
    return {
        "coefficients": model.coef_.tobytes() + model.intercept_.tobytes(),
        "predictions": model.decision_function(public).tobytes(),
    }


def replay_projection(rng: np.random.Generator) -> float:
    """Replace one row of a table; return the share of the other vectors' numbers that moved."""
    n, d = int(rng.integers(2, 40)), int(rng.integers(2, 60))
    rows = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4, (n, 1))
    other = rows.copy()
    other[0] = rng.normal(size=d) * 10.0 ** rng.integers(-9, 9)
    projection, _ = projection_of("dense", min(d - 1, 16), d, int(rng.integers(100)), False)
    form = (np.asarray, sp.csr_array)[int(rng.integers(2))]
    here = projection.vectors(open_points(form(rows)))[1:]
    order = rng.permutation(np.arange(1, n))
    there = projection.vectors(open_points(form(other[[*order, 0]])), int(rng.integers(1, 4)))[:-1]
    moved = here[order - 1] != there
    if moved.any():
        raise Broken("one record moved the vector of another")
    return float(moved.mean())


PROJECTED_LOOPS = {
    f"projected halfspace, {name}, {form} rows": Descent(points, settings)
    for name, settings in SETTINGS.items()
    for form, points in POINTS.items()
    if form == "dense" or name == "replace"
}

PROJECTED_LOOPS |= {
    f"projected halfspace, net, {adjacency}": Choice(POINTS["messy"], adjacency, radius=0.1)
    for adjacency in ("replace", "add-remove")
}

PROJECTED_FITS = {
    f"whole fit, projected halfspace, {name}, {form} rows": ProjectedFit(points, settings)
    for (name, settings), (form, points) in zip(
        SETTINGS.items(), (POINTS | {"sparse again": POINTS["sparse"]}).items(), strict=True
    )
} | {
    "whole fit, projected halfspace, net, add-remove": ProjectedFit(
        POINTS["sparse"],
        {"method": "net", "delta": 0, "margin": 0.9, "adjacency": "add-remove", "max_candidates": 1_000},
    )
}

STOCHASTIC_LOOPS = {"stochastic descent, replace": Stochastic(POINTS["messy"])}

STOCHASTIC_FITS = {
    "whole fit, stochastic descent": ProjectedFit(
        POINTS["dense"],
        {"method": "stochastic", "n_components": 3, "failure": 0.9, "margin": 0.3, "epsilon": 40.0},
    )
}
"""Every fit takes n^2 steps: few pairs of them."""
