"""The halfspace's face: what it learns, what it shows, what it keeps, and what it refuses."""

import json

import numpy as np
import pandas as pd
import pytest

import discreet
from discreet import BoostedHalfspaceClassifier, Categorical, Numeric, Schema, Target
from discreet.boosting.halfspaces import HalfspaceOptions
from discreet.errors import ModelFileError, OptionError, PlanError
from discreet.models.files import _checksum
from discreet.testing import seeded_noise
from discreet.theory import HalfspaceParameters
from tests.tables import SCHEMA, people

DF, Y = people(3_000)


def fitted(seed=0, epsilon=2.0, **options):
    with seeded_noise(seed):
        return BoostedHalfspaceClassifier(epsilon, schema=SCHEMA, **options).fit(DF, Y)


@pytest.mark.parametrize("coding", ["numeric", "thermometer"])
@pytest.mark.parametrize(
    "options",
    [{}, {"reweighting": "lazy-bregman", "density": 0.5}, {"adjacency": "add-remove"}],
    ids=["madaboost", "lazy-bregman", "add-remove"],
)
def test_it_learns(coding, options):
    rng = np.random.default_rng(0)
    X = rng.uniform(-1000, 1000, (5_000, 3))
    y = X @ [3, -2, 0] > 500
    schema = Numeric(-1000, 1000, bins=12)
    with seeded_noise(0):
        model = BoostedHalfspaceClassifier(schema=schema, classes=[False, True], coding=coding, **options)
        assert model.fit(X, y).score(X, y) > 0.9


def test_wide_bounds_decide_nothing():
    rng = np.random.default_rng(0)
    x = rng.normal(50, 10, (5_000, 1))
    y = x[:, 0] > 50
    cuts = [30, 40, 50, 60, 70]
    scores = []
    for bound in (1e2, 1e9):
        with seeded_noise(0):
            schema = Numeric(-bound, bound, cuts=cuts)
            model = BoostedHalfspaceClassifier(schema=schema, classes=[False, True]).fit(x, y)
        scores.append(model.decision_function(x).tolist())
    assert scores[0] == scores[1]


def test_the_model_is_the_same_on_any_number_of_threads():
    assert fitted().ensemble_ == fitted(n_jobs=3).ensemble_


def test_decision_and_probability_agree():
    model = fitted()
    odds, probability = model.decision_function(DF), model.predict_proba(DF)[:, 1]
    assert probability == pytest.approx(1 / (1 + np.exp(-odds)))
    assert (model.predict(DF) == model.classes_[(odds > 0).astype(int)]).all()


def test_the_scorecard_adds_up_to_the_decision():
    """Records whose vectors are not shortened: the coefficients are all that there is to the model."""
    model = fitted()
    card = model.scorecard().set_index(["column", "test"])["coefficient"]
    row = DF.iloc[[0]].copy()
    row["age"], row["sex"], row["smoker"] = 53.5 + 16.425 / 2, "Male", True
    by_hand = (card["", "always"] + card["sex", "= Male"] + card["smoker", "= True"]) + card[
        "age", "per 16.425 above 53.5"
    ] / 2
    assert model.decision_function(row)[0] == pytest.approx(by_hand, rel=1e-3)


def test_a_file_keeps_every_coefficient(tmp_path):
    model = fitted(coding="thermometer")
    model.save(tmp_path / "model.json")
    again = discreet.load_model(tmp_path / "model.json")
    assert again.ensemble_ == model.ensemble_
    assert again.options_ == model.options_
    assert again.decision_function(DF).tolist() == model.decision_function(DF).tolist()


@pytest.mark.parametrize(
    "change",
    [
        lambda model: model["coefficients"].pop(),
        lambda model: model["coefficients"][0].update(test="= nobody"),
        lambda model: model["coefficients"][0].update(coefficient=2**60),
        lambda model: model.update(learning_rate=0.0),
        lambda model: model.update(coding="one-hot"),
    ],
    ids=["one less", "renamed", "too large", "no rate", "coding"],
)
def test_files_that_say_something_else_are_refused(change, tmp_path):
    path = tmp_path / "model.json"
    fitted().save(path)
    contents = json.loads(path.read_text())
    change(contents["model"])
    contents["checksum"] = _checksum(contents["model"])
    path.write_text(json.dumps(contents))
    with pytest.raises(ModelFileError):
        discreet.load_model(path)


def test_settings_are_public_and_shown():
    plan = BoostedHalfspaceClassifier(schema=SCHEMA, delta=1e-5).plan(48_000)
    assert str(plan).count("coding numeric") == 1
    assert plan.rounds == 200
    assert BoostedHalfspaceClassifier(0.01, schema=SCHEMA).plan(500).rounds == 20
    by_hand = BoostedHalfspaceClassifier(schema=SCHEMA, rounds=7, learning_rate=3.0).plan(500)
    assert by_hand.rounds == 7
    assert dict(by_hand.settings)["learning_rate"] == "3"


@pytest.mark.parametrize(
    ("option", "value"), [("coding", "one-hot"), ("coding", 1), ("learning_rate", 1e5), ("density", 0.5)]
)
def test_options_are_checked(option, value):
    with pytest.raises(OptionError, match=option):
        BoostedHalfspaceClassifier(schema=SCHEMA, **{option: value}).fit(DF, Y)


def test_the_theorems_settings_are_plain_options():
    proven = HalfspaceParameters.for_theorem(0.4, 0.05, 1.0, 1e-6, margin=0.8)
    plan = BoostedHalfspaceClassifier(
        schema=SCHEMA,
        reweighting="lazy-bregman",
        rounds=proven.rounds,
        density=proven.density,
        learning_rate=proven.learning_rate / proven.density,
    ).plan(proven.n_records)
    assert plan.rounds == proven.rounds
    assert dict(plan.settings)["density"] == f"{proven.density:.4g}"


def test_there_is_no_pure_halfspace():
    with pytest.raises(PlanError, match="delta above 0"):
        BoostedHalfspaceClassifier(delta=0, schema=SCHEMA).fit(DF, Y)


def test_lazy_bregman_needs_a_public_number_of_records():
    with pytest.raises(PlanError, match="lazy-bregman"):
        BoostedHalfspaceClassifier(schema=SCHEMA, reweighting="lazy-bregman", adjacency="add-remove").fit(
            DF, Y
        )


def test_tables_may_be_empty_or_foreign():
    """Nothing about a record raises: no known label, no readable cell, no record at all."""
    schema = Schema({"a": Numeric(0, 1, bins=4), "b": Categorical(["u"])}, target=Target("y", [0, 1]))
    model = BoostedHalfspaceClassifier(schema=schema, adjacency="add-remove")
    model.fit(pd.DataFrame({"a": [], "b": []}, dtype=object), [])
    model.fit(pd.DataFrame({"a": ["x", None], "b": [3, "never"]}, dtype=object), ["?", None])
    assert np.isfinite(model.decision_function(pd.DataFrame({"a": [0.5], "b": ["u"]}))).all()


def test_options_of_the_file_are_all_options():
    assert set(fitted().get_params()) >= set(HalfspaceOptions.__dataclass_fields__)
