"""Every private procedure, as the harness runs it; tests/contracts/test_registered.py finds gaps.

A new measure, weak learner or mechanism is one more line here, and a page in docs/proofs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from discreet.accounting.adjacency import Adjacency
from discreet.boosting.reweighting.class_weights import ClassWeights
from discreet.boosting.reweighting.lazy_bregman import LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.reweighting.smoothboost import BITS, SmoothBoost
from discreet.boosting.stopping import MassBelow
from discreet.boosting.weak_learners.one_rule import OneRule
from tests.harness.procedures import EXPECTED, Loop, Procedure, WholeFit
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


def smoothboost(n: int) -> SmoothBoost:
    return SmoothBoost(0.8, 0.25)


def half_the_mass(n: int) -> MassBelow:
    """Nearly all of the budget goes to the test, so that its part of the claim shows."""
    return MassBelow(n * 2**BITS // 2, 2**BITS, budget_share=0.9)


def weighted(measure: Callable[[int], Any]) -> Callable[[int], ClassWeights]:
    return lambda n: ClassWeights(measure(n), 0.4, 1.0)


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
    stop: Callable[[int], MassBelow] | None = None
    ordinary: int = 4
    """The most records on every change, in one round."""


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
        ordinary=2,
    ),
    Part(
        "madaboost with class weights, one-rule",
        "class-weights.md",
        weighted(madaboost),
        OneRule,
        ("replace", "add-remove"),
        first_round={"pure": 0.85, "range": 0.999, "zcdp": 0.6, "gaussian": 0.6},
        least=0.3,
        ordinary=3,
    ),
    Part(
        "lazy-bregman with class weights, one-rule",
        "class-weights.md",
        weighted(lazy_bregman),
        OneRule,
        ("replace",),
        first_round={"pure": 0.4, "range": 0.45, "zcdp": 0.15, "gaussian": 0.45},
        least=0.14,
        ordinary=3,
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
            ordinary={1: part.ordinary, 2: 2, 3: 1}[rounds],
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
            Loop(part.measure, part.learner, RAGGED, adjacency, 2, 8.0, delta, part.stop),
            ordinary=2,
            full=3,
            reaches={route: part.least},
            needs=2,
        )
        for part in PARTS
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
            ordinary={1: 2, 2: 1}[rounds],
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


ENUMERATED: tuple[Registered, ...] = (*_loops(), *_ragged(), *_whole_fits(), *_resampled())


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
    automatic = WholeFit(WIDE, {"adjacency": "add-remove", "epsilon": 0.05, "delta": 0.0})
    return loops | fits | {"whole fit, automatic settings, add-remove": automatic}


REPLAYED: dict[str, Procedure] = _replayed()
"""Larger tables over 400 record types, for neighbour replay."""
