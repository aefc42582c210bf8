"""Every private procedure, as the harness runs it; tests/contracts/test_registered.py finds gaps.

A new measure, weak learner or mechanism is one more line here, and a page in docs/proofs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from discreet import BoostedHalfspaceClassifier
from discreet.accounting.adjacency import Adjacency
from discreet.boosting.features import NORM, FeatureMap
from discreet.boosting.halfspaces import CODINGS
from discreet.boosting.reweighting.lazy_bregman import LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.weak_learners.centring import Centring
from discreet.boosting.weak_learners.one_rule import OneRule
from tests.harness.procedures import Loop, Procedure, WholeFit
from tests.harness.universes import ODD, PLAIN, RAGGED, WIDE


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
        The most records of a table, on every change and in the long battery.
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


@dataclass(frozen=True)
class Part:
    """A measure and a weak learner as a pair, with what the enumeration needs to know about them."""

    name: str
    page: str
    measure: Callable[[int], Any]
    learner: Callable[[Any], Any]
    adjacencies: tuple[Adjacency, ...]
    first_round: dict[str, float]
    least: float


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
            Loop(part.measure, part.learner, PLAIN, adjacency, rounds, 4.0 * rounds, delta),
            ordinary={1: 4, 2: 2, 3: 1}[rounds],
            full=4,
            reaches=_reaches(part, route, rounds),
            needs=4,
        )
        for part in PARTS
        for adjacency in part.adjacencies
        for route, delta in ROUTES.items()
        for rounds in (1, 2, 3)
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
            Loop(part.measure, part.learner, RAGGED, adjacency, 2, 8.0, delta),
            ordinary=2,
            full=3,
            reaches={route: part.least},
            needs=2,
        )
        for part in PARTS
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


FITS: dict[str, dict[str, Any]] = {
    "madaboost, replace": {"learning_rate": 0.4},
    "madaboost, add-remove": {"learning_rate": 0.4, "adjacency": "add-remove"},
    "lazy-bregman, replace": {"learning_rate": 0.8, "reweighting": "lazy-bregman", "density": 0.5},
}
"""The estimator's options, by what they turn on."""


def _whole_fits() -> list[Registered]:
    return [
        Registered(
            f"whole fit, {name}, odd cells, rounds: {rounds}",
            "lazy-bregman.md" if name.startswith("lazy") else "boosted-one-rules.md",
            WholeFit(ODD, options | {"epsilon": 4.0 * rounds, "delta": 0.0, "rounds": rounds}),
            ordinary={1: 2, 2: 1}[rounds],
            full={1: 4, 2: 3}[rounds],
            reaches={"pure": 0.25},
            needs=1,
        )
        for name, options in FITS.items()
        for rounds in (1, 2)
    ]


ENUMERATED: tuple[Registered, ...] = (*_loops(), *_ragged(), *_whole_fits())


def _replayed() -> dict[str, Procedure]:
    loops: dict[str, Procedure] = {
        f"{part.name}, {adjacency}": Loop(part.measure, part.learner, WIDE, adjacency, 4, 4.0)
        for part in PARTS
        for adjacency in part.adjacencies
    }
    fits = {
        f"whole fit, {name}": WholeFit(WIDE, options | {"rounds": 3, "delta": 0.0})
        for name, options in FITS.items()
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
        for name, options in FITS.items()
    }
    automatic = WholeFit(WIDE, {"adjacency": "add-remove", "epsilon": 0.05, "delta": 0.0})
    return loops | vectors | fits | halfspaces | {"whole fit, automatic settings, add-remove": automatic}


REPLAYED: dict[str, Procedure] = _replayed()
"""Larger tables over 400 record types, for neighbour replay."""
