"""SmoothBoost: its weights, its stop, its settings; class weights beside any measure."""

import math

import numpy as np
import pytest

from discreet import BoostedRulesClassifier, load_model
from discreet.boosting.reweighting.class_weights import ClassWeights
from discreet.boosting.reweighting.lazy_bregman import LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.reweighting.smoothboost import SmoothBoost
from discreet.boosting.sensitivity import MassBounds, correlation_sensitivity
from discreet.boosting.stopping import MassBelow
from discreet.errors import OptionError, PlanError
from discreet.mechanisms.release import ThresholdTest
from discreet.testing import seeded_noise
from tests.tables import SCHEMA, people


def no_counts():
    raise AssertionError("this measure is public and must not ask for counts")


@pytest.mark.parametrize(("advantage", "margin"), [(0.1, 0.0), (0.3, 0.13), (0.9, 0.31)])
def test_weights_are_servedio_s(advantage, margin):
    measure = SmoothBoost(advantage, margin)
    for done in (0, 1, 7, 20):
        weights = measure.weights(done, 20, no_counts)
        for level in range(-20, 21):
            ahead = level - done * margin
            exact = 2**20 * (1.0 if ahead < 0 else (1 - advantage) ** (ahead / 2))
            assert all(exact - 1.000001 <= weights[label, level + 20] <= exact + 1e-6 for label in (0, 1))
    assert measure.weights(0, 0, no_counts).tolist() == [[2**20], [2**20]]


def test_without_a_margin_it_is_madaboost():
    for rate in (0.01, 0.2):
        smooth = SmoothBoost(-math.expm1(-4 * rate), 0.0).weights(5, 30, no_counts)
        mada = MadaBoost(rate).weights(5, 30, no_counts)
        assert np.abs(smooth - mada).max() <= 1  # the last bit of a rounded exponential


class Levels:
    def __init__(self, counts):
        self._counts = np.array(counts)

    def level_counts(self):
        return self._counts


class Heard(ThresholdTest):
    def above(self, value):
        self.value = value
        return value > 0


def test_the_stop_asks_how_far_the_mass_is_below_its_threshold():
    stop = MassBelow.share_of(10, 0.25, MassBounds(8, 0, "replace"))
    assert (stop.threshold, stop.sensitivity) == (20, 8)
    heard = Heard()
    weights = np.array([[8, 4, 1], [8, 4, 1]])
    assert not stop.reached(Levels([[1, 2, 0], [0, 1, 3]]), weights, heard)
    assert heard.value == 20 - (8 + 3 * 4 + 3)
    assert stop.reached(Levels([[0, 2, 0], [0, 1, 3]]), weights, heard)


def test_no_stop_by_mass_where_the_mass_is_fixed():
    with pytest.raises(PlanError, match="projected"):
        MassBelow.share_of(10, 0.5, MassBounds(8, 1, "replace"))


@pytest.mark.parametrize("share", [0.01, 0.1, 0.9])
@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_the_test_costs_its_share_of_the_budget(share, delta, monkeypatch):
    monkeypatch.setattr(MassBelow.__init__, "__defaults__", (share,))
    model = BoostedRulesClassifier(1.0, delta, SCHEMA, reweighting="smoothboost", rounds=150)
    plan = model.plan(10_000)
    selection, test = plan.terms
    assert (selection.times, test.times, test.claim.bound) == (150, 1, 2**20)
    if delta == 0:
        assert test.loss.epsilon == pytest.approx(share * plan.loss.epsilon, rel=1e-6)
    else:
        assert test.loss.epsilon**2 / 2 == pytest.approx(share * plan.loss.rho, rel=1e-6)
    assert plan.guarantee.epsilon <= 1


def test_a_plan_says_what_the_test_costs():
    told = str(BoostedRulesClassifier(schema=SCHEMA, reweighting="smoothboost").plan(10_000))
    assert "at most" in told
    assert "1 x threshold (docs/proofs/smoothboost.md)" in told
    assert "for all queries" in told


def test_it_stops_where_one_rule_says_it_all_and_the_model_is_whole(tmp_path):
    df, _ = people(4_000)
    y = np.where(df["smoker"], *SCHEMA.target.classes)
    with seeded_noise(0):
        model = BoostedRulesClassifier(4.0, 1e-6, SCHEMA, reweighting="smoothboost", rounds=200).fit(df, y)
    rules = len(model.ensemble_.rules)
    assert rules < 100 < model.plan_.rounds
    model.save(tmp_path / "model.json")
    assert load_model(tmp_path / "model.json").ensemble_ == model.ensemble_


