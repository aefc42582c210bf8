"""The parts of peers that were written here: public codings, and the perturbed objective."""

import importlib
import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks.peers import handover
from benchmarks.peers.tables import TABLES, folds
from discreet import Boolean, Categorical, Numeric, Schema, Target
from discreet.datasets import Dataset

INSIDE = Path(handover.__file__).with_name("inside")


@pytest.fixture
def inside(monkeypatch):
    monkeypatch.syspath_prepend(str(INSIDE))
    return importlib.import_module


@pytest.fixture
def handed(tmp_path):
    import pandas as pd

    schema = Schema(
        {
            "size": Numeric(0, 10, cuts=[2, 5]),
            "colour": Categorical(["red", "blue"], missing=True),
            "old": Boolean(),
        },
        target=Target("good", classes=["no", "yes"]),
    )
    table = pd.DataFrame(
        {
            "size": [0, 2, 2.5, 99],
            "colour": ["red", "blue", "green", None],
            "old": [True, False, True, False],
            "unused": 7,
        }
    )
    data = Dataset("toy", table, pd.Series(["yes", "no", "yes", "no"]), schema, "")
    path = tmp_path / "rows.npz"
    truth = handover.hand_over(data, np.arange(4), np.array([0, 1]), path)
    assert truth.tolist() == [True, False]
    return path


def job_of(path, inside, **terms):
    told = {"rows": path, "epsilon": 1.0, "delta": 1e-5, "seed": 0, "settings": {}, **terms}
    return inside("serving")._read(told)


def test_rows_are_handed_over_by_public_rules(handed, inside):
    job = job_of(handed, inside)
    assert job.X.tolist() == [[0, 0, 1], [2, 1, 0], [2.5, -1, 1], [10, -1, 0]]
    assert job.y.tolist() == [1, 0, 1, 0]
    assert job.X_test.tolist() == job.X[:2].tolist()
    assert [column["name"] for column in job.columns] == ["size", "colour", "old"]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ("scaled", [[-1, 1, 0, 1], [-0.6, 0, 1, 0], [-0.5, 0, 0, 1], [1, 0, 0, 0]]),
        ("bins", [[1, 0, 0, 1, 0, 1], [1, 0, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0]]),
    ],
)
def test_codings(handed, inside, numbers, expected):
    job = job_of(handed, inside)
    coding = inside("coding").Coding(job.columns, numbers)
    features = coding.features(job.X)
    np.testing.assert_allclose(features, expected)
    assert (np.linalg.norm(features, axis=1) <= coding.norm).all()
    assert coding.owners == sorted(coding.owners)
    assert len(coding.owners) == features.shape[1]
    assert coding.columns_used([0] * (features.shape[1] - 1) + [3]) == 1


def test_no_row_is_longer_than_its_bound_anywhere(inside):
    """Sensitivity of every linear peer rests on it."""
    rng = np.random.default_rng(0)
    columns = [
        {"name": "a", "kind": "numeric", "low": -3.0, "high": 9.0, "cuts": [0.0, 1.0]},
        {"name": "b", "kind": "categorical", "values": ["x", "y"]},
        {"name": "c", "kind": "boolean"},
    ]
    X = np.column_stack([rng.uniform(-3, 9, 1000), rng.integers(-1, 2, 1000), rng.integers(-1, 2, 1000)])
    for numbers in ("scaled", "bins"):
        coding = inside("coding").Coding(columns, numbers)
        assert np.linalg.norm(coding.features(X), axis=1).max() <= coding.norm


def test_the_gaussian_noise_meets_its_equation(inside):
    """With both directions at their bound, the loss is exactly the budget of the noise."""
    noise = inside("objective_perturbation")._noise
    for epsilon, delta in ((0.045, 1e-5), (0.9, 1e-5), (2.7, 1e-6)):
        unit = np.random.default_rng(7).standard_normal(5)
        s = (noise(epsilon, delta, 5, np.random.default_rng(7)) / unit)[0]
        from scipy.stats import norm

        t = norm.isf(delta / 4)
        assert 2 * t / s + 2 / s**2 == pytest.approx(epsilon, rel=1e-9)


def test_the_pure_noise_has_the_radius_of_a_gamma_law(inside):
    noise, rng = inside("objective_perturbation")._noise, np.random.default_rng(8)
    radii = [np.linalg.norm(noise(0.9, 0.0, 6, rng)) for _ in range(4_000)]
    # Mean 2 d / epsilon, standard deviation 2 sqrt(d) / epsilon: six standard errors.
    assert np.mean(radii) == pytest.approx(12 / 0.9, abs=6 * 2 * math.sqrt(6) / 0.9 / math.sqrt(4_000))


def test_the_minimum_is_one(inside):
    """At the minimum the noise is minus the gradient of everything else: the map that the proof inverts."""
    module, rng = inside("objective_perturbation"), np.random.default_rng(9)
    Z = rng.normal(size=(300, 4)) / 10
    signs = np.where(rng.random(300) < 0.5, 1.0, -1.0)
    noise = rng.normal(size=4) * 5
    from scipy.sparse import csr_matrix

    w = module._minimum(csr_matrix(Z), signs, noise, 2.0)
    gradient = -(signs / (1 + np.exp(signs * (Z @ w)))) @ Z + 2 * w
    assert -gradient == pytest.approx(noise, abs=1e-3)


def test_tables_have_ten_splits_that_cover_them():
    for name in ("cells", "hastie", "digits"):
        table = TABLES[name]()
        tests = [test for train, test in folds(table) if not set(train) & set(test)]
        assert len(tests) == 10
        assert sorted(np.concatenate(tests)) == list(range(len(table.y)))
        assert set(table.y) == set(table.schema.target.classes)
        assert set(table.schema.names) <= set(table.X.columns)
