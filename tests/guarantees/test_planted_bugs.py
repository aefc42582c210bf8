"""Mistakes that were made elsewhere, planted one by one: the exact enumeration must see each of them."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from discreet.accounting import ApproxDP
from discreet.boosting.plan import make_plan
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.sensitivity import MassBounds
from discreet.boosting.weak_learners import one_rule
from discreet.boosting.weak_learners.one_rule import OneRule
from discreet.mechanisms.selection import selection_loss
from tests.guarantees.exact import PLAIN, TOLERANCE, worst_shares


def worst(
    measure_of,
    adjacency="replace",
    rounds=1,
    epsilon=4.0,
    rounds_of=None,
    sizes=(1, 2, 3),
    **planned,
):
    def parts_for(n):
        measure, learner = measure_of(n), OneRule(PLAIN.schema)
        plan = make_plan(
            measure=measure,
            learner=learner,
            rounds=rounds_of(n) if rounds_of else rounds,
            target=ApproxDP(epsilon, 0),
            adjacency=adjacency,
            n_records=n if adjacency == "replace" else None,
            **planned,
        )
        return measure, learner, plan

    return max(worst_shares(PLAIN, adjacency, parts_for, sizes).values())


def madaboost(n):
    return MadaBoost(0.4)


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_without_a_bug_nothing_is_reported(adjacency):
    assert worst(madaboost, adjacency) <= 1 + TOLERANCE


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_halved_sensitivity(adjacency, monkeypatch):
    honest = one_rule.correlation_range
    monkeypatch.setattr(one_rule, "correlation_range", lambda bounds: honest(bounds) // 2)
    assert worst(madaboost, adjacency) > 1.8


def test_sensitivity_of_the_other_adjacency(monkeypatch):
    honest = one_rule.correlation_range
    monkeypatch.setattr(
        one_rule,
        "correlation_range",
        lambda bounds: honest(replace(bounds, adjacency="add-remove")),
    )
    assert worst(madaboost, "replace") > 1.8


def test_halved_scale():
    """The plan is priced at twice the scale that it then uses."""
    assert worst(madaboost, loss_of=lambda claim, noise, scale: selection_loss(claim, noise, 2 * scale)) > 1.8


@dataclass(frozen=True)
class AboveTheCap(MadaBoost):
    """Forgets the 'min' of min(1, exp(-2 lambda s)): wrong records weigh more than declared."""

    def weights(self, max_level, counts):
        levels = np.arange(-max_level, max_level + 1)
        weight = np.exp(-2 * self.learning_rate * levels)
        return np.tile(np.floor(2**20 * weight).astype(np.int64), (2, 1))


def test_a_weight_above_the_cap():
    """Harmless in the first round, where every level is 0; the second round shows it."""
    assert worst(lambda n: AboveTheCap(1.5), rounds=2, epsilon=8.0) > 1.05


@dataclass(frozen=True)
class WeightOfTheCrowd:
    """Weighs every record by the number of records, and declares no slack for it."""

    def bounds(self, adjacency, max_records):
        return MassBounds(cap=2**20, slack=0, adjacency=adjacency)

    def weights(self, max_level, counts):
        n = min(int(counts().sum()), 3)
        return np.full((2, 2 * max_level + 1), 2**20 * n // 3, dtype=np.int64)


def test_n_in_the_weights_under_add_remove():
    assert worst(lambda n: WeightOfTheCrowd(), "add-remove") > 1.3


def test_n_in_the_number_of_rounds_under_add_remove():
    assert worst(madaboost, "add-remove", rounds_of=lambda n: n + 1, sizes=(1, 2)) == float("inf")


def test_a_base_measure_that_looks_at_the_data(monkeypatch):
    """Candidates that hold for some record get a head start."""
    honest = OneRule.propose

    def propose(self, view, weights, release):
        reached = view.masses(np.ones_like(weights)).sum(axis=0) > 0
        self._log_prior = np.where(np.repeat(reached[self._first], 2), 0.0, -3.0)
        return honest(self, view, weights, release)

    monkeypatch.setattr(OneRule, "propose", propose)
    assert worst(madaboost, "replace") > 1.3
