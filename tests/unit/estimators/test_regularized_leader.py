"""RegularizedLeaderClassifier: what it takes, what it refuses, what it learns and what a file keeps."""

import numpy as np
import pandas as pd
import pytest

from discreet import Boolean, Ledger, Numeric, RegularizedLeaderClassifier, Schema, Target, load_model
from discreet.accounting import ApproxDP
from discreet.errors import BudgetExceeded, DiscreetError, InputError, OptionError, PlanError
from discreet.testing import seeded_noise

SCHEMA = Schema(
    {"a": Numeric(-3, 3, bins=8), "b": Numeric(-3, 3, bins=8), "c": Boolean()},
    target=Target("y", ["no", "yes"]),
)


def people(n, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "c": rng.random(n) < 0.3})
    score = frame["a"] - frame["b"] + frame["c"] + 0.5 * rng.normal(size=n)
    return frame, np.where(score > 0.3, "yes", "no")


PUBLIC = people(500, seed=9)[0]


def fitted(n=4_000, **options):
    with seeded_noise(0):
        return RegularizedLeaderClassifier(schema=SCHEMA, **options).fit(*people(n), public=PUBLIC)


@pytest.mark.parametrize(
    ("options", "least"),
    [
        ({}, 0.85),
        ({"delta": 0.0, "epsilon": 4.0}, 0.85),
        ({"coding": "numeric"}, 0.85),
        ({"adjacency": "add-remove", "expected_records": 4_000}, 0.85),
        ({"bound": "values", "epsilon": 4.0}, 0.8),
    ],
)
def test_it_learns(options, least):
    X, y = people(4_000, seed=1)
    assert fitted(**options).score(X, y) > least


def test_probabilities_are_those_of_the_labels():
    """Values undo the shrinking; the mean probability is the share of the class."""
    model = fitted(20_000, epsilon=10.0)
    X, y = people(20_000, seed=1)
    probability = model.predict_proba(X)[:, 1]
    assert abs(probability.mean() - (y == "yes").mean()) < 0.02
    for low, high in ((0.1, 0.3), (0.3, 0.7), (0.7, 0.9)):
        among = (low < probability) & (probability < high)
        assert abs(probability[among].mean() - (y[among] == "yes").mean()) < 0.1
    assert (model.decision_function(X) > 0).tolist() == (model.predict(X) == "yes").tolist()


def test_the_statement_is_what_was_asked_for():
    model = RegularizedLeaderClassifier(0.7, 1e-5, SCHEMA).fit(*people(300), public=PUBLIC)
    assert model.privacy_.holds
    assert model.privacy_.epsilon <= 0.7
    assert model.privacy_.epsilon > 0.699
    pure = RegularizedLeaderClassifier(0.7, 0, SCHEMA).fit(*people(300), public=PUBLIC)
    assert pure.privacy_.rho is None
    assert pure.privacy_.delta == 0


def test_a_plan_is_that_of_the_fit_and_prints_what_leaves():
    model = RegularizedLeaderClassifier(schema=SCHEMA)
    plan = model.plan(300, public=PUBLIC)
    model.fit(*people(300), public=PUBLIC)
    assert str(plan) == str(model.plan_)
    assert "1 vector of" in str(plan)
    assert "docs/proofs/leaders.md" in str(plan)
    assert plan.guarantee == ApproxDP(model.privacy_.epsilon, model.privacy_.delta)


def test_a_file_gives_the_same_model_back(tmp_path):
    model = fitted()
    model.save(tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    X, _ = people(200, seed=3)
    assert isinstance(loaded, RegularizedLeaderClassifier)
    assert (loaded.predict_proba(X) == model.predict_proba(X)).all()
    assert str(loaded.privacy_) == str(model.privacy_)
    assert loaded.scorecard().equals(model.scorecard())
    assert loaded.get_params()["bound"] == "leverage"


def test_a_ledger_pays_before_private_records_are_read(tmp_path):
    ledger = Ledger(tmp_path / "budget.db")
    ledger.open_account("people", epsilon=1, delta=1e-5)
    model = RegularizedLeaderClassifier(0.8, 1e-6, SCHEMA, ledger=ledger, account="people")
    assert model.fit(*people(300), public=PUBLIC).privacy_.account == "people"
    with pytest.raises(BudgetExceeded):
        model.fit(*people(300), public=PUBLIC)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"bound": "none"}, "bound"),
        ({"strength": 0}, "strength"),
        ({"strength": "strong"}, "strength"),
        ({"ridge": 0}, "ridge"),
        ({"epsilon": 0}, "epsilon"),
        ({"delta": 1}, "delta"),
        ({"coding": "one-hot"}, "coding"),
        ({"adjacency": "both"}, "adjacency"),
    ],
)
def test_options_are_checked_by_name(options, what):
    with pytest.raises(OptionError, match=what):
        RegularizedLeaderClassifier(**({"schema": SCHEMA} | options)).fit(*people(10), public=PUBLIC)


