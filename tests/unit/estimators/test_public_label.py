"""PublicLabelClassifier, as its users meet it."""

import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from discreet import Boolean, Categorical, Ledger, Numeric, PublicLabelClassifier, Schema, Target
from discreet.accounting import PureDP
from discreet.errors import BudgetExceeded, InputError, OptionError, PlanError, SchemaError
from discreet.estimators import public_label
from discreet.schema.tables import open_table
from discreet.semiprivate.oracles.trees import ExactTree
from discreet.semiprivate.student_table import student_table
from discreet.testing import seeded_noise
from tests.tables import SCHEMA, people

X, Y = people(4_000)
Z, TRUTH = people(600, seed=1)


def student():
    return DecisionTreeClassifier(max_depth=3, random_state=0)


def model(**options):
    return PublicLabelClassifier(**{"epsilon": 4.0, "schema": SCHEMA, "student": student()} | options)


def fitted(seed=0, **options):
    with seeded_noise(seed):
        return model(**options).fit(X, Y, public=Z)


def test_a_tree_learns_what_one_rule_cannot():
    rules, trees = fitted(), fitted(oracle=ExactTree(2), points=12)
    accuracy = [(found.predict(Z) == TRUTH).mean() for found in (rules, trees)]
    assert accuracy[0] > 0.55
    assert accuracy[1] > 0.85


def test_what_is_kept():
    found = fitted(points=5)
    assert found.classes_.tolist() == ["<=50K", ">50K"]
    assert len(found.points_) == len(found.released_) == found.plan_.points == 5
    # The released labels are among those of all public records.
    assert (found.public_labels_[found.points_] == found.released_).all()
    assert len(found.public_labels_) == len(Z)
    assert found.n_features_in_ == 3
    assert found.feature_names_in_.tolist() == ["age", "sex", "smoker"]
    assert found.privacy_.delta == 0
    assert found.plan_.n_records == 4_000
    proba = found.predict_proba(X[:10])
    assert proba.shape == (10, 2)
    np.testing.assert_allclose(proba.sum(axis=1), 1)


def test_the_guarantee_is_pure_and_no_more_than_asked():
    found = model(epsilon=0.7).fit(X, Y, public=Z)
    assert found.privacy_.holds
    assert found.privacy_.rho is None
    assert 0.7 * (1 - 1e-8) < found.privacy_.epsilon <= 0.7
    assert isinstance(found.plan_.loss, PureDP)


@pytest.mark.parametrize(("adjacency", "range_"), [("replace", 2), ("add-remove", 1)])
def test_the_scale_is_the_range_times_the_points(adjacency, range_):
    n_records = 4_000 if adjacency == "replace" else None
    plan = model(points=6, adjacency=adjacency, epsilon=0.5).plan(n_records, public=Z)
    (term,) = plan.terms
    assert term.claim.bound == range_
    assert term.scale == pytest.approx(range_ * 6 / 0.5, rel=1e-8)
    assert "labels       6 of 600 public records, by ExactRules()" in str(plan)
    assert f"a range of {range_} records" in str(plan)


def test_automatic_points_follow_from_public_numbers():
    few, many = (model(epsilon=e, oracle=ExactTree(2)).plan(50_000, public=Z).points for e in (0.1, 4.0))
    assert 4 <= few < many <= 64
    hidden = model(adjacency="add-remove", expected_records=50_000, epsilon=0.1, oracle=ExactTree(2))
    with seeded_noise(0):
        assert len(hidden.fit(X, Y, public=Z).points_) == hidden.plan(public=Z).points > few
        assert len(hidden.fit(X[:100], Y[:100], public=Z).points_) == hidden.plan(public=Z).points


@pytest.mark.parametrize("any_student", [None, LogisticRegression(), LinearSVC(), DecisionTreeClassifier()])
def test_any_student_will_do(any_student):
    found = fitted(student=any_student)
    assert set(found.predict(X[:50])) <= {"<=50K", ">50K"}
    assert hasattr(found, "predict_proba") == (not isinstance(any_student, LinearSVC))


def test_the_student_is_cloned_and_its_parameters_are_reached():
    mine = student()
    found = fitted(student=mine)
    assert found.student_ is not mine
    assert not hasattr(mine, "tree_")
    copied = clone(found).set_params(student__max_depth=1, epsilon=2.0, oracle=ExactTree(1))
    assert copied.get_params()["student__max_depth"] == 1
    assert copied.oracle == ExactTree(1)
    assert pickle.loads(pickle.dumps(found)).predict(X[:9]).tolist() == found.predict(X[:9]).tolist()


def test_one_class_only_makes_a_constant():
    with seeded_noise(0):
        found = model(student=LogisticRegression()).fit(X, ["<=50K"] * len(X), public=Z)
    assert set(found.public_labels_) == {"<=50K"}
    assert set(found.predict(X[:20])) == {"<=50K"}
    assert found.predict_proba(X[:2]).tolist() == [[1.0, 0.0], [1.0, 0.0]]


def test_labels_outside_the_classes_count_for_nothing():
    with seeded_noise(0):
        one = model().fit(X, Y, public=Z)
    padded = pd.concat([X, people(500, seed=5)[0]])
    with seeded_noise(0):
        other = model(points=len(one.points_)).fit(padded, [*Y, *(["?"] * 500)], public=Z)
    assert one.public_labels_.tolist() == other.public_labels_.tolist()


