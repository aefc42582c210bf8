"""Edges: odd tables, odd options, and what is refused."""

import os

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from discreet import Boolean, BoostedRulesClassifier, Categorical, DiscreetError, Numeric, Schema, Target
from discreet.errors import InputError, OptionError, PlanError, SchemaError
from discreet.estimators import boosted
from tests.tables import SCHEMA, people

DF, Y = people(300)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("epsilon", 0),
        ("epsilon", -1),
        ("epsilon", float("nan")),
        ("epsilon", float("inf")),
        ("epsilon", 10**400),
        ("epsilon", 1e308),
        ("epsilon", "1"),
        ("epsilon", True),
        ("epsilon", None),
        ("delta", -1e-9),
        ("delta", 1),
        ("delta", float("nan")),
        ("rounds", 0),
        ("rounds", 10_001),
        ("rounds", 10**400),
        ("rounds", 2.5),
        ("rounds", "many"),
        ("learning_rate", 0),
        ("learning_rate", float("nan")),
        ("reweighting", "adaboost"),
        ("reweighting", None),
        ("density", 0.5),
        ("adjacency", "both"),
        ("expected_records", 0),
        ("expected_records", 10**400),
        ("n_jobs", 0),
        ("n_jobs", 1.5),
    ],
)
def test_options_are_checked_by_name_before_anything_is_read(option, value):
    class Untouchable:
        def __getattr__(self, name):
            raise AssertionError("the table was touched")

    model = BoostedRulesClassifier(schema=SCHEMA, **{option: value})
    with pytest.raises(OptionError, match=option):
        model.fit(Untouchable(), Y)
    if option != "n_jobs":
        with pytest.raises(OptionError, match=option):
            model.plan(100)


def test_without_a_schema_it_says_how_to_write_one():
    with pytest.raises(SchemaError, match=r"Numeric\("):
        BoostedRulesClassifier(classes=["<=50K", ">50K"]).fit(DF, Y)


def test_without_classes_it_says_where_to_declare_them():
    with pytest.raises(SchemaError, match="target=Target"):
        BoostedRulesClassifier(schema=Schema(SCHEMA.columns)).fit(DF, Y)
    with pytest.raises(OptionError, match="differs"):
        BoostedRulesClassifier(schema=SCHEMA, classes=["a", "b"]).fit(DF, Y)
    with pytest.raises(SchemaError, match="two classes"):
        BoostedRulesClassifier(schema=Schema(SCHEMA.columns), classes=["a", "b", "c"]).fit(DF, Y)


def test_sample_weight_and_unknown_options_are_refused_by_name():
    model = BoostedRulesClassifier(schema=SCHEMA)
    with pytest.raises(OptionError, match="sample_weight is not supported"):
        model.fit(DF, Y, sample_weight=np.ones(300))
    with pytest.raises(OptionError, match="'check_input'"):
        model.fit(DF, Y, check_input=False)


def test_sparse_and_missing_labels_are_refused():
    with pytest.raises(InputError, match="sparse"):
        BoostedRulesClassifier(schema=Boolean(), classes=[0, 1]).fit(sparse.eye(4).tocsr(), [0, 1, 0, 1])
    with pytest.raises(InputError, match="y"):
        BoostedRulesClassifier(schema=SCHEMA).fit(DF)
    with pytest.raises(InputError, match="different lengths"):
        BoostedRulesClassifier(schema=SCHEMA).fit(DF, Y[:10])


def test_before_fit_nothing_is_predicted():
    model = BoostedRulesClassifier(schema=SCHEMA)
    for use in (model.predict, model.predict_proba, model.decision_function):
        with pytest.raises(NotFittedError):
            use(DF)
    with pytest.raises(NotFittedError):
        model.scorecard()
    with pytest.raises(NotFittedError):
        model.save("never-written.json")


def test_an_empty_table_is_refused_where_n_is_public_and_learnt_from_where_it_is_not():
    with pytest.raises(PlanError, match="no records"):
        BoostedRulesClassifier(schema=SCHEMA).fit(DF[:0], Y[:0])
    model = BoostedRulesClassifier(schema=SCHEMA, adjacency="add-remove").fit(DF[:0], Y[:0])
    assert len(model.predict(DF)) == 300
    assert len(model.predict(DF[:0])) == 0


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
@pytest.mark.parametrize("reweighting", ["madaboost", "lazy-bregman"])
def test_one_record_one_class_and_foreign_labels(adjacency, reweighting):
    model = BoostedRulesClassifier(schema=SCHEMA, adjacency=adjacency, reweighting=reweighting, rounds=5)
    if (adjacency, reweighting) == ("add-remove", "lazy-bregman"):
        with pytest.raises(PlanError, match="add-remove keeps private"):
            model.fit(DF, Y)
        return
    assert len(model.fit(DF[:1], Y[:1]).predict(DF)) == 300
    one_class = model.fit(DF, ["<=50K"] * 300)
    assert set(one_class.predict(DF)) <= {"<=50K", ">50K"}
    foreign = model.fit(DF, [None] * 300)
    assert set(foreign.predict(DF)) <= {"<=50K", ">50K"}


