"""Every private procedure, as the harness runs it; tests/contracts/test_registered.py finds gaps.

A new measure, weak learner or mechanism is one more line here, and a page in docs/proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from discreet import BoostedHalfspaceClassifier
from discreet.accounting.adjacency import Adjacency
from discreet.boosting.features import NORM, FeatureMap
from discreet.boosting.halfspaces import CODINGS
from discreet.boosting.reweighting.class_weights import ClassWeights
from discreet.boosting.reweighting.lazy_bregman import LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.reweighting.smoothboost import BITS, SmoothBoost
from discreet.boosting.stopping import MassBelow
from discreet.boosting.weak_learners.centring import Centring
from discreet.boosting.weak_learners.levelwise_tree import LevelwiseTree
from discreet.boosting.weak_learners.one_rule import OneRule
from discreet.boosting.weak_learners.topdown_tree import TopDownTree
from discreet.estimators.boosted_trees import BoostedTreesClassifier
from discreet.estimators.regularized_leader import RegularizedLeaderClassifier
from discreet.schema.schema import Schema
from tests.harness import labelled
from tests.harness.points import (
    FEW_POINTS,
    PROJECTED_FITS,
    PROJECTED_LOOPS,
    STOCHASTIC_FITS,
    STOCHASTIC_LOOPS,
    Choice,
)
from tests.harness.procedures import EXPECTED, Loop, MarginsOf, Procedure, SemiprivateFit, WholeFit
from tests.harness.universes import ODD, PLAIN, RAGGED, SINGLE, WIDE


@dataclass(frozen=True)
class Registered:
    """A procedure for exact enumeration, and how far it is run.

    Parameters
    ----------
    name : str
        What the table of guarantees calls it.
    page : str
        The page of docs/proofs that proves its claim.
    procedure : Procedure
        What is run.
    ordinary, full : int
        The most records of a table, on every change and in the long battery; 0 for not at all.
    reaches : dict
        The share of a claim that some pair must reach, so that a bound which is far too large, or an
        enumeration that looks at nothing, is noticed as well.
    needs : int
        How many records it takes to reach that.
    """

    name: str
    page: str
    procedure: Procedure
    ordinary: int
    full: int
    reaches: dict[str, float]
    needs: int


# Learning rates are large, so that one round moves the weights of the next one visibly.
def madaboost(n: int) -> MadaBoost:
    return MadaBoost(0.4)


def lazy_bregman(n: int) -> LazyBregman:
    return LazyBregman(0.8, 0.5, n)


def smoothboost(n: int) -> SmoothBoost:
    return SmoothBoost(0.8, 0.25)


def half_the_mass(n: int) -> MassBelow:
    """Nearly all of the budget goes to the test, so that its part of the claim shows."""
    return MassBelow(n * 2**BITS // 2, 2**BITS, budget_share=0.9)


def weighted(measure: Callable[[int], Any]) -> Callable[[int], ClassWeights]:
    return lambda n: ClassWeights(measure(n), 0.4, 1.0)


def gini_tree(schema: Schema) -> LevelwiseTree:
    return LevelwiseTree(schema, 2, "gini")


def agreement_tree(schema: Schema) -> LevelwiseTree:
    return LevelwiseTree(schema, 2, "agreement")


def topdown_tree(schema: Schema) -> TopDownTree:
    return TopDownTree(schema, 2)


SIZES = {1: (4, 4), 2: (2, 4), 3: (1, 4)}
TREE_SIZES = {1: (1, 3)}


@dataclass(frozen=True)
class Part:
    """A measure and a weak learner as a pair, with what the enumeration needs to know about them.

    ``sizes`` says for each number of rounds how many records are run on every change, and in the long
    battery; ``ragged`` how many rounds are run with missing cells, and on how many records.
    """

    name: str
    page: str
    measure: Callable[[int], Any]
    learner: Callable[[Any], Any]
    adjacencies: tuple[Adjacency, ...]
    first_round: dict[str, float]
    least: float
    stop: Callable[[int], MassBelow] | None = None
    sizes: Mapping[int, tuple[int, int]] = field(default_factory=lambda: SIZES)
    ragged: tuple[int, int, int] = (2, 2, 3)


def _trees(name: str, learner: Callable[[Any], Any], reached: dict[str, dict[str, float]]) -> list[Part]:
    """Pair a tree with both measures; a tree has many outcomes, so fewer records are run."""
    return [
        Part(
            f"{measure.__name__.replace('_', '-')}, {name}",
            "boosted-trees.md",
            measure,
            learner,
            adjacencies,
            first_round=reached[measure.__name__],
            least=0.15,
            sizes=TREE_SIZES,
            ragged=(1, 1, 2),
        )
        for measure, adjacencies in ((madaboost, ("replace", "add-remove")), (lazy_bregman, ("replace",)))
    ]


PARTS = (
    Part(
        "madaboost, one-rule",
        "boosted-one-rules.md",
        madaboost,
        OneRule,
        ("replace", "add-remove"),
        first_round={"pure": 0.95, "range": 0.999, "zcdp": 0.65, "gaussian": 0.6},
        least=0.5,
    ),
    # With density 1/2 the records of the first round weigh half of what the bound allows.
    Part(
        "lazy-bregman, one-rule",
        "lazy-bregman.md",
        lazy_bregman,
        OneRule,
        ("replace",),
        first_round={"pure": 0.45, "range": 0.45, "zcdp": 0.2, "gaussian": 0.6},
        least=0.3,
    ),
    Part(
        "smoothboost, one-rule",
        "smoothboost.md",
        smoothboost,
        OneRule,
        ("replace", "add-remove"),
        first_round={},
        least=0.03,  # The proof covers any queries, and those of so few records differ little.
        stop=half_the_mass,
        sizes={1: (2, 4), 2: (2, 4), 3: (0, 4)},
    ),
    Part(
        "madaboost with class weights, one-rule",
        "class-weights.md",
        weighted(madaboost),
        OneRule,
        ("replace", "add-remove"),
        first_round={"pure": 0.85, "range": 0.999, "zcdp": 0.6, "gaussian": 0.6},
        least=0.3,
        sizes={1: (2, 4), 2: (1, 4), 3: (0, 4)},
        ragged=(2, 1, 3),
    ),
    Part(
        "lazy-bregman with class weights, one-rule",
        "class-weights.md",
        weighted(lazy_bregman),
        OneRule,
        ("replace",),
        first_round={"pure": 0.4, "range": 0.45, "zcdp": 0.15, "gaussian": 0.45},
        least=0.14,
        sizes={1: (2, 4), 2: (1, 4), 3: (0, 4)},
        ragged=(2, 1, 3),
    ),
    *_trees(
        "gini tree",
        gini_tree,
        {"madaboost": {"pure": 0.4, "zcdp": 0.3}, "lazy_bregman": {"pure": 0.2, "zcdp": 0.1}},
    ),
    *_trees(
        "agreement tree",
        agreement_tree,
        {"madaboost": {"pure": 0.6, "zcdp": 0.6}, "lazy_bregman": {"pure": 0.3, "zcdp": 0.15}},
    ),
    *_trees(
        "top-down tree",
        topdown_tree,
        {"madaboost": {"pure": 0.3, "zcdp": 0.3}, "lazy_bregman": {"pure": 0.2, "zcdp": 0.08}},
    ),
)

# With so few rounds permute-and-flip beats Gumbel noise at any sensible delta, so zcdp takes a large one. The
# claims that are checked, range, rho and delta, are those of the plan.
ROUTES = {"pure": 0.0, "zcdp": 0.5}
"""The delta that makes a plan take each route."""


def _loops() -> list[Registered]:
    return [
        Registered(
            f"{part.name}, {adjacency}, {route}, rounds: {rounds}",
            part.page,
            Loop(part.measure, part.learner, PLAIN, adjacency, rounds, 4.0 * rounds, delta, part.stop),
            ordinary=ordinary,
            full=full,
            reaches=_reaches(part, route, rounds),
            needs=full,
        )
        for part in PARTS
        for adjacency in part.adjacencies
        for route, delta in ROUTES.items()
        for rounds, (ordinary, full) in part.sizes.items()
    ]


def _reaches(part: Part, route: str, rounds: int) -> dict[str, float]:
    if rounds > 1:
        return {route: part.least}
    return {
        claim: share for claim, share in part.first_round.items() if (claim == "pure") == (route == "pure")
    }


def _ragged() -> list[Registered]:
    return [
        Registered(
            f"{part.name}, {adjacency}, {route}, missing cells, foreign labels",
            part.page,
            Loop(part.measure, part.learner, RAGGED, adjacency, rounds, 4.0 * rounds, delta, part.stop),
            ordinary=ordinary,
            full=full,
            reaches={route: part.least},
            needs=2,
        )
        for part in PARTS
        for rounds, ordinary, full in (part.ragged,)
        for adjacency in part.adjacencies
        for route, delta in ROUTES.items()
    ]


@dataclass(frozen=True)
class VectorPart:
    """A measure with the centring learner: its releases are too many to enumerate, so it is replayed."""

    name: str
    measure: Callable[[int], Any]
    coding: str
    cap: int
    adjacencies: tuple[Adjacency, ...]
    page: str = "boosted-halfspaces.md"

    def learner(self, schema: Any) -> Centring:
        """Three records move a level by one: levels matter as much as with rules."""
        return Centring(len(FeatureMap(schema, self.coding).features), 1 / (3 * self.cap * NORM**2))


VECTOR_PARTS = tuple(
    VectorPart(f"{name}, centring, {coding}", measure, coding, cap, adjacencies)
    for coding in CODINGS
    for name, measure, cap, adjacencies in (
        ("madaboost", madaboost, 2**20, ("replace", "add-remove")),
        ("lazy-bregman", lazy_bregman, 2**30, ("replace",)),
    )
)


def _trees_in_rounds() -> list[Registered]:
    """Two rounds of trees, on one column only: even so there are 256 outcomes."""
    return [
        Registered(
            f"{part.name}, {adjacency}, {route}, one column, rounds: 2",
            part.page,
            Loop(part.measure, part.learner, SINGLE, adjacency, 2, 8.0, delta),
            ordinary=1,
            full=3,
            reaches={route: part.least},
            needs=3,
        )
        for part in PARTS
        if part.learner is gini_tree
        for adjacency in part.adjacencies
        for route, delta in ROUTES.items()
    ]


def _fits(negative: object) -> dict[str, dict[str, Any]]:
    """Return the estimator's options, by what they turn on; ``negative`` is the first class."""
    smooth = {"learning_rate": 0.4, "reweighting": "smoothboost", "density": 0.5}
    return {
        "madaboost, replace": {"learning_rate": 0.4},
        "madaboost, add-remove": {"learning_rate": 0.4, "adjacency": "add-remove"},
        "lazy-bregman, replace": {"learning_rate": 0.8, "reweighting": "lazy-bregman", "density": 0.5},
        "smoothboost, replace": smooth,
        "smoothboost, add-remove": smooth | {"adjacency": "add-remove", "expected_records": EXPECTED},
        "class weights, replace": {"learning_rate": 0.4, "class_weight": {negative: 0.4}},
    }


