"""The projected halfspace's face: what it takes, learns, keeps, and what it refuses."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

import discreet
from discreet import ProjectedHalfspaceClassifier
from discreet.errors import BudgetExceeded, InputError, ModelFileError, OptionError, PlanError, SchemaError
from discreet.halfspaces.options import ProjectedOptions
from discreet.models.files import _checksum
from discreet.testing import seeded_noise


def cloud(n, d, margin=0.3, seed=0):
    """Rows of norm 1 at this margin from a hyperplane; the rest of each at random."""
    rng = np.random.default_rng(seed)
    w = np.eye(1, d)[0]
    y = rng.integers(0, 2, n)
    rest = rng.normal(size=(n, d))
    rest[:, 0] = 0
    rest *= np.sqrt(1 - margin**2) / np.linalg.norm(rest, axis=1, keepdims=True)
    return (2 * y - 1)[:, None] * margin * w + rest, y


X, Y = cloud(3_000, 400)


def fitted(seed=0, rows=X, labels=Y, **options):
    with seeded_noise(seed):
        options = {"margin": 0.3, "classes": [0, 1], "n_components": 100, "rounds": 20} | options
        return ProjectedHalfspaceClassifier(2.0, **options).fit(rows, labels)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"projection": "sparse"},
        {"intercept": True},
        {"adjacency": "add-remove", "expected_records": 3_000},
        {"n_components": 400},
        {"n_components": "auto", "rounds": "auto"},
    ],
    ids=["dense", "sparse", "intercept", "add-remove", "no projection", "auto"],
)
def test_it_learns(options):
    fresh, labels = cloud(2_000, 400, seed=1)
    assert fitted(**options).score(fresh, labels) > 0.93


def test_an_intercept_finds_a_hyperplane_past_the_origin():
    """Of rows of norm 1: a cap of the sphere."""
    rng = np.random.default_rng(0)
    rows = rng.normal([1, 0, 0], 1, (4_000, 3))
    labels = (rows[:, 0] > 0.7 * np.linalg.norm(rows, axis=1)).astype(int)
    settings = {"rows": rows, "labels": labels, "margin": 0.1, "rounds": 100}
    assert fitted(**settings, intercept=True).score(rows, labels) > 0.9
    assert fitted(**settings).score(rows, labels) < 0.8


def test_a_net_is_purely_private():
    rows, labels = cloud(4_000, 3, margin=0.5)
    options = {"margin": 0.5, "classes": [0, 1], "method": "net"}
    with seeded_noise(0):
        model = ProjectedHalfspaceClassifier(1.0, 0, **options).fit(rows, labels)
    assert model.score(rows, labels) > 0.99
    assert model.privacy_.delta == 0
    assert model.n_components_ == 3
    assert "2,595, one within 0.05 of any direction" in str(model.plan_)
    assert "pure" not in str(ProjectedHalfspaceClassifier(**options).plan(100, 3).loss)


def test_the_size_of_a_net_is_told_and_limited():
    options = {"classes": [0, 1], "method": "net", "delta": 0}
    assert ProjectedHalfspaceClassifier(margin=0.3, **options).plan(9, 500).n_components == 4
    few = ProjectedHalfspaceClassifier(margin=0.3, max_candidates=10_000, **options)
    assert few.plan(9, 500).n_components == 3
    with pytest.raises(OptionError, match=r"at least 10\^5.2 candidates"):
        few.set_params(n_components=4).fit(X, Y)
    with pytest.raises(OptionError, match="at least 10"):
        few.set_params(n_components=40).fit(X, Y)
    with pytest.raises(OptionError, match="no rounds"):
        ProjectedHalfspaceClassifier(rounds=3, **options).plan(9, 500)
    with pytest.raises(OptionError, match="at least 2 components"):
        ProjectedHalfspaceClassifier(**options).plan(9, 1)
    with pytest.raises(OptionError, match="radius"):
        ProjectedHalfspaceClassifier(margin=0.005, **options).plan(9, 5)


def test_scale_does_not_matter():
    rng = np.random.default_rng(0)
    model = fitted(rows=X * 10.0 ** rng.integers(-200, 200, (len(X), 1)))
    assert model.score(X, Y) > 0.9


def test_margins_are_those_of_the_coefficients():
    for intercept in (False, True):
        model = fitted(intercept=intercept)
        unit = X / np.linalg.norm(X, axis=1, keepdims=True)
        by_hand = (unit @ model.coef_[0] + model.intercept_[0]) / (np.sqrt(2) if intercept else 1)
        assert model.decision_function(X) == pytest.approx(by_hand, abs=1e-6)
        assert model.coef_.shape == (1, 400)
        assert np.sum(model.coef_**2) + model.intercept_[0] ** 2 == pytest.approx(1)
        assert (model.predict(X) == (model.decision_function(X) > 0)).all()
        assert model.n_components_ == 100
    assert model.decision_function(np.zeros((1, 400)))[0] == pytest.approx(model.intercept_[0])
    assert fitted().decision_function(np.zeros((1, 400))).tolist() == [0]


def test_the_model_is_the_same_from_any_container_on_any_threads():
    rows = X[:, :40].round(1)
    rows[::7] = np.nan
    expected = fitted(rows=rows, n_components=20).halfspace_
    forms = [
        sp.csc_matrix(rows),
        sp.coo_array(rows),
        pd.DataFrame(rows),
        rows.tolist(),
        np.asfortranarray(rows),
    ]
    names = [f"c{i}" for i in range(40)]
    forms += [pd.DataFrame(rows, columns=names), pl.DataFrame(rows, schema=names)]
    forms += [pa.table(list(rows.T), names=names)]
    for form in forms:
        assert fitted(rows=form, n_components=20, n_jobs=3).halfspace_ == expected, type(form)
    shuffled = np.random.default_rng(0).permutation(len(rows))
    assert fitted(rows=rows[shuffled], labels=Y[shuffled], n_components=20).halfspace_ == expected


def test_columns_of_tables():
    frame = pd.DataFrame(
        {
            "flag": pd.array([True, False, None] * 100, dtype="boolean"),
            "count": pd.array([1, None, 3] * 100, dtype="Int64"),
            "real": np.linspace(-1, 1, 300).astype("float32"),
            "plain": [True, False, True] * 100,
        }
    )
    labels = (frame["real"] > 0).astype(int)
    model = fitted(rows=frame, labels=labels, intercept=True)
    assert model.feature_names_in_.tolist() == list(frame)
    assert np.array_equal(model.decision_function(frame[list(frame)[::-1]]), model.decision_function(frame))
    numbers = frame.astype(float).to_numpy()
    with pytest.warns(UserWarning, match="valid feature names"):
        assert np.array_equal(model.decision_function(numbers), model.decision_function(frame))
    with pytest.raises(InputError, match="'flag'"):
        model.predict(frame.drop(columns="flag"))
    with pytest.warns(UserWarning, match="fitted without feature names"):
        fitted(rows=numbers, labels=labels).predict(frame)


COLUMNS = {
    "text": (pd.Series(["zq1secret"] * 4, dtype=object), "object"),
    "category": (pd.Series(["zq1secret"] * 4, dtype="category"), "category"),
    "date": (pd.Series(pd.to_datetime(["2001-01-01"] * 4)), "dates"),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_column_of_no_numbers_is_named_by_its_type(kind):
    column, named = COLUMNS[kind]
    frame = pd.DataFrame({"fine": [1.0] * 4, "bad": column})
    with pytest.raises(InputError, match=f"column 'bad' .*{named}") as raised:
        fitted(rows=frame, labels=[0, 1, 0, 1])
    assert "secret" not in str(raised.value)


def test_a_polars_column_of_no_numbers_is_named_by_its_type():
    frame = pl.DataFrame({"fine": [1.0], "bad": pl.Series(["zq1"], dtype=pl.Enum(["zq1", "zq2"]))})
    with pytest.raises(InputError, match="column 'bad' is of type Enum") as raised:
        fitted(rows=frame, labels=[0])
    assert "zq" not in str(raised.value)


def damaged():
    rows = sp.csr_array(X[:5])
    rows.indices[3] = 10**6
    return rows


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (X[:5].astype(complex), "Complex data not supported"),
        (sp.csr_array(X[:5].astype(complex)), "Complex data not supported"),
        (X[:5].astype(object), "type object"),
        (X[:5].astype(str), "type str"),
        (X[0], "1D array"),
        (X[None, :5], "dim 3"),
        (sp.csr_array((5, 0)), "0 feature"),
        (np.zeros((5, 0)), "0 feature"),
        (sp.coo_array(X[0]), "1D array"),
        ("zq3secret", "type str"),
        (damaged(), "damaged sparse matrix"),
        (np.ma.masked_array(X[:5]), "MaskedArray"),
    ],
)
def test_what_holds_no_rows_of_numbers_is_refused(rows, said):
    with pytest.raises(InputError, match=said):
        fitted(rows=rows, labels=[0, 1, 0, 1, 0])


def test_widths_have_to_agree():
    model = fitted()
    with pytest.raises(
        InputError, match="X has 7 features, but ProjectedHalfspaceClassifier is expecting 400"
    ):
        model.predict(sp.csr_array((3, 7)))
    with pytest.raises(InputError, match="different lengths"):
        fitted(rows=X, labels=Y[:-1])
    with pytest.raises(NotFittedError):
        ProjectedHalfspaceClassifier(classes=[0, 1]).predict(X)
    with pytest.raises(NotFittedError):
        _ = ProjectedHalfspaceClassifier(classes=[0, 1]).coef_
    assert not hasattr(model, "predict_proba")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("margin", 0),
        ("margin", 1.5),
        ("margin", "wide"),
        ("method", "simplex"),
        ("n_components", 0),
        ("n_components", 2**14 + 1),
        ("projection", "gaussian"),
        ("projection_seed", -1),
        ("projection_seed", 2**63),
        ("projection_seed", None),
        ("intercept", "yes"),
        ("rounds", 0),
        ("max_candidates", 0),
        ("epsilon", 0),
        ("delta", 1),
        ("adjacency", "swap"),
        ("expected_records", 0),
    ],
)
def test_options_are_checked(option, value):
    with pytest.raises(OptionError, match=option):
        ProjectedHalfspaceClassifier(classes=[0, 1]).set_params(**{option: value}).fit(X, Y)


def test_what_has_no_plan_is_refused():
    with pytest.raises(PlanError, match="delta above 0"):
        fitted(delta=0)
    with pytest.raises(PlanError, match="no records"):
        fitted(rows=np.zeros((0, 3)), labels=[])
    with pytest.raises(PlanError, match="coordinates"):
        fitted(n_components=10_000, rounds=5_000, rows=sp.csr_array((3, 20_000)), labels=[0, 1, 0])
    with pytest.raises(SchemaError, match=r"classes=\[...\]"):
        ProjectedHalfspaceClassifier().fit(X, Y)
    with pytest.raises(OptionError, match="sample_weight"):
        ProjectedHalfspaceClassifier(classes=[0, 1]).fit(X, Y, sample_weight=Y)


def test_the_plan_is_that_of_the_fit_and_reads_nothing():
    model = fitted(margin=0.2)
    planned = ProjectedHalfspaceClassifier(2.0, margin=0.2, n_components=100, rounds=20).plan(3_000, 400)
    assert planned == model.plan_ == model.plan(3_000)
    text = str(planned)
    for words in (
        "400 columns by a dense matrix to 100 components",
        "margin 0.2",
        "20 of step",
        "3,000 (public)",
    ):
        assert words in text
    private = ProjectedHalfspaceClassifier(adjacency="add-remove", intercept=True)
    assert "number of records: private" in str(private.plan(n_features=5))
    assert "5 columns as they are to 6 components" in str(private.plan(n_features=5))
    assert "margin 0.1 of rows lifted by a constant" in str(private.plan(n_features=5))
    with pytest.raises(OptionError, match="n_records"):
        private.plan(10, 5)
    with pytest.raises(OptionError, match="n_features"):
        ProjectedHalfspaceClassifier().plan(10)


def test_nothing_about_a_row_raises():
    odd = np.array([[np.nan] * 4, [np.inf] * 4, [0] * 4, [1e308, -1e308, 5e-324, -0.0]])
    model = fitted(rows=odd, labels=["?", None, 1, 0])
    assert np.isfinite(model.decision_function(odd)).all()
    nothing = fitted(rows=np.zeros((0, 4)), labels=[], adjacency="add-remove")
    assert nothing.decision_function(odd).shape == (4,)
    assert nothing.decision_function(sp.csr_array((0, 4))).shape == (0,)


def test_a_file_keeps_the_model(tmp_path):
    for rows in (X, pd.DataFrame(X[:, :30], columns=[f"c{i}" for i in range(30)])):
        for options in (
            {},
            {"projection": "sparse", "intercept": True},
            {"n_components": 400, "margin": 0.25},
        ):
            model = fitted(rows=rows, **options)
            model.save(tmp_path / "model.json")
            again = discreet.load_model(tmp_path / "model.json")
            assert again.halfspace_ == model.halfspace_
            assert again.options_ == model.options_
            assert again.privacy_ == model.privacy_
            assert again.classes_.tolist() == [0, 1]
            assert hasattr(again, "feature_names_in_") == hasattr(model, "feature_names_in_")
            assert again.decision_function(rows).tolist() == model.decision_function(rows).tolist()
            again.save(tmp_path / "again.json")
            assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda model: model["weights"].extend([0] * 400),
        lambda model: model["weights"].clear(),
        lambda model: model["weights"].__setitem__(0, 2**41),
        lambda model: model.update(n_features=0),
        lambda model: model.update(n_features=2**40),
        lambda model: model.update(feature_names=["a"]),
        lambda model: model.update(matrix_checksum=None),
        lambda model: model.update(classes=[0, 1, 2]),
        lambda model: model["parameters"].update(projection="dct"),
        lambda model: model["parameters"].pop("margin"),
    ],
)
def test_files_that_say_something_else_are_refused(change, tmp_path):
    path = edited(tmp_path, change)
    with pytest.raises(ModelFileError):
        discreet.load_model(path)


def test_another_matrix_is_noticed_before_it_predicts(tmp_path):
    """As if the generator had changed, or the file been edited."""
    model = discreet.load_model(edited(tmp_path, lambda model: model["parameters"].update(projection_seed=1)))
    assert "epsilon" in repr(model.privacy_)
    for use in (lambda: model.predict(X), lambda: model.coef_):
        with pytest.raises(ModelFileError, match="random matrix"):
            use()


def edited(folder, change):
    path = folder / "model.json"
    fitted().save(path)
    contents = json.loads(path.read_text())
    change(contents["model"])
    contents["checksum"] = _checksum(contents["model"])
    path.write_text(json.dumps(contents))
    return path


def test_scikit_learn_can_copy_it():
    model = fitted()
    assert clone(model).get_params() == model.get_params()
    again = pickle.loads(pickle.dumps(model))
    assert again.decision_function(X).tolist() == model.decision_function(X).tolist()
    assert set(ProjectedOptions.__dataclass_fields__) <= model.get_params().keys()


def test_text_in_a_pipeline():
    """As with LogisticRegression; a public vocabulary, so that nothing is learned from the texts."""
    rng = np.random.default_rng(0)
    words = [f"word{i}" for i in range(2_000)]
    good = rng.integers(0, 2, 3_000)
    texts = [
        " ".join([*rng.choice(words[200:], 20), *rng.choice(words[100 * kind : 100 * kind + 100], 8)])
        for kind in good
    ]
    labels = np.where(good, "spam", "ham")
    vectoriser = TfidfVectorizer(vocabulary=words, use_idf=False)
    model = make_pipeline(vectoriser, ProjectedHalfspaceClassifier(2, margin=0.05, classes=["ham", "spam"]))
    assert model.fit(texts[:2_500], labels[:2_500]).score(texts[2_500:], labels[2_500:]) > 0.85


def test_it_costs_what_it_says(tmp_path):
    ledger = discreet.Ledger(tmp_path / "budget.db")
    ledger.open_account("a", epsilon=2.5, delta=1e-5)
    options = {"margin": 0.3, "classes": [0, 1], "rounds": 5, "ledger": ledger, "account": "a"}
    model = ProjectedHalfspaceClassifier(2.0, **options).fit(X, Y)
    assert model.privacy_.holds
    assert 1.99 < model.privacy_.epsilon <= 2
    assert (model.privacy_.account, model.privacy_.spend) == ("a", 2)
    with pytest.raises(BudgetExceeded):
        ProjectedHalfspaceClassifier(2.0, **options).fit(X, Y)


def test_errors_come_before_the_budget_and_the_budget_before_the_rows(tmp_path):
    class Untouchable(sp.csr_array):
        def tocsr(self, copy=False):
            raise AssertionError("read")

    ledger = discreet.Ledger(tmp_path / "budget.db")
    ledger.open_account("a", epsilon=1, delta=1e-5)
    options = {"classes": [0, 1], "ledger": ledger, "account": "a"}
    with pytest.raises(BudgetExceeded):
        ProjectedHalfspaceClassifier(2.0, **options).fit(Untouchable(X), Y)
    with pytest.raises(InputError):
        ProjectedHalfspaceClassifier(0.5, **options).fit(Untouchable(X), Y[:-1])
    assert len(ledger.history("a")) == 0
