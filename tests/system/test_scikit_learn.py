"""scikit-learn's own checks, and the ways in which its users combine estimators."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from discreet import (
    BoostedHalfspaceClassifier,
    BoostedRulesClassifier,
    BoostedTreesClassifier,
    Numeric,
    ProjectedHalfspaceClassifier,
    Schema,
)
from discreet.testing import seeded_noise
from tests.tables import SCHEMA, people

# Each for a reason of privacy.
EXPECTED_FAILURES = {
    "check_classifiers_classes": "classes are declared, never read off the labels",
    "check_classifiers_regression_target": "a label outside the classes has weight 0 and never raises",
    "check_supervised_y_no_nan": "a missing label has weight 0 and never raises",
    "check_classifier_not_supporting_multiclass": "how many labels y holds is private",
    "check_fit_idempotent": "two fits differ by their noise",
    "check_classifier_data_not_an_array": "two fits differ by their noise",
    "check_class_weight_classifiers": "a record that weighs more than 1 would move more than noise covers",
    "check_dtype_object": "an array of objects is refused by its type, or else a cell would decide",
}


def test_there_are_at_most_eight_expected_failures():
    assert len(EXPECTED_FAILURES) <= 8


@parametrize_with_checks(
    [
        BoostedRulesClassifier(schema=Numeric(-10, 10, bins=64), classes=[0, 1]),
        # Some checks fit ten records twice; these need a budget beyond meaning to come out alike.
        BoostedTreesClassifier(1e3, schema=Numeric(-10, 10, bins=64), classes=[0, 1]),
        BoostedHalfspaceClassifier(10.0, schema=Numeric(-10, 10, cuts=range(-2, 6)), classes=[0, 1]),
        ProjectedHalfspaceClassifier(1e3, margin=0.1, classes=[0, 1], intercept=True),
    ],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES,
)
def test_scikit_learn_checks(estimator, check):
    with seeded_noise(0):
        check(estimator)


@pytest.mark.parametrize("estimator", [BoostedRulesClassifier, BoostedTreesClassifier])
def test_clone_and_pickle(estimator):
    df, y = people(500)
    model = estimator(2.0, schema=SCHEMA, rounds=9).fit(df, y)
    assert clone(model).get_params() == model.get_params()
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict_proba(df), model.predict_proba(df))
    assert again.privacy_ == model.privacy_


def test_pipelines_feed_it():
    rng = np.random.default_rng(0)
    X, y = rng.normal(5, 2, (3_000, 3)), rng.integers(0, 2, 3_000)
    X[:, 1] += 4 * y
    standard = make_pipeline(
        FunctionTransformer(lambda table: (table - 5) / 2),
        BoostedRulesClassifier(schema=Numeric(-4, 6, bins=20), classes=[0, 1]),
    ).fit(X, y)
    assert standard.score(X, y) > 0.75


def test_column_transformers_name_its_columns():
    df, y = people(3_000)
    chosen = ColumnTransformer(
        [("rest", FunctionTransformer(), ["age"]), ("smoker", FunctionTransformer(), ["smoker"])],
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    schema = Schema({name: SCHEMA.columns[name] for name in ("smoker", "age")}, target=SCHEMA.target)
    model = make_pipeline(chosen, BoostedRulesClassifier(schema=schema)).fit(df, y)
    assert model[-1].feature_names_in_.tolist() == ["smoker", "age"]
    assert np.array_equal(model.predict(df), model[-1].predict(df[["age", "smoker"]]))


def test_cross_validation_and_search():
    """Each fit spends its own budget; that is for the user to add up."""
    df, y = people(900)
    scores = cross_val_score(BoostedRulesClassifier(4.0, schema=SCHEMA, rounds=9), df, y, cv=3)
    assert scores.shape == (3,)
    search = GridSearchCV(BoostedRulesClassifier(4.0, schema=SCHEMA), {"rounds": [3, 9]}, cv=2).fit(df, y)
    assert search.best_params_["rounds"] in (3, 9)


@pytest.mark.parametrize(("metric", "least"), [("accuracy", 0.95), ("roc_auc", 0.95), ("neg_log_loss", -0.2)])
def test_metrics_read_classes_the_right_way_round(metric, least):
    """Labels whose greater class is rare and easy; a mirrored probability would score like its opposite."""
    rng = np.random.default_rng(0)
    X = rng.random((4_000, 1))
    y = np.where(X[:, 0] > 0.8, "yes", "no")
    model = BoostedRulesClassifier(4.0, schema=Numeric(0, 1, bins=10), classes=["yes", "no"]).fit(X, y)
    assert get_scorer(metric)(model, X, y) > least
