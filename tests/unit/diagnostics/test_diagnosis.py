"""Diagnostics against the papers' definitions, spelled out record by record; and the door to them."""

import math

import numpy as np
import pandas as pd
import pytest

from discreet import BoostedRulesClassifier, BoostedTreesClassifier, load_model
from discreet.boosting.reweighting.lazy_bregman import LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.diagnostics import PublicTable, diagnose
from discreet.engines.base import View
from discreet.engines.local import LocalEngine
from discreet.errors import InputError, OptionError
from discreet.schema.encode import encode
from discreet.schema.tables import open_table
from discreet.testing import seeded_noise
from discreet.theory import guaranteed_margin
from tests.tables import SCHEMA, people

OPTIONS = {
    "madaboost": {},
    "trees": {},
    "lazy-bregman": {"reweighting": "lazy-bregman", "density": 0.2, "learning_rate": 0.05},
}


@pytest.fixture(scope="module", params=OPTIONS)
def fitted(request):
    """A model, the measure it was fitted with, and the made-up table that it was fitted on."""
    X, y = people(400)
    with seeded_noise(3):
        face = BoostedTreesClassifier if request.param == "trees" else BoostedRulesClassifier
        model = face(5.0, 1e-6, SCHEMA, rounds=41, **OPTIONS[request.param]).fit(X, y)
    rate = model.ensemble_.learning_rate
    measure = LazyBregman(rate, 0.2, len(y)) if request.param == "lazy-bregman" else MadaBoost(rate)
    return model, measure, X, y


def signs(model, y):
    return np.where(np.asarray(y) == model.classes_[1], 1, -1)


def test_margins_are_the_mean_votes_for_the_label(fitted):
    model, _, X, y = fitted
    margins = diagnose(model, PublicTable(X, y, public=True)).margins()
    assert np.allclose(margins, signs(model, y) * model.decision_function(X) / 41)
    counts, edges = diagnose(model, PublicTable(X, y, public=True)).margin_histogram(bins=8)
    assert counts.sum() == len(y)
    assert edges[0] == -1
    assert edges[-1] == 1
    assert counts[-1] == (margins >= 0.75).sum()


def test_levels_and_advantages_are_those_of_the_boosting_loop(fitted):
    """The engine's own masses, for one rule or tree a round, give the same advantage."""
    model, measure, X, y = fitted
    diagnosis = diagnose(model, PublicTable(X, y, public=True))
    advantages = diagnosis.advantages(measure)
    codes = encode(open_table(X), SCHEMA)
    ends = np.cumsum([0, *codes.n_codes])
    engine = LocalEngine(codes)
    view = View(engine, engine.open((signs(model, y) > 0).astype(np.int8), 41))
    hypotheses = getattr(model.ensemble_, "rules", None) or model.ensemble_.trees
    for t, hypothesis in enumerate(hypotheses):
        assert np.array_equal(view.level_counts(), diagnosis.level_counts(t))
        weights = measure.weights(t, 41, view.level_counts)
        if hasattr(hypothesis, "splits"):
            votes = hypothesis.leaf_votes
            masses = view.leaf_masses(weights, hypothesis.splits)[:, :, : ends[1]].sum(axis=2).T
        else:
            votes = hypothesis.votes
            masses = view.masses(weights)[:, ends[hypothesis.column] : ends[hypothesis.column + 1]]
        first, second = masses
        edge = ((second - first) * votes).sum() / (first + second).sum()
        assert advantages[t] == pytest.approx(edge / 2, abs=1e-12)
        view.advance(hypothesis)
    assert np.array_equal(view.level_counts(), diagnosis.level_counts())
    assert np.ptp(advantages) > 0.01


def pythia(margins, density):
    """Algorithm 8, line by line."""
    n = len(margins)
    bad, theta = {i for i in range(n) if margins[i] < 0}, 0.0
    others = sorted(set(range(n)) - bad, key=lambda i: (margins[i], i))
    while len(bad) < density * n:
        i = others.pop(0)
        bad.add(i)
        theta = margins[i]
    return sorted(bad), theta


