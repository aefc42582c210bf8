"""Measures: what they weigh, and Lemma 2.1 by search."""

import functools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.boosting.reweighting.lazy_bregman import BITS, GRID, LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.sensitivity import MassBounds, correlation_range, correlation_sensitivity
from discreet.errors import PlanError


def no_counts():
    raise AssertionError("this measure is public and must not ask for counts")


@pytest.mark.parametrize("learning_rate", [1e-4, 0.05, 1.0])
def test_madaboost_is_its_formula_and_public(learning_rate):
    weights = MadaBoost(learning_rate).weights(0, 50, no_counts)
    assert weights.shape == (2, 101)
    assert weights.dtype == np.int64
    for level in (-50, -1, 0, 1, 20, 50):
        exact = 2**20 * min(1.0, math.exp(-2 * learning_rate * level))
        assert all(exact - 1.000001 <= weights[label, level + 50] <= exact for label in (0, 1))
    bounds = MadaBoost(learning_rate).bounds("replace", 100)
    assert weights.max() == bounds.cap
    assert bounds.slack == 0


def test_sensitivities_are_those_of_the_paragraphs():
    assert correlation_sensitivity(MassBounds(8, 3, "replace")) == 19  # 2.2: 2 cap + slack
    assert correlation_range(MassBounds(8, 3, "replace")) == 38
    assert correlation_sensitivity(MassBounds(8, 0, "add-remove")) == 8  # 2.5
    with pytest.raises(PlanError, match="replace-one only"):
        MassBounds(8, 3, "add-remove")


def test_lazy_bregman_refuses_add_remove():
    with pytest.raises(PlanError, match="add-remove keeps private"):
        LazyBregman(0.1, 0.5, 10).bounds("add-remove", 10)


@functools.cache
def lazy_bregman(learning_rate, density, n):
    return LazyBregman(learning_rate, density, n)


parameters = st.tuples(
    st.sampled_from([0.01, 0.05, 0.25, 1.0]), st.sampled_from([0.05, 0.25, 0.7]), st.integers(1, 60)
)


def counts_of(labels, levels, max_level):
    grid = np.zeros((2, 2 * max_level + 1), np.int64)
    np.add.at(grid, (labels[labels < 2], levels[labels < 2] + max_level), 1)
    return grid


@settings(max_examples=200, deadline=None)
@given(parameters, st.integers(0, 2**32), st.integers(0, 30))
def test_the_projection_hits_its_mass(parameters, seed, max_level):
    learning_rate, density, n = parameters
    measure = lazy_bregman(learning_rate, density, n)
    rng = np.random.default_rng(seed)
    counts = counts_of(rng.integers(0, 2, n), rng.integers(-max_level, max_level + 1, n), max_level)
    weights = measure.weights(0, max_level, lambda: counts)
    bounds = measure.bounds("replace", n)
    mass, target = int((counts * weights).sum()), math.floor(density * n * 2**BITS)
    assert target - bounds.slack < mass <= target
    assert np.all(np.diff(weights, axis=1) <= 0)
    assert weights.min() >= 0
    assert weights.max() <= bounds.cap
    # The shape is exponential up to the cap: neighbours' ratio is exp(-learning rate) to rounding.
    below = weights[0][weights[0] < bounds.cap].astype(float)
    ratios = below[1:][below[:-1] > 2**12] / below[:-1][below[:-1] > 2**12]
    np.testing.assert_allclose(ratios, math.exp(-learning_rate), rtol=2**-10)


def correlation_change(measure, max_level, one, other):
    """The weighted signed sums of two tables differ by how much, for the worst hypothesis?"""
    (labels, levels), (labels_, levels_) = one, other
    W, W_ = (
        measure.weights(0, max_level, lambda part=part: counts_of(*part, max_level)) for part in (one, other)
    )

    def signed(labels, levels, weights):
        inside = np.where(labels < 2, labels, 0)
        return np.where(labels < 2, (2 * inside - 1) * weights[inside, levels + max_level], 0)

    # The worst h takes the sign of every record's change; the replaced one (index 0) may change h as well.
    a, b = signed(labels, levels, W), signed(labels_, levels_, W_)
    return abs(a[0]) + abs(b[0]) + int(np.abs(a[1:] - b[1:]).sum()), W, W_


def test_lemma_2_1_by_search():
    """3,000 neighbouring tables: never beyond 2 cap + slack, and close to it at the worst."""
    rng = np.random.default_rng(20261118)
    worst = 0.0
    for _ in range(3_000):
        n, max_level = int(rng.integers(1, 40)), int(rng.integers(0, 12))
        measure = lazy_bregman(float(rng.choice([0.05, 0.25, 1.0])), float(rng.choice([0.05, 0.25, 0.7])), n)
        spread = int(rng.integers(0, max_level + 1))
        labels = rng.choice([0, 1, 2], n, p=[0.45, 0.45, 0.1])
        levels = rng.integers(-spread, spread + 1, n)
        labels_, levels_ = labels.copy(), levels.copy()
        labels_[0], levels_[0] = rng.integers(0, 3), rng.integers(-max_level, max_level + 1)
        change, W, W_ = correlation_change(measure, max_level, (labels, levels), (labels_, levels_))
        assert np.all(W_ >= W) or np.all(W_ <= W)  # all other weights move in one direction
        worst = max(worst, change / correlation_sensitivity(measure.bounds("replace", n)))
    assert 0.99 <= worst <= 1.0


def test_growth_of_the_weight_table_is_what_the_slack_assumes():
    """W(m) <= W(m + 1) <= (1 + step)(W(m) + gap) on millions of consecutive arguments."""
    for learning_rate in (0.05, 1.0, 4.0):
        tables = lazy_bregman(learning_rate, 0.5, 10)._tables
        W = tables.weight(np.arange(-GRID * 5 // 2, 5))
        assert np.all(np.diff(W) >= 0)
        assert W[-1] == 2**BITS
        step = float(tables.step)
        assert np.all(W[1:] <= (1 + step) * (W[:-1] + tables.gap))


@pytest.mark.parametrize("learning_rate", [0.05, 0.8, 1.5, 2.7, 4.0])
def test_growth_holds_at_every_joint_of_the_table(learning_rate):
    """Where one coarse entry ends and the next begins, down to weight 0 and beyond; there the gap decides."""
    tables = lazy_bregman(learning_rate, 0.5, 10)._tables
    joints = -GRID * np.arange(tables._reach + 3)
    before, after = tables.weight(joints - 1), tables.weight(joints)
    grown = [(1 + tables.step) * (int(low) + tables.gap) for low in before]
    assert all(int(high) <= bound for high, bound in zip(after, grown, strict=True))
    assert np.all(before <= after)


def test_the_step_is_the_largest_relative_one():
    tables = lazy_bregman(4.0, 0.5, 10)._tables
    rise, base = np.diff(tables._fine), tables._fine[:-1]
    assert np.all(rise * tables.step.denominator <= tables.step.numerator * base)
    assert np.any(rise * tables.step.denominator == tables.step.numerator * base)


def test_the_overflow_limit_is_that_of_exact_sums():
    from discreet.boosting.sensitivity import check_mass

    for bits, bounds in ((20, MadaBoost(0.1).bounds("replace", 1)), (30, MassBounds(2**30, 7, "replace"))):
        check_mass(bounds, 2 ** (62 - bits) - 1)
        with pytest.raises(PlanError, match="64-bit"):
            check_mass(bounds, 2 ** (62 - bits))