def test_one_class_only_predicts_that_class():
    """5,000 equal labels: the correlation of the constant is 5,000; failure is below exp(-100)."""
    df, _ = people(5_000)
    model = BoostedRulesClassifier(schema=SCHEMA, rounds=9, learning_rate=0.01).fit(df, [">50K"] * 5_000)
    assert set(model.predict(df)) == {">50K"}


def test_three_hundred_categories():
    rng = np.random.default_rng(0)
    city = rng.integers(0, 300, 20_000)
    schema = Schema({"city": Categorical([f"c{i}" for i in range(300)])})
    df, y = pd.DataFrame({"city": [f"c{i}" for i in city]}), city < 5
    model = BoostedRulesClassifier(4, schema=schema, classes=[False, True], rounds=40).fit(df, y)
    assert model.predict(df).dtype == bool
    assert model.score(df, y) > 0.97


def test_ten_thousand_columns():
    rng = np.random.default_rng(0)
    X = rng.random((2_000, 10_000)) < 0.5
    y = X[:, 4_321]
    model = BoostedRulesClassifier(4, schema=None, classes=[False, True], rounds=4, learning_rate=0.05).fit(
        X, y
    )
    assert model.n_features_in_ == 10_000
    assert model.score(X, y) > 0.99  # the right column leads by 1,000 records; scale is about 10


def test_a_single_declaration_serves_every_column_of_an_array():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3_000, 4))
    y = (X[:, 2] > 0).astype(int)
    model = BoostedRulesClassifier(schema=Numeric(-10, 10, bins=64), classes=[0, 1]).fit(X, y)
    assert model.score(X, y) > 0.9
    assert not hasattr(model, "feature_names_in_")
    with pytest.raises(InputError, match="features"):
        model.predict(X[:, :3])


def test_tables_of_every_make_give_the_same_model():
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    from discreet.testing import seeded_noise

    frames = {
        "pandas": (DF, Y),
        "nullable": (DF.convert_dtypes(), Y.convert_dtypes()),
        "category": (DF.assign(sex=DF.sex.astype("category")), Y.astype("category")),
        "pyarrow-backed": (DF.convert_dtypes(dtype_backend="pyarrow"), Y),
        "polars": (pl.DataFrame(DF.to_dict("list")), pl.Series(Y.tolist())),
        "pyarrow": (pa.Table.from_pandas(DF), pa.chunked_array([Y.tolist()])),
    }
    cards = {}
    for name, (X, y) in frames.items():
        with seeded_noise(0):
            model = BoostedRulesClassifier(schema=SCHEMA, rounds=10).fit(X, y)
        cards[name] = (model.scorecard().to_csv(), model.decision_function(X).tolist())
    assert all(card == cards["pandas"] for card in cards.values())


def test_threads_do_not_change_the_model():
    from discreet.testing import seeded_noise

    cards = []
    for n_jobs in (None, 1, 2, -1):
        with seeded_noise(0):
            model = BoostedRulesClassifier(schema=SCHEMA, rounds=10, n_jobs=n_jobs).fit(DF, Y)
        cards.append(model.scorecard().to_csv())
    assert len(set(cards)) == 1


def test_n_jobs_reaches_the_engine(monkeypatch):
    asked = []
    honest = boosted.LocalEngine
    monkeypatch.setattr(boosted, "LocalEngine", lambda codes, threads: asked.append(threads) or honest(codes))
    for n_jobs in (None, 3, -1):
        BoostedRulesClassifier(schema=SCHEMA, rounds=1, n_jobs=n_jobs).fit(DF, Y)
    assert asked == [1, 3, os.cpu_count()]


def test_no_error_under_add_remove_tells_how_many_records_there_are():
    model = BoostedRulesClassifier(schema=SCHEMA, adjacency="add-remove")
    for X, y in (
        (DF, np.zeros((len(DF), 2))),
        (DF, Y[:-1]),
        (np.zeros((len(DF), 0)), Y),
        (np.zeros((len(DF), 2)), Y),
        (DF.iloc[:, 0], Y),
    ):
        with pytest.raises(DiscreetError) as caught:
            model.fit(X, y)
        assert str(len(DF)) not in str(caught.value)
        assert str(len(DF) - 1) not in str(caught.value)


