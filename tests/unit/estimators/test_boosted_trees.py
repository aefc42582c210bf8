"""Trees as an estimator: options, what is learned, how it reads, and its file."""

import json

import msgspec
import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import discreet
from discreet import BoostedRulesClassifier, BoostedTreesClassifier, Numeric
from discreet.errors import ModelFileError, OptionError
from discreet.models.files import _checksum
from discreet.testing import seeded_noise
from tests.tables import SCHEMA, people

DF, Y = people(3_000)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("depth", 0),
        ("depth", 7),
        ("depth", 2.0),
        ("depth", "auto"),
        ("growth", "depth-first"),
        ("criterion", "entropy"),
        ("epsilon", 0),
    ],
)
def test_options_are_checked_by_name(option, value):
    model = BoostedTreesClassifier(schema=SCHEMA, **{option: value})
    for use in (lambda: model.fit(None, Y), lambda: model.plan(100)):
        with pytest.raises(OptionError, match=option):
            use()


def test_best_first_goes_by_gini_only():
    with pytest.raises(OptionError, match="criterion"):
        BoostedTreesClassifier(schema=SCHEMA, growth="best-first", criterion="agreement").plan(100)
    BoostedTreesClassifier(schema=SCHEMA, growth="best-first", criterion="gini").plan(100)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"criterion": "gini", "depth": 3},
        {"growth": "best-first"},
        {"adjacency": "add-remove"},
        {"reweighting": "lazy-bregman"},
        {"delta": 0},
        {"depth": 1},
    ],
    ids=str,
)
def test_it_learns_what_no_scorecard_says(options):
    """Income follows age, the other way round for smokers: an interaction, out of reach of single tests."""
    with seeded_noise(0):
        model = BoostedTreesClassifier(4.0, schema=SCHEMA, **options).fit(DF, Y)
        rules = BoostedRulesClassifier(4.0, schema=SCHEMA).fit(DF, Y)
    assert rules.score(DF, Y) < 0.85
    assert model.score(DF, Y) > (0.9 if options.get("depth") != 1 else 0.7)
    assert model.privacy_.reason == "seeded noise"


def test_the_model_does_not_depend_on_threads():
    models = []
    for n_jobs in (1, 2):
        with seeded_noise(3):
            models.append(BoostedTreesClassifier(schema=SCHEMA, depth=3, n_jobs=n_jobs).fit(DF, Y))
    assert models[0].ensemble_ == models[1].ensemble_


def test_depth_six_is_the_deepest():
    with seeded_noise(0):
        model = BoostedTreesClassifier(1e3, schema=SCHEMA, depth=6, rounds=3).fit(DF, Y)
    assert all(len(path) <= 6 for tree in model.ensemble_.trees for path in tree.paths)
    assert max(len(tree.votes) for tree in model.ensemble_.trees) > 32
    assert model.score(DF, Y) > 0.9


def test_the_scorecard_is_the_model():
    """Votes added up by hand from its rows are the votes of the model."""
    with seeded_noise(0):
        model = BoostedTreesClassifier(schema=SCHEMA, rounds=5).fit(DF, Y)
    card = model.scorecard()
    assert list(card.columns) == ["tree", "rule", "votes", "favours"]
    assert set(card["votes"]) <= {-1, 1}
    assert all((row.favours == ">50K") == (row.votes > 0) for row in card.itertuples())
    assert card["tree"].max() == 5

    def holds(condition, record):
        wanted = not condition.startswith("not ")
        column, test, value = condition.removeprefix("not ").split(" ")
        cell = record[column]
        found = float(cell) <= float(value) if test == "<=" else str(cell) == value
        return found == wanted

    head = DF.head(40)
    for votes, record in zip(model.decision_function(head), head.to_dict("records"), strict=True):
        fitting = [
            row.votes
            for row in card.itertuples()
            if row.rule == "always" or all(holds(part, record) for part in row.rule.split(" and "))
        ]
        assert (len(fitting), sum(fitting)) == (5, votes)


def test_it_prints():
    with seeded_noise(0):
        model = BoostedTreesClassifier(schema=SCHEMA, rounds=2).fit(DF, Y)
    first, second = model.drawn().split("\n\n")
    assert first.startswith("tree 1\nif ")
    assert second.startswith("tree 2\nif ")
    assert first.count("vote") == len(model.ensemble_.trees[0].votes)
    with pytest.raises(NotFittedError):
        BoostedTreesClassifier(schema=SCHEMA).drawn()


def test_the_plan_says_what_a_round_releases():
    plan = BoostedTreesClassifier(schema=SCHEMA, criterion="gini", depth=3, rounds=10).plan(5_000)
    assert [(term.claim.kind, term.times) for term in plan.terms] == [("selections", 20), ("selections", 10)]
    assert "20 x selections" in str(plan)
    first, last = plan.terms
    assert first.loss.width == pytest.approx(last.loss.width)


def test_a_column_without_records_in_reach_is_no_error():
    X = np.zeros((50, 1))
    model = BoostedTreesClassifier(schema=Numeric(0, 1, bins=3), classes=[0, 1], depth=4).fit(X, [0, 1] * 25)
    assert len(model.predict(X)) == 50


def saved(tmp_path):
    path = tmp_path / "m.json"
    with seeded_noise(0):
        BoostedTreesClassifier(schema=SCHEMA, rounds=3).fit(DF, Y).save(path)
    return path


def edited(path, change):
    contents = json.loads(path.read_text())
    change(contents["model"])
    contents["checksum"] = _checksum(contents["model"])
    path.write_bytes(msgspec.json.encode(contents))
    return path


@pytest.mark.parametrize(
    "change",
    [
        lambda model: model["trees"][0]["votes"].append(1),
        lambda model: model["trees"][0]["votes"].__setitem__(0, 0),
        lambda model: model["trees"][0]["splits"][0].update(leaf=1),
        lambda model: model["trees"][0]["splits"][0].update(leaf=-1),
        lambda model: model["trees"][0]["splits"][0].update(value=46.1),
        lambda model: model["trees"][0]["splits"][0].update(column="height"),
        lambda model: model["trees"].clear(),
        lambda model: model["trees"][0].update(splits=model["trees"][0]["splits"][:1] * 64, votes=[1] * 65),
        lambda model: model["parameters"].update(depth=9),
        lambda model: model["parameters"].pop("growth"),
        lambda model: model.update(estimator="BoostedRulesClassifier"),
    ],
)
def test_files_that_are_no_trees_are_refused(tmp_path, change):
    with pytest.raises(ModelFileError):
        discreet.load_model(edited(saved(tmp_path), change))