def test_the_public_table_is_needed_and_looked_at():
    model = RegularizedLeaderClassifier(schema=SCHEMA)
    with pytest.raises(InputError, match="public="):
        model.fit(*people(10))
    with pytest.raises(InputError, match="no records"):
        model.fit(*people(10), public=PUBLIC[:0])
    with pytest.raises(InputError, match="lacks columns"):
        model.fit(*people(10), public=PUBLIC[["a"]])


def test_other_refusals():
    with pytest.raises(PlanError, match="no records"):
        RegularizedLeaderClassifier(schema=SCHEMA).fit(*people(0), public=PUBLIC)
    with pytest.raises(OptionError, match="sample_weight"):
        RegularizedLeaderClassifier(schema=SCHEMA).fit(*people(9), public=PUBLIC, sample_weight=np.ones(9))
    with pytest.raises(PlanError, match="lower it"):
        RegularizedLeaderClassifier(schema=SCHEMA, strength=1e12, epsilon=1e-3).fit(*people(9), public=PUBLIC)


def test_plans_whose_exact_walk_would_not_end_soon_are_refused():
    """Whether a fit needs the walk depends on the records; where it is too long, no fit begins."""
    weak = RegularizedLeaderClassifier(schema=SCHEMA, strength=1e-3)
    with pytest.raises(PlanError, match="raise it"):
        weak.plan(10**9, public=people(100)[0])


def test_no_records_and_odd_labels_are_no_error_where_n_is_private():
    model = RegularizedLeaderClassifier(schema=SCHEMA, adjacency="add-remove")
    assert model.fit(*people(0), public=PUBLIC).privacy_.holds
    X, y = people(50)
    assert model.fit(X, np.where(y == "no", "no", "?"), public=PUBLIC).privacy_.holds
    wild = X.assign(a=np.inf, b=np.nan)
    assert model.fit(wild, y, public=wild).privacy_.holds


def test_errors_are_the_packages_own():
    with pytest.raises(DiscreetError):
        RegularizedLeaderClassifier().fit(*people(10), public=PUBLIC)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 10.0, 1e4])
@pytest.mark.parametrize("options", [{}, {"delta": 0.0}, {"bound": "values"}, {"adjacency": "add-remove"}])
def test_noise_is_fine_enough_and_fits(epsilon, options):
    """Gaussian noise counts as such from 2^33 on, and a coordinate and its noise stay within 64 bits."""
    model = RegularizedLeaderClassifier(epsilon, schema=SCHEMA, **options)
    plan = model.plan(None if "adjacency" in options else 4_000, public=PUBLIC)
    (term,) = plan.terms
    assert 2**33 <= term.scale <= 2**40
    assert plan.guarantee.epsilon <= epsilon
    assert max(plan.objective.roots) * plan.objective.radius * plan.grid / 2**24 < 2**61


def test_the_more_noise_the_fewer_directions():
    rich, poor = (
        dict(RegularizedLeaderClassifier(epsilon, schema=SCHEMA).plan(4_000, public=PUBLIC).settings)
        for epsilon in (1.0, 0.03)
    )
    assert (rich["coding"], poor["coding"]) == ("thermometer", "numeric")
    assert float(rich["ridge"]) == 1e-3
    assert float(poor["ridge"]) > 2e-3


def test_add_remove_moves_it_half_as_far():
    plans = (
        RegularizedLeaderClassifier(
            schema=SCHEMA, strength=100.0, adjacency=adjacency, expected_records=4_000
        )
        for adjacency in ("replace", "add-remove")
    )
    far, near = (plan.plan(n, public=PUBLIC).stability for plan, n in zip(plans, (4_000, None), strict=True))
    assert far == pytest.approx(2 * near)
