"""What the README shows, as a user would type it."""

import numpy as np
import pandas as pd
import pytest

import discreet
from discreet import BoostedRulesClassifier
from tests.tables import SCHEMA, people


def test_from_table_to_saved_model(tmp_path):
    df, y = people(4_000)
    model = BoostedRulesClassifier(epsilon=2, delta=1e-6, schema=SCHEMA)
    planned = model.plan(len(df))
    assert model.fit(df, y) is model
    assert model.plan_ == planned == model.plan(len(df))

    # Two columns xor-ed are beyond a vote of rules; the smaller group still shows. Noise can fail this
    # with probability far below 1e-6 at these counts.
    assert model.score(df, y) > 0.6
    proba = model.predict_proba(df)
    votes = model.decision_function(df)
    assert proba.shape == (4_000, 2)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert np.array_equal(votes > 0, proba[:, 1] > 0.5)
    assert np.array_equal(model.predict(df), np.where(votes > 0, ">50K", "<=50K"))

    card = model.scorecard()
    assert list(card.columns) == ["column", "test", "votes", "favours"]
    assert (card.votes.abs().diff().dropna() <= 0).all()
    assert set(card.column) <= {"age", "sex", "smoker", ""}

    assert model.privacy_.holds
    assert 1.99 < model.privacy_.epsilon <= 2
    assert model.privacy_.delta == 1e-6
    assert model.privacy_.adjacency == "replace"

    model.save(tmp_path / "model.json")
    again = discreet.load_model(tmp_path / "model.json")
    assert np.array_equal(again.decision_function(df), votes)
    assert np.array_equal(again.predict_proba(df), proba)
    assert again.privacy_ == model.privacy_
    pd.testing.assert_frame_equal(again.scorecard(), card)
    assert again.plan(len(df)) == planned


def test_scorecard_adds_up_to_the_decision():
    """Reading the card by hand gives the votes: plus where a test holds, minus where it does not."""
    df, y = people(2_000)
    model = BoostedRulesClassifier(schema=SCHEMA).fit(df, y)
    total = np.zeros(len(df))
    for row in model.scorecard().itertuples():
        if row.test == "always":
            holds = np.ones(len(df), bool)
        else:
            sign, value = row.test.split(" ", 1)
            holds = df[row.column] <= float(value) if sign == "<=" else df[row.column].astype(str) == value
        total += np.where(holds, row.votes, -row.votes)
    # Cut points print with ten digits; ages are whole numbers, so no age lies between the two.
    assert np.array_equal(total, model.decision_function(df))


def test_seeded_noise_repeats_and_voids_the_guarantee(tmp_path):
    df, y = people(1_000)
    cards = []
    for _ in range(2):
        with discreet.testing.seeded_noise(3):
            model = BoostedRulesClassifier(schema=SCHEMA, rounds=20).fit(df, y)
        cards.append(model.scorecard())
    pd.testing.assert_frame_equal(*cards)
    assert not model.privacy_.holds
    assert str(model.privacy_) == "no guarantee: seeded noise"
    model.save(tmp_path / "model.json")
    assert '"seeded noise"' in (tmp_path / "model.json").read_text()
    assert not discreet.load_model(tmp_path / "model.json").privacy_.holds
    # Outside the block, noise is real again: 20 rounds repeat with negligible probability.
    fresh = BoostedRulesClassifier(schema=SCHEMA, rounds=20).fit(df, y)
    assert fresh.privacy_.holds


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
@pytest.mark.parametrize("delta", [0, 1e-6])
def test_the_four_kinds_of_guarantee(adjacency, delta):
    df, y = people(3_000)
    model = BoostedRulesClassifier(epsilon=1, delta=delta, adjacency=adjacency, schema=SCHEMA).fit(df, y)
    statement = model.privacy_
    assert statement.adjacency == adjacency
    assert statement.delta == delta
    assert (statement.rho is None) == (delta == 0)
    assert 0.99 < statement.epsilon <= 1
    assert ("3,000" in str(model.plan_)) == (adjacency == "replace")


def test_the_demo_runs(capsys):
    from typer.testing import CliRunner

    from discreet.cli import app

    result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 0, result.output
    for words in ("epsilon = 1", "delta = 1e-06", "votes", "accuracy", "without privacy"):
        assert words in result.output
    bad = CliRunner().invoke(app, ["demo", "--epsilon", "0"])
    assert bad.exit_code == 2
    assert "epsilon must be a number above 0" in bad.output
