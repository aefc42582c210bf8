"""A measure and a weak learner of one's own: one file, and nothing of the package is touched."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from discreet import Boolean, Schema, Target
from discreet.accounting import ApproxDP
from discreet.boosting.loop import boost
from discreet.boosting.plan import make_plan
from discreet.engines.base import View
from discreet.engines.local import LocalEngine
from discreet.errors import PlanError, ReleaseRefused
from discreet.mechanisms.release import Release
from discreet.mechanisms.selection import OpenDPSampler
from discreet.schema.encode import Codes
from tests.contracts.toy_learner import OneColumn
from tests.contracts.toy_measure import FlatThenNothing
from tests.harness.enumeration import worst_share
from tests.harness.procedures import Loop
from tests.harness.universes import PLAIN

SCHEMA = Schema({"a": Boolean(), "b": Boolean()}, target=Target("y", [0, 1]))


def plan_for(n, epsilon=6.0, adjacency="replace"):
    measure, learner = FlatThenNothing(2), OneColumn(1, 3)
    plan = make_plan(
        measure=measure,
        learner=learner,
        rounds=3,
        target=ApproxDP(epsilon, 0),
        adjacency=adjacency,
        n_records=n if adjacency == "replace" else None,
    )
    return measure, learner, plan


def test_they_learn():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (2, 4_000)).astype(np.uint8)
    labels = codes[1].astype(np.int8)
    measure, learner, plan = plan_for(4_000)
    engine = LocalEngine(Codes(codes, (3, 3)))
    rules = boost(
        range(3),
        measure,
        learner,
        View(engine, engine.open(labels, 3)),
        3,
        Release(plan.terms, OpenDPSampler()),
    )
    # exp(-1000) is the probability of another outcome in the rounds with weight.
    assert [rule.votes.tolist()[:2] for rule in rules[:2]] == [[-1, 1]] * 2


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_they_are_enumerated_like_the_package_s_own(adjacency):
    toys = Loop(
        lambda n: FlatThenNothing(2), lambda schema: OneColumn(1, 3), PLAIN, adjacency, rounds=3, epsilon=6.0
    )
    assert 0.5 <= worst_share(toys) <= 1


@dataclass(frozen=True)
class Twice(OneColumn):
    """Looks twice in a round, says so, and keeps the second look."""

    def claims(self, bounds):
        (claim,) = super().claims(bounds)
        return (replace(claim, count=2),)

    def propose(self, view, weights, release):
        super().propose(view, weights, release)
        return super().propose(view, weights, release)


def test_a_claim_of_two_releases_a_round_is_paid_twice():
    twice = Loop(lambda n: FlatThenNothing(2), lambda schema: Twice(1, 3), PLAIN)
    (term,) = twice.plan_for(3).terms
    assert term.times == 2
    assert abs(2 * term.loss.epsilon - 4) < 1e-6
    # Two candidates: permute-and-flip reaches its bound only nearly.
    assert 0.5 <= worst_share(twice) <= 1


@dataclass(frozen=True)
class Repeated(OneColumn):
    def claims(self, bounds):
        return super().claims(bounds) * 2


def test_a_claim_listed_twice_is_refused():
    with pytest.raises(PlanError, match="twice"):
        make_plan(
            measure=FlatThenNothing(2),
            learner=Repeated(1, 3),
            rounds=1,
            target=ApproxDP(4, 0),
            adjacency="replace",
            n_records=5,
        )


@dataclass(frozen=True)
class Greedy(OneColumn):
    """Releases twice what it claimed."""

    def propose(self, view, weights, release):
        super().propose(view, weights, release)
        return super().propose(view, weights, release)


def test_a_learner_cannot_take_more_than_it_claimed():
    measure, _, plan = plan_for(2)
    engine = LocalEngine(Codes(np.zeros((2, 2), np.uint8), (3, 3)))
    view = View(engine, engine.open(np.zeros(2, np.int8), 3))
    with pytest.raises(ReleaseRefused, match="3 releases are used up"):
        boost(range(3), measure, Greedy(1, 3), view, 3, Release(plan.terms, OpenDPSampler()))
