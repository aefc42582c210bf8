"""Boosting by resampling: what is drawn, what it costs, and what it refuses."""

import itertools
from dataclasses import dataclass, replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from discreet.accounting import ApproxDP, GaussianDP, PureDP
from discreet.boosting.loop import boost
from discreet.boosting.plan import make_plan
from discreet.boosting.resampling import Resampled
from discreet.boosting.reweighting.lazy_bregman import LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.sensitivity import MassBounds, sampling_distance
from discreet.boosting.weak_learners.one_rule import OneRule
from discreet.engines.base import View
from discreet.engines.local import LocalEngine
from discreet.errors import EngineError, PlanError
from discreet.mechanisms.claims import Claim, Sampling
from discreet.mechanisms.pricing import _on_a_sample, release_loss
from discreet.mechanisms.release import Release
from discreet.mechanisms.selection import OpenDPSampler
from discreet.schema.encode import Codes
from discreet.theory.resampling import sampled_epsilon
from tests.tables import SCHEMA


def engine_of(codes, labels, max_level=1):
    engine = LocalEngine(Codes(np.array(codes, np.uint8), tuple(int(max(row)) + 1 for row in codes)))
    return View(engine, engine.open(np.array(labels, np.int8), max_level))


def test_draws_take_records_by_weight_and_blanks_for_the_rest():
    """Every point below the total, once: records by their weights, the rest blank."""
    view = engine_of([[0, 1, 2, 3], [1, 0, 1, 0]], [0, 1, 2, 1], 0)
    weights, points = np.array([[3], [5]]), iter(range(20))
    sample = view.sample(weights, 20, 20, lambda ends: int(np.searchsorted(ends, next(points), side="right")))
    masses = sample.masses(np.ones((2, 1), np.int64))
    # Labels 0, 1, outside, 1: weights 3, 5, 0, 5, and 7 blanks.
    assert masses[:, :4].tolist() == [[3, 0, 0, 0], [0, 5, 0, 5]]
    assert masses[:, 4:].tolist() == [[0, 3], [10, 0]]
    assert sample.level_counts().tolist() == [[3], [10]]


def test_a_total_below_the_weights_is_refused():
    view = engine_of([[0, 1]], [0, 1], 0)
    with pytest.raises(EngineError, match="more than their total"):
        view.sample(np.array([[3], [5]]), 7, 1, lambda ends: 0)


def test_the_loss_is_that_of_the_formula_and_below_lemma_55():
    for draws, n, epsilon in itertools.product((1, 10, 1_000), (100, 10**6), (1e-3, 0.1, 0.5)):
        found = _on_a_sample(PureDP(epsilon), Sampling(draws, Fraction(1, n))).epsilon
        with mpmath.workdps(40):
            exact = draws * mpmath.log(1 + (mpmath.exp(mpmath.mpf(epsilon)) - 1) / n)
            assert exact <= found <= exact * (1 + mpmath.mpf(10) ** -11)
        assert found <= sampled_epsilon(epsilon, draws, 1 / n)


def test_the_loss_is_attained():
    """One candidate answer that hangs on one record: k = 1 draw, randomised response on it."""
    epsilon, distance = 1.3, Fraction(1, 7)
    yes, no = np.exp(epsilon) / (1 + np.exp(epsilon)), 1 / (1 + np.exp(epsilon))
    drawn = float(distance) * yes + (1 - float(distance)) * no
    assert np.log(drawn / no) == pytest.approx(_on_a_sample(PureDP(epsilon), Sampling(1, distance)).epsilon)


def test_noise_that_is_not_pure_has_no_price_on_a_sample():
    with pytest.raises(TypeError, match="not purely private"):
        _on_a_sample(GaussianDP(1.0), Sampling(1, Fraction(1, 2)))
    claim = Claim("selection", "range", 4, 1, "test", Sampling(2, Fraction(1, 9)))
    assert isinstance(release_loss(claim, "gumbel", 8.0), PureDP)


def distance_by_search(measure, n, pairs, rng):
    """The largest total variation of a draw between random neighbours, as a share of the bound."""
    worst, max_level = 0.0, 4
    bounds = measure.bounds("replace", n)
    for _ in range(pairs):
        labels, levels = rng.integers(0, 3, n), rng.integers(-max_level, max_level + 1, n)
        labels_, levels_ = labels.copy(), levels.copy()
        labels_[0], levels_[0] = rng.integers(0, 3), rng.integers(-max_level, max_level + 1)
        drawn = []
        for label, level in ((labels, levels), (labels_, levels_)):
            counts = np.zeros((3, 2 * max_level + 1), np.int64)
            np.add.at(counts, (label, level + max_level), 1)
            weights = measure.weights(0, max_level, lambda counts=counts: counts[:2])
            each = np.where(label < 2, weights[np.minimum(label, 1), level + max_level], 0)
            # The replaced records are different ones, so they stand apart.
            drawn.append((each, n * bounds.cap - int(each.sum())))
        (one, blank), (other, blank_) = drawn
        gained = max(other[0], 0) + np.maximum(other[1:] - one[1:], 0).sum() + max(blank_ - blank, 0)
        worst = max(worst, float(Fraction(int(gained), n * bounds.cap) / sampling_distance(bounds, n)))
    return worst


def test_the_distance_of_a_draw_by_search():
    rng = np.random.default_rng(0)
    for n in (1, 2, 5, 20):
        for measure in (MadaBoost(0.4), LazyBregman(0.5, 0.4, n)):
            assert 0.35 <= distance_by_search(measure, n, 500, rng) <= 1


def test_it_learns():
    rng = np.random.default_rng(0)
    n, rounds = 4_000, 3
    n_codes = tuple(column.n_codes for column in SCHEMA.columns.values())
    codes = Codes(rng.integers(0, 2, (3, n)).astype(np.uint8), n_codes)
    labels = codes.values[2].astype(np.int8)
    measure = MadaBoost(0.1)
    learner = Resampled(OneRule(SCHEMA), 500, n, measure.bounds("replace", n))
    plan = make_plan(
        measure=measure,
        learner=learner,
        rounds=rounds,
        target=ApproxDP(3.0, 0),
        adjacency="replace",
        n_records=n,
    )
    engine = LocalEngine(codes)
    rules = boost(
        range(rounds),
        measure,
        learner,
        View(engine, engine.open(labels, rounds)),
        rounds,
        Release(plan.terms, OpenDPSampler()),
    )
    # A wrong rule is some 200 records behind, hundreds of scales of noise.
    assert [(rule.column, rule.votes.tolist()[:2]) for rule in rules] == [(2, [-1, 1])] * rounds


@dataclass(frozen=True)
class Twice:
    base: OneRule

    n_candidates = 4

    def claims(self, bounds):
        return (replace(self.base.claims(bounds)[0], count=2),)


def test_refusals():
    bounds = MassBounds(2**20, 0, "replace")
    with pytest.raises(PlanError, match="add-remove keeps private"):
        Resampled(OneRule(SCHEMA), 5, 10, replace(bounds, adjacency="add-remove")).claims(
            replace(bounds, adjacency="add-remove")
        )
    with pytest.raises(PlanError, match="one selection a round"):
        Resampled(Twice(OneRule(SCHEMA)), 5, 10, bounds).claims(bounds)
    with pytest.raises(PlanError, match="another measure"):
        Resampled(OneRule(SCHEMA), 5, 10, bounds).claims(MassBounds(2**20, 1, "replace"))
