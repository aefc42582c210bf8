"""The command line and a model that has no schema: it is shown, and predictions are left to Python."""

import json

import numpy as np
import pytest
import scipy.sparse as sp
from typer.testing import CliRunner

from discreet import ProjectedHalfspaceClassifier
from discreet.cli import app


@pytest.fixture
def path(tmp_path):
    rows = sp.random_array((200, 3_000), density=0.01, rng=np.random.default_rng(0))
    labels = ["ham", "spam"] * 100
    model = ProjectedHalfspaceClassifier(
        classes=["ham", "spam"], n_components=64, rounds=3, projection_seed=9, intercept=True
    ).fit(rows, labels)
    model.save(tmp_path / "model.json")
    return tmp_path / "model.json"


def run(*words):
    return CliRunner(env={"COLUMNS": "80"}).invoke(app, [str(word) for word in words])


def test_it_is_shown(path):
    shown = run("show", path)
    assert shown.exit_code == 0, shown.output
    for words in (
        "predicts 'spam' where the margin is above zero, else 'ham'",
        "epsilon = 1, delta = 1e-06",
        "3,000 and an intercept",
        "64, by a dense matrix from the public seed 9",
        "method descent, margin 0.1",
    ):
        assert words in shown.output
    told = json.loads(run("show", path, "--json").output)
    assert (told["columns"], told["components"], told["method"]) == (3_000, 64, "descent")
    assert told["positive_class"] == "spam"
    assert "WHAT IS" in run("show", path, "--statement").output.upper()


def test_predictions_are_left_to_python(path):
    table = path.with_name("rows.csv")
    table.write_text("a,b\n1,2\n")
    refused = run("predict", path, table, "--out", path.with_name("out.csv"))
    assert refused.exit_code == 3
    assert "no schema" in refused.output
    assert "discreet.load_model(...).predict(X)" in refused.output