FITS = _fits(0)

PAGES = {
    "madaboost": "boosted-one-rules.md",
    "lazy-bregman": "lazy-bregman.md",
    "smoothboost": "smoothboost.md",
    "class weights": "class-weights.md",
}


def _whole_fits() -> list[Registered]:
    return [
        Registered(
            f"whole fit, {name}, odd cells, rounds: {rounds}",
            PAGES[name.split(",")[0]],
            WholeFit(ODD, options | {"epsilon": 4.0 * rounds, "delta": 0.0, "rounds": rounds}),
            # Two rounds of what is built on MadaBoost are for the long battery.
            ordinary={1: 2, 2: 0 if name.startswith(("smooth", "class")) else 1}[rounds],
            full={1: 4, 2: 3}[rounds],
            reaches={"pure": 0.25},
            needs=1,
        )
        for name, options in FITS.items()
        for rounds in (1, 2)
    ]


def _resampled() -> list[Registered]:
    """Boosting by resampling is purely private on both routes."""
    return [
        Registered(
            f"resampling by {name}, one-rule, replace, {universe_name}, rounds: {rounds}",
            "resampling.md",
            Loop(measure, OneRule, universe, "replace", rounds, 1.5 * rounds, draws={1: 2, 2: 1}[rounds]),
            ordinary={1: 2, 2: 1}[rounds],
            full={1: 3, 2: 2}[rounds],
            reaches={"pure": least},
            needs=1,
        )
        for name, measure, least in (("madaboost", madaboost, 0.4), ("lazy-bregman", lazy_bregman, 0.2))
        for universe_name, universe in (("plain", PLAIN), ("foreign labels", RAGGED))
        for rounds in (1, 2)
    ]


