"""SeparatorClassifier and the made-up records that tell all rules apart."""

import numpy as np
import pytest
from sklearn.base import clone

from discreet import Boolean, Categorical, Ledger, Numeric, Schema, SeparatorClassifier
from discreet.boosting.literals import literals_of
from discreet.datasets import load_adult
from discreet.errors import BudgetExceeded, OptionError, PlanError, SchemaError
from discreet.estimators import separator
from discreet.semiprivate.identification import identification_set
from discreet.semiprivate.oracles.exact import holds
from discreet.testing import seeded_noise
from tests.tables import SCHEMA, people

SCHEMAS = [
    SCHEMA,
    Schema({"b": Boolean()}),
    Schema({"a": Boolean(missing=True), "b": Boolean(missing=True), "c": Boolean()}),
    Schema({"c": Categorical([*range(60)]), "d": Categorical([*range(61)], missing=True)}),
    Schema({f"x{i}": Numeric(0, 1, bins=9, missing=bool(i % 2)) for i in range(12)}),
    Schema({"n": Numeric(0, 1, bins=200), "m": Boolean()}),
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_labels_of_the_points_determine_a_rule(schema):
    """Two rules that agree on the points agree on every code of every column."""
    points = identification_set(schema)
    literals = literals_of(schema)
    held = holds(literals, points)
    seen = {}
    for sign in (True, False):
        for literal, row in zip(literals, held, strict=True):
            n = points.n_codes[literal.column]
            codes = tuple((literal.first <= code <= literal.last) == sign for code in range(n))
            function = codes[0] if len(set(codes)) == 1 else (literal.column, codes)
            assert seen.setdefault((row == sign).tobytes(), function) == function
    assert points.values.shape[1] <= 2 * max(points.n_codes) + 10
    assert (points.values < np.array(points.n_codes)[:, None]).all()


@pytest.mark.slow
def test_points_of_adult():
    assert identification_set(load_adult().schema).values.shape[1] <= 20


def test_the_best_rule_is_found():
    X, y = people(20_000)
    y = np.where(X["age"] > 50, ">50K", "<=50K")
    with seeded_noise(0):
        model = SeparatorClassifier(4.0, SCHEMA).fit(X, y)
    assert model.rule_.column == 0
    assert (model.predict(X) == y).mean() > 0.95
    assert model.n_features_in_ == 3
    assert model.plan_.points == identification_set(SCHEMA).values.shape[1]
    assert clone(model).get_params()["epsilon"] == 4.0


def test_the_guarantee():
    model = SeparatorClassifier(0.5, SCHEMA, adjacency="add-remove").fit(*people(300))
    assert model.privacy_.holds
    assert model.privacy_.delta == 0
    assert model.privacy_.epsilon <= 0.5
    assert model.plan_.n_records is None
    assert "private" in str(model.plan())


def test_what_makes_no_sense_is_refused():
    with pytest.raises(PlanError, match="tests"):
        SeparatorClassifier(schema=Schema({"n": Numeric(0, 1, bins=500)})).plan(10)
    with pytest.raises(SchemaError, match="Schema"):
        SeparatorClassifier(schema=Boolean()).plan(10)
    with pytest.raises(OptionError, match="add-remove"):
        SeparatorClassifier(schema=SCHEMA, adjacency="add-remove").plan(10)
    with pytest.raises(OptionError, match="epsilon"):
        SeparatorClassifier(-1, SCHEMA).fit(*people(10))


def test_a_ledger_pays_before_a_record_is_read(tmp_path, monkeypatch):
    ledger = Ledger(tmp_path / "ledger.db")
    ledger.open_account("a", epsilon=1.5, delta=0.0)
    model = SeparatorClassifier(1.0, SCHEMA, ledger=ledger, account="a")
    assert model.fit(*people(100)).privacy_.account == "a"
    monkeypatch.setattr(separator, "encode", lambda *_: pytest.fail("a record was read"))
    with pytest.raises(BudgetExceeded):
        model.fit(*people(100))
