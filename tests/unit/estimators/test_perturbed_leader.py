"""PerturbedLeaderClassifier: what it learns, says and refuses."""

import numpy as np
import pytest
from sklearn.base import clone

from discreet import ExactRules, Ledger, Numeric, PerturbedLeaderClassifier
from discreet.errors import InputError, OptionError, PlanError
from discreet.schema.encode import encode, encode_labels
from discreet.schema.tables import open_table
from discreet.testing import seeded_noise
from tests.tables import SCHEMA, people

PUBLIC = people(200, seed=1)[0]


def test_the_best_rule_is_found_among_many_records():
    X, _ = people(200_000)
    y = np.where(X["age"] > 50, ">50K", "<=50K")
    with seeded_noise(0):
        model = PerturbedLeaderClassifier(schema=SCHEMA, delta=1e-7).fit(X, y, public=PUBLIC)
    assert model.rule_.column == 0
    assert (model.predict(X) == y).mean() > 0.9
    assert model.n_features_in_ == 3
    assert clone(model).get_params()["runs"] == 4096


def test_the_guarantee():
    X, y = people(300)
    with pytest.warns(UserWarning, match="nothing but noise"):
        model = PerturbedLeaderClassifier(0.5, schema=SCHEMA, runs=256).fit(X, y, public=PUBLIC)
    assert model.privacy_.holds
    assert model.privacy_.epsilon <= 0.5
    assert model.privacy_.delta == 1e-6
    assert model.privacy_.rho is None
    assert "no zCDP" in str(model.privacy_)
    assert "delta = 1e-06" in model.privacy_.explained()


def test_the_plan_says_from_how_many_records_on_it_says_anything():
    model = PerturbedLeaderClassifier(schema=SCHEMA)
    few = model.plan(1000, public=PUBLIC)
    assert few.noise_on_rules > 1
    assert f"below some {few.enough_records:,} records" in str(few)
    assert "theorem 2" in str(few)
    enough = model.plan(few.enough_records, public=PUBLIC)
    assert 0.99 < enough.noise_on_rules <= 1
    assert few.enough_records == enough.enough_records
    assert model.set_params(runs=4).plan(10**9, public=PUBLIC).enough_records is None


def test_more_runs_and_strength_are_less_noise():
    model = PerturbedLeaderClassifier(schema=SCHEMA)
    noises = [
        model.set_params(**options).plan(10_000, public=PUBLIC).noise
        for options in ({"runs": 256}, {"runs": 4096}, {"strength": 1e5})
    ]
    assert noises[0] > noises[1] > noises[2]


def test_nothing_depends_on_a_private_number_of_records():
    model = PerturbedLeaderClassifier(schema=SCHEMA, adjacency="add-remove", expected_records=50_000)
    for n in (100, 200):
        with seeded_noise(0):
            model.fit(*people(n), public=PUBLIC)
        assert str(model.plan_) == str(model.plan(public=PUBLIC))
    assert model.plan_.n_records is None


def test_what_makes_no_sense_is_refused(tmp_path):
    X, y = people(50)
    for options, match in (
        ({"delta": 0.0}, "delta"),
        ({"runs": 0}, "runs"),
        ({"strength": 1.0}, "strength"),
        ({"points": 0}, "points"),
        ({"ledger": Ledger(tmp_path / "ledger.db"), "account": "a"}, "a ledger does not pay"),
    ):
        with pytest.raises(OptionError, match=match):
            PerturbedLeaderClassifier(schema=SCHEMA).set_params(**options).fit(X, y, public=PUBLIC)
    with pytest.raises(InputError, match="public"):
        PerturbedLeaderClassifier(schema=SCHEMA).fit(X, y)
    with pytest.raises(OptionError, match="n_records"):
        PerturbedLeaderClassifier(schema=SCHEMA).plan(public=PUBLIC)
    with pytest.raises(OptionError, match="add-remove"):
        PerturbedLeaderClassifier(schema=SCHEMA, adjacency="add-remove").plan(9, public=PUBLIC)
    with pytest.raises(PlanError, match="no records"):
        PerturbedLeaderClassifier(schema=SCHEMA).plan(0, public=PUBLIC)
    with pytest.raises(PlanError, match="strength"):
        PerturbedLeaderClassifier(schema=SCHEMA, strength=128.0).plan(2**40, public=PUBLIC)


def test_many_runs_are_minimised_like_one():
    X, y = people(60)
    private = encode(open_table(X), SCHEMA)
    labels = encode_labels(y, SCHEMA.target, 60)
    minimiser = ExactRules().on(SCHEMA, encode(open_table(PUBLIC[:5]), SCHEMA))
    costs = np.random.default_rng(0).integers(-30, 30, (700, 5)) * 1000
    many = minimiser.minimise_many(private, labels, 1000, costs)
    for row, labelling in zip(costs, many, strict=True):
        least = minimiser.minimise(private, labels, row // 1000)
        own = minimiser.minimise(private, labels, row // 1000 + 10**6 * (1 - 2 * labelling.astype(int)))
        assert own.objective - 10**6 * int((labelling * (1 - 2 * labelling.astype(int))).sum()) == (
            least.objective
        )
    assert len(minimiser.labellings) == len(np.unique(minimiser.labellings, axis=0))


def test_columns_without_names():
    X = np.linspace(0, 1, 4000).reshape(-1, 2)
    model = PerturbedLeaderClassifier(100.0, schema=Numeric(0, 1, bins=4), classes=[0, 1], delta=1e-5)
    model.fit(X, (X[:, 0] > 0.5).astype(int), public=X[::100])
    assert not hasattr(model, "feature_names_in_")
    assert model.predict(X).shape == (2000,)