TREE_FITS: dict[str, dict[str, Any]] = {
    "madaboost, replace": {"learning_rate": 0.4},
    "madaboost, add-remove": {"learning_rate": 0.4, "adjacency": "add-remove", "criterion": "agreement"},
    "madaboost, replace, best-first": {"learning_rate": 0.4, "growth": "best-first", "depth": 1},
}


def _whole_tree_fits() -> list[Registered]:
    return [
        Registered(
            f"whole fit of a tree, {name}",
            "boosted-trees.md",
            WholeFit(SINGLE, options | {"epsilon": 4.0, "delta": 0.0, "rounds": 1}, BoostedTreesClassifier),
            ordinary=1,
            full=3,
            reaches={"pure": 0.25},
            needs=3,
        )
        for name, options in TREE_FITS.items()
    ]


def _labelled() -> list[Registered]:
    return [
        Registered(
            f"labels of {name}, {adjacency}",
            "private-labels.md",
            make(adjacency),
            ordinary,
            full,
            {"pure": reached},
            needs,
        )
        for name, (make, ordinary, full, reached, needs) in labelled.ENUMERATED.items()
        for adjacency in labelled.ADJACENCIES
    ]


def _nets() -> list[Registered]:
    return [
        Registered(
            f"projected halfspace, net of 7 candidates, {adjacency}, {route}",
            "projected-halfspaces.md",
            Choice(FEW_POINTS, adjacency, delta),
            ordinary=2,
            full=4,
            reaches={route: 0.5},
            needs=2,
        )
        for adjacency in ("replace", "add-remove")
        for route, delta in ROUTES.items()
    ]