def test_under_add_remove_the_threshold_is_of_the_expected_number():
    plans = [
        BoostedRulesClassifier(
            schema=SCHEMA, reweighting="smoothboost", adjacency="add-remove", expected_records=n
        )
        for n in (1_000, 2_000)
    ]
    options = [type(model)._options_type.checked(model.get_params(deep=False)) for model in plans]
    stops = [
        model._assemble(option, SCHEMA, 77).stop.threshold
        for model, option in zip(plans, options, strict=True)
    ]
    assert stops[1] == pytest.approx(2 * stops[0], abs=1)
    assert stops[0] == pytest.approx(0.1 * 1_000 * 2**20, rel=1e-6)


# Class weights ---------------------------------------------------------------------------------------------


def test_class_weights_multiply_each_label_s_row():
    plain = MadaBoost(0.2)
    weights = ClassWeights(plain, 0.25, 1.0).weights(3, 9, no_counts)
    assert np.array_equal(weights[1], plain.weights(3, 9, no_counts)[1])
    assert np.array_equal(weights[0], plain.weights(3, 9, no_counts)[0] // 4)
    assert ClassWeights(plain, 0.25, 1.0).bounds("replace", 9) == plain.bounds("replace", 9)


def test_lemma_2_1_holds_with_class_weights_by_search():
    """Scaled and rounded down after the projection: 2,000 neighbours, never beyond 2 cap + slack."""
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(2_000):
        n, max_level = int(rng.integers(1, 30)), 6
        measure = ClassWeights(
            LazyBregman(0.25, float(rng.choice([0.25, 0.7])), n), *rng.choice([0.01, 0.7, 1], 2)
        )
        labels, levels = rng.integers(0, 2, n), rng.integers(-6, 7, n)
        labels_, levels_ = labels.copy(), levels.copy()
        labels_[0], levels_[0] = rng.integers(0, 2), rng.integers(-6, 7)
        signed = []
        for label, level in ((labels, levels), (labels_, levels_)):
            counts = np.zeros((2, 2 * max_level + 1), np.int64)
            np.add.at(counts, (label, level + max_level), 1)
            weights = measure.weights(0, max_level, lambda counts=counts: counts)
            signed.append((2 * label - 1) * weights[label, level + max_level])
        one, other = signed
        change = abs(one[0]) + abs(other[0]) + np.abs(one[1:] - other[1:]).sum()
        worst = max(worst, change / correlation_sensitivity(measure.bounds("replace", n)))
    assert 0.9 <= worst <= 1


def test_class_weights_shift_what_is_predicted(tmp_path):
    df, y = people(4_000)
    negative, positive = SCHEMA.target.classes
    share = {}
    for weight in (0.2, 1.0):
        with seeded_noise(0):
            model = BoostedRulesClassifier(4.0, schema=SCHEMA, class_weight={negative: weight}).fit(df, y)
        share[weight] = np.mean(model.predict(df) == positive)
    assert share[0.2] > share[1.0] + 0.02
    model.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    assert again.options_ == model.options_
    assert dict(again.options_.class_weight) == {negative: 1.0, positive: 1.0}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("balanced", "depend on all records"),
        ({"<=50K": 0}, "class_weight must be a number"),
        ({"<=50K": 1.5}, "at most 1"),
        ({"<=50K": float("nan")}, "class_weight"),
        ([1, 2], "map each class"),
        (3, "map each class"),
        ({"never declared": 0.5}, "not one of the classes"),
    ],
)
def test_class_weights_that_are_no_public_constants_are_refused(value, words):
    df, y = people(30)
    model = BoostedRulesClassifier(schema=SCHEMA, class_weight=value)
    for attempt in (lambda: model.fit(df, y), lambda: model.plan(30)):
        with pytest.raises(OptionError, match=words):
            attempt()


def test_a_file_without_a_later_option_is_read_and_written_alike(tmp_path):
    model = BoostedRulesClassifier(schema=SCHEMA, rounds=3).fit(*people(50))
    assert "class_weight" not in model.options_.in_a_file
    model.save(tmp_path / "model.json")
    assert load_model(tmp_path / "model.json").options_ == model.options_


def test_density_is_for_measures_that_have_one():
    for reweighting in ("lazy-bregman", "smoothboost"):
        BoostedRulesClassifier(schema=SCHEMA, reweighting=reweighting, density=0.2).plan(1_000)
    with pytest.raises(OptionError, match="no density"):
        BoostedRulesClassifier(schema=SCHEMA, density=0.2).plan(1_000)


def test_a_light_class_does_not_end_the_rounds_at_once():
    """The threshold is a share of what records weigh in the first round, at the least."""
    X, y = people(4_000)
    for weights in ({"<=50K": 0.05}, {"<=50K": 0.09, ">50K": 0.09}):
        with seeded_noise(0):
            model = BoostedRulesClassifier(
                4.0, schema=SCHEMA, reweighting="smoothboost", class_weight=weights, rounds=30
            ).fit(X, y)
        assert len(model.ensemble_.rules) > 10