@pytest.mark.parametrize("density", [0.01, 0.25, 0.5, 0.99])
def test_the_bad_set_is_pythias(fitted, density):
    model, _, X, y = fitted
    diagnosis = diagnose(model, PublicTable(X, y, public=True))
    bad = diagnosis.bad_set(density)
    records, theta = pythia(diagnosis.margins(), density)
    assert bad.records.tolist() == records
    assert bad.margin == theta
    outside = np.setdiff1d(np.arange(len(y)), bad.records)
    assert (diagnosis.margins()[outside] >= bad.margin).all()


def test_a_share_is_taken_as_it_is_written(fitted):
    model, _, X, _ = fitted
    right = model.predict(X[:30])  # no mistakes: the labels are the model's own
    bad = diagnose(model, PublicTable(X[:30], right, public=True)).bad_set(0.1)
    assert len(bad.records) == 3  # in floats 0.1 * 30 is above 3


def test_a_run_of_the_papers_measure_keeps_its_promise():
    """Lemma 39: the mean margin of the worst kappa n records, from the least advantage seen."""
    X, y = people(400)
    with seeded_noise(3):
        model = BoostedRulesClassifier(5.0, 1e-6, SCHEMA, rounds=201, **OPTIONS["lazy-bregman"]).fit(X, y)
    diagnosis = diagnose(model, PublicTable(X, y, public=True))
    advantages = diagnosis.advantages(LazyBregman(0.05, 0.2, len(y)))
    worst = np.sort(diagnosis.margins())[: math.floor(0.2 * len(y))]
    regret = 2 * 0.4 - guaranteed_margin(201, 0.05, 0.4, 0.2)
    assert worst.mean() >= 2 * advantages.mean() - regret
    assert worst.mean() < 2 * advantages.mean()


def test_records_without_a_known_label_are_left_out(fitted):
    model, _, X, y = fitted
    labels = np.array(y, dtype=object)
    labels[::5] = "neither"
    diagnosis = diagnose(model, PublicTable(X, labels, public=True))
    assert diagnosis.n_records == 320
    assert diagnosis.level_counts().sum() == 320
    assert not np.isin(np.arange(0, 400, 5), diagnosis.bad_set(0.9).records).any()
    with pytest.raises(InputError, match="no record with a label"):
        diagnose(model, PublicTable(X, ["neither"] * 400, public=True))


def test_a_loaded_model_is_diagnosed_the_same(fitted, tmp_path):
    model, measure, X, y = fitted
    model.save(tmp_path / "model.json")
    table = PublicTable(X, y, public=True)
    before, after = (diagnose(m, table) for m in (model, load_model(tmp_path / "model.json")))
    assert np.array_equal(before.advantages(measure), after.advantages(measure))


@pytest.mark.parametrize("declared", [False, None, 1, "yes", np.True_])
def test_public_has_to_be_written_out(declared):
    with pytest.raises(OptionError, match="needs public=True"):
        PublicTable([[1]], [0], public=declared)


def test_public_has_no_default_and_no_position():
    with pytest.raises(TypeError):
        PublicTable([[1]], [0])
    with pytest.raises(TypeError):
        PublicTable([[1]], [0], True)


def test_no_other_table_gets_in(fitted):
    model, _, X, y = fitted
    for table in (X, (X, y), pd.DataFrame(X), {"X": X, "y": y, "public": True}):
        with pytest.raises(OptionError, match="and nothing else"):
            diagnose(model, table)


def test_nothing_of_a_record_is_shown(fitted):
    _, _, X, y = fitted
    assert repr(PublicTable(X, y, public=True)) == "PublicTable(public=True)"


def test_numbers_out_of_range_are_refused(fitted):
    model, _, X, y = fitted
    diagnosis = diagnose(model, PublicTable(X, y, public=True))
    with pytest.raises(OptionError, match="rounds"):
        diagnosis.level_counts(42)
    with pytest.raises(OptionError, match="density"):
        diagnosis.bad_set(1.0)