ENUMERATED: tuple[Registered, ...] = (
    *_loops(),
    *_ragged(),
    *_trees_in_rounds(),
    *_whole_fits(),
    *_whole_tree_fits(),
    *_resampled(),
    *_labelled(),
    *_nets(),
)


LEADER_FITS: dict[str, dict[str, Any]] = {
    "leverage, replace": {"ridge": 1e-3, "coding": "thermometer"},
    "leverage, add-remove": {"adjacency": "add-remove", "expected_records": EXPECTED},
    "leverage, replace, pure": {"delta": 0.0},
    "values, replace": {"bound": "values", "strength": 10.0},
}


def _replayed() -> dict[str, Procedure]:
    loops: dict[str, Procedure] = {
        f"{part.name}, {adjacency}": Loop(part.measure, part.learner, WIDE, adjacency, 4, 4.0, stop=part.stop)
        for part in PARTS
        for adjacency in part.adjacencies
    }
    fits = {
        f"whole fit, {name}": WholeFit(WIDE, options | {"rounds": 3, "delta": 0.0})
        for name, options in _fits("no").items()
    }
    trees: dict[str, Procedure] = {
        f"lazy-bregman, tree of depth 4, {criterion}": Loop(
            lazy_bregman, lambda schema, of=criterion: LevelwiseTree(schema, 4, of), WIDE, "replace", 2, 4.0
        )
        for criterion in ("gini", "agreement")
    }
    fits |= {
        f"whole fit of trees, {name}": WholeFit(
            WIDE, options | {"rounds": 2, "delta": 0.0}, BoostedTreesClassifier
        )
        for name, options in TREE_FITS.items()
    }
    # Measures and learners that are not enumerated together; halfspaces have whole fits with class weights.
    mixed: dict[str, Procedure] = {
        "smooth, agreement tree, replace": Loop(
            smoothboost, agreement_tree, WIDE, "replace", 4, 4.0, stop=half_the_mass
        ),
        "weights, gini tree, replace": Loop(weighted(lazy_bregman), gini_tree, WIDE, "replace", 4, 4.0),
    }
    vectors: dict[str, Procedure] = {
        f"{part.name}, {adjacency}": Loop(
            part.measure, part.learner, WIDE, adjacency, 4, 4.0, delta=1e-6, coding=part.coding
        )
        for part in VECTOR_PARTS
        for adjacency in part.adjacencies
    }
    halfspaces = {
        f"whole fit, halfspace, {name}": WholeFit(
            WIDE, options | {"rounds": 3, "learning_rate": 2.0}, BoostedHalfspaceClassifier
        )
        for name, options in _fits("no").items()
        if options.get("reweighting") != "smoothboost"
    }
    leaders = {
        f"whole fit, leader, {name}": SemiprivateFit(WIDE, options, RegularizedLeaderClassifier)
        for name, options in LEADER_FITS.items()
    }
    automatic = WholeFit(WIDE, {"adjacency": "add-remove", "epsilon": 0.05, "delta": 0.0})
    margins: dict[str, Procedure] = {
        f"margins, {adjacency}": MarginsOf(WIDE, adjacency) for adjacency in ("replace", "add-remove")
    }
    automatic_fit = {"whole fit, automatic settings, add-remove": automatic}
    stochastic = STOCHASTIC_LOOPS | STOCHASTIC_FITS
    others = margins | leaders | automatic_fit | PROJECTED_LOOPS | PROJECTED_FITS | labelled.replayed()
    return loops | trees | mixed | vectors | fits | halfspaces | others | stochastic


REPLAYED: dict[str, Procedure] = _replayed()
"""Larger tables over 400 record types, for neighbour replay."""
