"""What "auto" settles on: public, monotone, odd, and kept within limits."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.boosting.defaults import settle
from discreet.boosting.options import BoostingOptions
from discreet.boosting.tree_options import TreeOptions

OPTIONS = BoostingOptions.checked(
    {
        "epsilon": 1.0,
        "delta": 1e-5,
        "rounds": "auto",
        "learning_rate": "auto",
        "reweighting": "madaboost",
        "density": "auto",
        "adjacency": "replace",
        "expected_records": 10_000,
    }
)


TREES = TreeOptions(**dataclasses.asdict(OPTIONS), depth=2, growth="level-wise", criterion="auto")


def changed(**options):
    return dataclasses.replace(OPTIONS, **options)


@given(
    st.floats(1e-6, 100),
    st.sampled_from([0.0, 1e-12, 1e-5]),
    st.integers(0, 10**9),
    st.sampled_from(["replace", "add-remove"]),
)
def test_settings_stay_within_limits(epsilon, delta, n, adjacency):
    settings = settle(changed(epsilon=epsilon, delta=delta, adjacency=adjacency), n)
    assert 1 <= settings.rounds <= (501 if delta else 101)
    assert settings.rounds % 2 == 1
    assert 1e-4 <= settings.learning_rate <= 1


@pytest.mark.parametrize("delta", [0.0, 1e-5])
def test_more_signal_means_more_rounds_and_no_smaller_total_step(delta):
    settings = [settle(changed(delta=delta), n) for n in (10, 100, 1_000, 10_000, 100_000)]
    rounds = [setting.rounds for setting in settings]
    steps = [setting.rounds * setting.learning_rate for setting in settings]
    assert rounds == sorted(rounds)
    assert rounds[0] < rounds[-1]
    assert steps == sorted(steps)


def test_add_remove_has_twice_the_signal():
    assert settle(changed(adjacency="add-remove"), 5_000) == settle(OPTIONS, 10_000)


def test_rounds_by_hand_keep_the_total_step():
    by_rule, by_hand = settle(OPTIONS, 3_000), settle(changed(rounds=50), 3_000)
    assert by_hand.rounds == 50
    assert by_hand.rounds * by_hand.learning_rate == pytest.approx(by_rule.rounds * by_rule.learning_rate)


def test_what_is_given_is_kept():
    settings = settle(changed(rounds=7, learning_rate=0.3, reweighting="lazy-bregman", density=0.4), 100)
    assert (settings.rounds, settings.learning_rate, settings.density) == (7, 0.3, 0.4)


def test_at_weak_signals_rules_are_fewer_than_in_proportion_and_keep_their_total_step():
    """sqrt(z) is 22 at 4,000 records, and a quarter of that at a sixteenth of them."""
    strong, weak = settle(OPTIONS, 4_000), settle(OPTIONS, 250)
    assert weak.rounds < strong.rounds / 8
    steps = [setting.rounds * setting.learning_rate for setting in (strong, weak)]
    assert steps[0] == pytest.approx(4 * steps[1])


def test_trees_take_fewer_rounds_than_rules_and_a_smaller_total_step():
    for n in (100, 3_000, 50_000):
        rules, trees = settle(OPTIONS, n), settle(TREES, n)
        deep = settle(dataclasses.replace(TREES, depth=4), n)
        assert rules.rounds >= trees.rounds >= deep.rounds
        assert n == 100 or rules.rounds > trees.rounds
        steps = [setting.rounds * setting.learning_rate for setting in (rules, trees, deep)]
        assert steps == sorted(steps, reverse=True)


def test_a_tree_of_depth_one_is_settled_as_a_rule():
    assert settle(dataclasses.replace(TREES, depth=1), 3_000) == settle(OPTIONS, 3_000)