def test_names_on_one_side_only_go_by_position_with_a_warning():
    X = DF[["age"]].to_numpy()
    model = BoostedRulesClassifier(
        schema=Numeric(0, 100, bins=4), classes=SCHEMA.target.classes, rounds=3
    ).fit(X, Y)
    with pytest.warns(UserWarning, match="fitted without feature names"):
        assert np.array_equal(model.predict(DF[["age"]]), model.predict(X))


def test_sample_weight_none_is_none():
    BoostedRulesClassifier(schema=SCHEMA, rounds=1).fit(DF, Y, sample_weight=None)


def test_under_add_remove_no_setting_depends_on_the_number_of_records():
    model = BoostedRulesClassifier(schema=SCHEMA, adjacency="add-remove", expected_records=500)
    plans = {str(model.fit(DF[:n], Y[:n]).plan_) for n in (0, 1, 10, 300)}
    assert plans == {str(model.plan())}
    with pytest.raises(OptionError, match="private"):
        model.plan(300)
    other = BoostedRulesClassifier(schema=SCHEMA, adjacency="add-remove", expected_records=50_000)
    assert other.plan() != model.plan()


def test_plan_needs_what_it_needs():
    with pytest.raises(OptionError, match="n_records"):
        BoostedRulesClassifier(schema=SCHEMA).plan()
    for senseless in (-5, "x", 2.5, True, 10**400):
        with pytest.raises(OptionError, match="n_records must be"):
            BoostedRulesClassifier(schema=SCHEMA).plan(senseless)
    with pytest.raises(SchemaError, match="names of the columns"):
        BoostedRulesClassifier(schema=Numeric(0, 1, bins=4)).plan(10)


def test_budgets_beyond_any_number_are_refused():
    with pytest.raises(PlanError, match="raise epsilon"):
        BoostedRulesClassifier(1e-15, delta=0, schema=SCHEMA).plan(1000)


def test_the_plan_prints_what_is_released():
    text = str(BoostedRulesClassifier(0.5, schema=SCHEMA, rounds=50).plan(1_000))
    for words in ("50 x selection", "1,000 (public)", "madaboost", "rho", "epsilon = 0.5", "docs/proofs"):
        assert words in text


def test_progress_is_shown_on_request_only(capsys):
    BoostedRulesClassifier(schema=SCHEMA, rounds=3).fit(DF, Y)
    assert capsys.readouterr().err == ""
    BoostedRulesClassifier(schema=SCHEMA, rounds=3, progress=True).fit(DF, Y)
    assert "3/3" in capsys.readouterr().err


def test_positive_class_is_the_greater_one_however_declared():
    """scikit-learn's metrics take classes in sorted order for granted."""
    target = Target("income", classes=[">50K", "<=50K"])
    model = BoostedRulesClassifier(schema=Schema(SCHEMA.columns, target=target)).fit(DF, Y)
    assert model.classes_.tolist() == ["<=50K", ">50K"]


def test_every_refusal_is_a_discreet_error():
    for kind in (InputError, OptionError, PlanError, SchemaError):
        assert issubclass(kind, DiscreetError)
        assert issubclass(kind, ValueError)


def test_plan_follows_a_changed_schema():
    model = BoostedRulesClassifier(schema=SCHEMA, rounds=3).fit(DF, Y)
    model.set_params(schema=Schema({"age": Numeric(0, 100, bins=500)}))
    assert model.plan(300).n_candidates == 1_000


def test_a_column_may_be_called_target():
    X = DF[["age"]].rename(columns={"age": "target"})
    model = BoostedRulesClassifier(schema=Numeric(0, 100, bins=5), classes=["<=50K", ">50K"], rounds=3)
    assert model.fit(X, Y).feature_names_in_.tolist() == ["target"]


def test_an_array_in_place_of_a_named_table_is_taken_in_order_with_a_warning():
    model = BoostedRulesClassifier(schema=SCHEMA, rounds=9).fit(DF, Y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        votes = model.decision_function(DF.to_numpy())
    assert votes.tolist() == model.decision_function(DF).tolist()


def test_a_delta_of_one_record_is_warned_of_where_n_is_public():
    options = {"schema": SCHEMA, "delta": 1 / len(DF), "rounds": 200}
    with pytest.warns(UserWarning, match="delta is not below 1/n"):
        BoostedRulesClassifier(**options).fit(DF, Y)
    BoostedRulesClassifier(**options, adjacency="add-remove").fit(DF, Y)
