"""Nothing that a fit leaves behind shows a cell: errors, logs, warnings, prints, files, pickles."""

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

from discreet import BoostedRulesClassifier, DiscreetError, PublicLabelClassifier
from discreet.cli import app
from discreet.testing import seeded_noise
from tests.harness.artefacts import student_artefacts_of
from tests.harness.canaries import (
    SECRETS,
    counted,
    figures_in,
    left_by_a_fit,
    left_by_an_error,
    planted,
    secrets_in,
)
from tests.tables import SCHEMA, people

EVERY_WAY = [
    {"adjacency": adjacency, "delta": delta, "reweighting": reweighting}
    for adjacency in ("replace", "add-remove")
    for delta in (0, 1e-6)
    for reweighting in ("madaboost", "lazy-bregman")
    if (adjacency, reweighting) != ("add-remove", "lazy-bregman")
]
every_way = pytest.mark.parametrize(
    "options", EVERY_WAY, ids=lambda options: ", ".join(map(str, options.values()))
)


def test_there_are_200_secrets_and_the_search_finds_them():
    df, y = planted()
    table = df.assign(income=y).to_csv()
    assert len(secrets_in(table)) == len(SECRETS) == 200


@every_way
def test_a_fit_leaves_no_cell_behind(options, report):
    left = left_by_a_fit(*planted(), rounds=8, **options)
    assert "rounds: 100%" in left
    assert "fit: 8 rounds, epsilon = 1" in left
    report(
        f"canaries: fit, {options['adjacency']}, {options['reweighting']}",
        "200 secrets",
        f"{len(left):,} letters",
    )
    assert secrets_in(left) == set()


@every_way
def test_a_fit_shows_no_exact_count_and_no_extreme(options, report):
    """With seeded noise: a draw may show any figure by chance."""
    df, y, figures = counted()
    with seeded_noise(0):
        left = left_by_a_fit(df, y, rounds=30, **options)
    if options["adjacency"] == "add-remove":
        figures |= {str(len(df)), f"{len(df):,}"}
    report(
        f"canaries: figures, {options['adjacency']}, {options['reweighting']}",
        f"{len(figures)} figures",
        "none",
    )
    assert figures_in(left, figures) == set()


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
    error, shown = left_by_an_error(BREAKAGES[name])
    assert isinstance(error, DiscreetError)
    assert secrets_in(shown) == set()
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__


def test_the_search_of_an_error_sees_what_it_is_chained_to():
    def chained():
        try:
            int("zq5secret")
        except ValueError as error:
            raise DiscreetError("quiet") from error

    assert secrets_in(left_by_an_error(chained)[1]) == {"zq5secret"}


def test_the_command_line_leaves_no_cell_behind(tmp_path, monkeypatch, report):
    """From a planted CSV to predictions, past a damaged copy; every output, every file but the CSV."""
    monkeypatch.chdir(tmp_path)
    df, y = planted()
    df.assign(income=y).to_csv("people.csv", index=False)
    (tmp_path / "damaged.csv").write_bytes((tmp_path / "people.csv").read_bytes() + b'"zq6secret,1\n')
    SCHEMA.to_toml("schema.toml")
    fit = ("--schema", "schema.toml", "--epsilon", "1", "--rounds", "5", "--out")
    told = ""
    for words, code in (
        (("schema", "template", "people.csv", "--out", "blank.toml"), 0),
        (("fit", "people.csv", *fit, "model.json"), 0),
        (("fit", "damaged.csv", *fit, "other.json"), 3),
        (("fit", "people.csv", *fit[:1], "people.csv", *fit[2:], "other.json"), 3),
        (("show", "model.json"), 0),
        (("show", "people.csv"), 5),
        (("predict", "model.json", "people.csv", "--out", "predictions.csv"), 0),
        (("predict", "model.json", "damaged.csv", "--out", "more.csv"), 3),
    ):
        for more in ((), ("--json",)):
            forced = ("--force",) if code == 0 and "--out" in words else ()
            result = CliRunner().invoke(app, [*words, *forced, *more])
            assert result.exit_code == code, result.output
            told += result.output
    written = [path for path in tmp_path.iterdir() if path.name not in ("people.csv", "damaged.csv")]
    assert len(written) == 4
    told += "".join(path.read_text() for path in written)
    report("canaries: command line", "200 secrets", f"{len(told):,} letters")
    assert secrets_in(told) == set()


def numbers_in(value):
    if isinstance(value, dict):
        for part in value.values():
            yield from numbers_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers_in(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def test_a_model_file_holds_no_number_of_records(tmp_path):
    """Public under replace, but a file has no use for it."""
    df, y, _ = counted()
    model = BoostedRulesClassifier(schema=SCHEMA, rounds=30).fit(df, y)
    model.save(tmp_path / "model.json")
    assert len(df) not in set(numbers_in(json.loads((tmp_path / "model.json").read_text())))


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


def left_by_public_labels(df, y, **options):
    """Public records are other people; all that the owner of the model could hand out."""
    model = PublicLabelClassifier(schema=SCHEMA, **options)
    artefacts = student_artefacts_of(model, df, y, people(200, seed=9)[0])
    return "\n".join(f"{name}: {content.decode('latin-1')}" for name, content in artefacts)


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_public_labels_leave_no_cell_and_no_figure_behind(adjacency, report):
    left = left_by_public_labels(*planted(), adjacency=adjacency)
    assert secrets_in(left) == set()
    df, y, figures = counted()
    with seeded_noise(0):
        left = left_by_public_labels(df, y, adjacency=adjacency)
    if adjacency == "add-remove":
        figures |= {str(len(df)), f"{len(df):,}"}
    report(f"canaries: public labels, {adjacency}", "200 secrets", f"{len(left):,} letters")
    assert figures_in(left, figures) == set()


@pytest.mark.parametrize(
    "broken",
    [
        lambda df, y, public: (df, y[:10], public),
        lambda df, y, public: (df[["age"]], y, public),
        lambda df, y, public: (df, df[["age", "sex"]], public),
        lambda df, y, public: (df, y, df["age"].to_numpy()),
        lambda df, y, public: (df, y, df[["age"]]),
    ],
)
def test_no_error_of_public_labels_shows_a_cell(broken):
    X, y, public = broken(*planted(), people(50)[0])
    error, shown = left_by_an_error(lambda: PublicLabelClassifier(schema=SCHEMA).fit(X, y, public=public))
    assert isinstance(error, DiscreetError)
    assert secrets_in(shown) == set()
