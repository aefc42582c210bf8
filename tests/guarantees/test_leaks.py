"""Nothing that a fit leaves behind shows a cell: errors, logs, warnings, prints, files, pickles."""

import io
import json
import logging
import pickle
import re
import traceback
import warnings

import numpy as np
import pandas as pd
import pytest

from discreet import BoostedRulesClassifier, DiscreetError
from tests.tables import SCHEMA, people

SECRETS = [f"zq{i}secret" for i in range(100)] + [str(9_173_000_000 + 13 * i) for i in range(100)]
FOUND = re.compile("|".join(SECRETS))


def planted(n=400):
    """A table in which 200 cells hold secrets, in columns and labels, in and out of place."""
    df, y = people(n)
    df = df.astype(object)
    y = y.astype(object)
    words, numbers = SECRETS[:100], [int(secret) for secret in SECRETS[100:]]
    df.loc[:49, "age"] = words[:50]
    df.loc[50:149, "age"] = numbers
    df.loc[150:169, "sex"] = words[50:70]
    df.loc[170:189, "smoker"] = words[70:90]
    y.loc[190:199] = words[90:]
    return df, y


def everything(model, df, path):
    """All that an owner could hand out, as text."""
    model.save(path)
    attributes = {name: value for name, value in vars(model).items() if name != "schema"}
    return "\n".join(
        [
            path.read_text(),
            repr(model),
            repr(attributes),
            str(model.plan_),
            str(model.privacy_),
            model.scorecard().to_csv(),
            repr(pickle.dumps(model)),
        ]
    )


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_a_fit_leaves_no_cell_behind(adjacency, tmp_path, caplog, capsys):
    df, y = planted()
    with warnings.catch_warnings(record=True) as caught, caplog.at_level(logging.DEBUG):
        warnings.simplefilter("always")
        model = BoostedRulesClassifier(schema=SCHEMA, adjacency=adjacency, rounds=8, progress=True).fit(df, y)
        model.predict_proba(df)
    printed = capsys.readouterr()
    left = everything(model, df, tmp_path / "model.json") + caplog.text + printed.out + printed.err
    left += "".join(str(warning.message) for warning in caught)
    assert "rounds" in printed.err
    assert "fit: 8 rounds, epsilon = 1" in caplog.text
    assert not FOUND.search(left)


def breakages():
    """(name, what goes wrong) with the planted table; every one must fail, and quietly."""
    df, y = planted()
    fit = BoostedRulesClassifier(schema=SCHEMA).fit
    wrong = BoostedRulesClassifier(schema=SCHEMA, rounds=3).fit(*people(50))
    yield "labels too short", lambda: fit(df, y[:10])
    yield "no labels", lambda: fit(df, None)
    yield "labels of two columns", lambda: fit(df, df[["age", "sex"]])
    yield "column missing", lambda: fit(df[["age"]], y)
    yield "columns twice", lambda: fit(pd.concat([df, df], axis=1), y)
    yield "one-dimensional", lambda: fit(df["age"].to_numpy(), y)
    yield "ragged list", lambda: fit([[1, 2, "zq1secret"], ["zq2secret"]], y)
    yield "not a table", lambda: fit("zq3secret", y)
    yield "dictionary", lambda: fit({"age": ["zq4secret"]}, y)
    yield "dates", lambda: fit(df.assign(age=pd.Timestamp("2001-02-03")), y)
    yield "lists in cells", lambda: fit(df.assign(age=0).to_numpy()[:, :2], y)
    yield "weights", lambda: fit(df, y, sample_weight=df["age"])
    yield "predict on too few columns", lambda: wrong.predict(df[["sex"]])
    yield "predict on an array of another width", lambda: wrong.predict(df.to_numpy()[:, :2])


BREAKAGES = dict(breakages())


@pytest.mark.parametrize("name", BREAKAGES)
def test_no_error_shows_a_cell(name):
    log = io.StringIO()
    with pytest.raises(DiscreetError) as caught:
        BREAKAGES[name]()
    traceback.print_exception(caught.value, file=log)
    # The source lines of this test are part of a traceback; the planted words in them are not a leak.
    shown = "\n".join(line for line in log.getvalue().splitlines() if not line.strip().startswith("yield"))
    assert not FOUND.search(shown), name
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__


def numbers_in(value):
    if isinstance(value, dict):
        for part in value.values():
            yield from numbers_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers_in(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def test_a_model_file_holds_no_count(tmp_path):
    """347 records, 123 of them positive, 89 under 30: none of these numbers is in the file."""
    n, positive, young = 347, 123, 89
    rng = np.random.default_rng(0)
    df = pd.DataFrame(
        {"age": np.where(np.arange(n) < young, 20, 60), "sex": rng.choice(["Female", "Male"], n)}
    ).assign(smoker=False)
    y = np.where(np.arange(n) < positive, ">50K", "<=50K")
    model = BoostedRulesClassifier(schema=SCHEMA, rounds=30).fit(df, y)
    model.save(tmp_path / "model.json")
    contents = json.loads((tmp_path / "model.json").read_text())
    private = {n, positive, n - positive, young, n - young, int((df.sex == "Male").sum())}
    assert private.isdisjoint(numbers_in(contents))
    assert not any(re.search(rf"\b{count}\b", str(model.scorecard())) for count in private)


def test_neighbours_take_the_same_path_whatever_the_odd_cell():
    """One odd cell or label anywhere changes no error, no warning, no plan."""
    df, y = people(40)
    model = BoostedRulesClassifier(schema=SCHEMA, rounds=2)
    plain = str(model.fit(df, y).plan_)
    odd_values = [
        None,
        float("nan"),
        float("inf"),
        -0.0,
        1e308,
        "",
        "zq1secret",
        b"x",
        [1],
        {"a": 1},
        object(),
    ]
    for column in (*df.columns, None):
        for odd in odd_values:
            table, labels = df.astype(object), y.astype(object)
            if column is None:
                labels[7] = odd
            else:
                table.at[7, column] = odd
            assert str(model.fit(table, labels).plan_) == plain