def test_an_array_of_numbers_and_booleans_as_classes():
    rng = np.random.default_rng(0)
    numbers, public = rng.random((500, 2)), rng.random((100, 2))
    found = PublicLabelClassifier(8.0, Numeric(0, 1, bins=4), classes=(False, True), student=student())
    found.fit(numbers, numbers[:, 0] > 0.5, public=public)
    assert found.classes_.tolist() == [False, True]
    assert not hasattr(found, "feature_names_in_")
    assert (found.predict(numbers) == (numbers[:, 0] > 0.5)).mean() > 0.8


def test_the_students_table():
    schema = Schema(
        {"n": Numeric(0, 10, bins=2, missing=True), "c": Categorical(["u", "v"]), "b": Boolean(missing=True)}
    )
    rows = pd.DataFrame({"n": [3, 99, "x"], "c": ["v", "new", "u"], "b": [True, None, "no"]}, dtype=object)
    found = student_table(open_table(rows), schema)
    assert found.columns.tolist() == ["n", "n is missing", "c = u", "c = v", "b", "b is missing"]
    assert found.to_numpy().tolist() == [[3, 0, 0, 1, 1, 0], [10, 0, 0, 0, 0, 1], [5, 1, 1, 0, 0, 0]]


def test_a_column_may_have_the_name_of_a_category():
    schema = Schema({"c": Categorical(["u"]), "c = u": Boolean()})
    assert student_table(open_table([["u", False]]), schema).to_numpy().tolist() == [[1, 0]]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"epsilon": 0}, OptionError, "epsilon"),
        ({"points": 0}, OptionError, "points"),
        ({"points": 2**11}, OptionError, "points"),
        ({"points": "many"}, OptionError, "points"),
        ({"adjacency": "all"}, OptionError, "adjacency"),
        ({"expected_records": 0}, OptionError, "expected_records"),
        ({"oracle": "trees"}, OptionError, "oracle"),
        ({"student": "forest"}, OptionError, "student"),
        ({"schema": None}, SchemaError, "schema"),
        ({"classes": ("a", "b")}, OptionError, "classes"),
        ({"epsilon": 1e-12}, PlanError, "64-bit"),
    ],
)
def test_options_that_make_no_sense(options, error, words):
    with pytest.raises(error, match=words):
        model(**options).fit(X, Y, public=Z)


@pytest.mark.parametrize(
    ("public", "words"),
    [
        (None, "public= is needed"),
        (Z[:0], "no records"),
        (Z[["age"]], "public: .*'sex', 'smoker'"),
        (np.zeros(3), "public: Expected 2D array"),
    ],
)
def test_public_tables_that_are_none(public, words):
    with pytest.raises(InputError, match=words):
        model().fit(X, Y, public=public)


def test_fit_takes_no_weights_and_three_classes_are_too_many():
    with pytest.raises(OptionError, match="sample_weight"):
        model().fit(X, Y, public=Z, sample_weight=np.ones(len(X)))
    with pytest.raises(SchemaError, match="two classes"):
        model(schema=Schema(SCHEMA.columns, Target("t", ["a", "b", "c"]))).fit(X, Y, public=Z)


def test_a_model_file_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(OptionError, match="public_labels_"):
        fitted().save(tmp_path / "model.json")


def test_plan_needs_what_is_public():
    with pytest.raises(OptionError, match="n_records"):
        model().plan(public=Z)
    with pytest.raises(OptionError, match="add-remove"):
        model(adjacency="add-remove").plan(100, public=Z)
    with pytest.raises(InputError, match="public="):
        model().plan(100)


def test_a_ledger_pays_before_a_private_record_is_read(tmp_path, monkeypatch):
    ledger = Ledger(tmp_path / "ledger.db")
    ledger.open_account("a", epsilon=1.5, delta=0.0)
    paying = model(epsilon=1.0, ledger=ledger, account="a")
    assert paying.fit(X, Y, public=Z).privacy_.account == "a"
    monkeypatch.setattr(public_label, "encode_labels", lambda *_: pytest.fail("a record was read"))
    with pytest.raises(BudgetExceeded):
        paying.fit(X, Y, public=Z)


def test_the_example_of_the_docs_runs():
    page = (Path(__file__).parents[3] / "docs" / "semi-private.md").read_text()
    exec(re.search(r"```python\n(.*?)```", page, re.S)[1], {})


class Doubtful(ExactTree):
    def always_answers(self, schema):
        return False


class Silent:
    """One that says nothing of itself."""

    on = ExactTree(1).on


@pytest.mark.parametrize("oracle", [Doubtful(1), Silent()])
def test_an_oracle_that_does_not_promise_an_answer_gives_no_guarantee(tmp_path, oracle):
    found = model(oracle=oracle).fit(X, Y, public=Z)
    assert not found.privacy_.holds
    assert "no proof" in str(found.privacy_)
    assert "no proof" in str(found.plan_)
    ledger = Ledger(tmp_path / "ledger.db")
    ledger.open_account("a", epsilon=9, delta=0.0)
    with pytest.raises(OptionError, match="not for a ledger"):
        model(oracle=oracle, ledger=ledger, account="a").fit(X, Y, public=Z)
