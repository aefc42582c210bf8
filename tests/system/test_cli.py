"""The command line, as a person types it and as a program reads it."""

import inspect
import json
import os
import pty
import re
import subprocess
import sys
import termios

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import discreet
from discreet.cli import app
from tests.tables import people

SECRET = "zq7secret"

FILLED = """
[target]
name = "income"
classes = ["<=50K", ">50K"]

[columns]
age = {kind = "numeric", low = 17, high = 90, bins = 20}
sex = {kind = "categorical", values = ["Female", "Male"]}
smoker = {kind = "boolean"}
"""


def run(*words):
    return CliRunner(env={"COLUMNS": "80"}).invoke(app, [str(word) for word in words])


def fails(code, *words):
    """Run a command that must end in this code, quietly: two lines, and one JSON object if asked."""
    told = run(*words)
    assert told.exit_code == code, told.output
    assert told.stdout == ""
    wrong, remedy = told.stderr.splitlines()
    assert wrong.startswith("error: ")
    assert remedy.startswith("try:   ")
    machine = run(*words, "--json")
    error = json.loads(machine.stderr)["error"]
    assert (machine.exit_code, machine.stdout, error["exit_code"]) == (code, "", code)
    assert wrong == f"error: {error['what']}"
    assert remedy == f"try:   {error['remedy']}"
    assert SECRET not in told.output + machine.output
    return error


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A directory with people.csv, people.parquet and a schema; commands run in it."""
    monkeypatch.chdir(tmp_path)
    df, y = people(600)
    df = df.assign(income=y)
    df.insert(0, "name", [f"{SECRET} {i}" for i in range(len(df))])
    df.to_csv("people.csv", index=False)
    df.to_parquet("people.parquet")
    (tmp_path / "schema.toml").write_text(FILLED)
    return tmp_path


@pytest.fixture
def model(folder):
    fitted = run("fit", "people.csv", "--schema", "schema.toml", "--epsilon", 2, "--out", "model.json")
    assert fitted.exit_code == 0, fitted.output
    return folder / "model.json"


def fill_in(template):
    """Do what the comments of the template ask for."""
    facts = {
        "age": '{kind = "numeric", low = 17, high = 90, bins = 20}',
        "sex": '{kind = "categorical", values = ["Female", "Male"]}',
        "smoker": '{kind = "boolean"}',
    }
    text = template.replace('name = "" ', 'name = "income"').replace(
        "classes = [] ", 'classes = ["<=50K", ">50K"]'
    )
    text = re.sub(r'^(name|income) = \{kind = ""\}\n', "", text, flags=re.M)
    return re.sub(r'^(\w+) = \{kind = ""\}$', lambda line: f"{line[1]} = {facts[line[1]]}", text, flags=re.M)


def journey(call, folder):
    """CSV -> template -> check -> fit -> show -> predict, by whatever runs a command."""
    assert "5 columns" in call("schema", "template", "people.csv", "--out", "mine.toml")
    (folder / "mine.toml").write_text(fill_in((folder / "mine.toml").read_text()))
    checked = call("schema", "check", "mine.toml")
    assert "mine.toml is valid: 3 columns, 22 tests" in checked
    assert re.search(r"age +numeric +19\n", checked)
    fitted = call("fit", "people.csv", "--schema", "mine.toml", "--epsilon", "2", "--out", "mine.json")
    assert "epsilon = 2, delta = 1e-06" in fitted
    assert "mine.json" in fitted
    shown = call("show", "mine.json")
    assert "epsilon = 2" in shown
    assert re.search(r"[+-]\d+  smoker = True", shown)
    assert "█" in shown
    assert max(map(len, shown.splitlines())) <= 90
    said = call("predict", "mine.json", "people.csv", "--out", "predictions.csv")
    assert "600 predictions went to predictions.csv" in said

    fitted_model = discreet.load_model("mine.json")
    table = pd.read_csv("people.csv")
    # Python's float, because the oldest pandas claimed is off by a last digit unless it is told otherwise.
    predicted = pd.read_csv("predictions.csv", converters={"positive_probability": float})
    assert list(predicted.columns) == ["predicted_class", "positive_probability"]
    np.testing.assert_array_equal(predicted.predicted_class, fitted_model.predict(table))
    np.testing.assert_array_equal(predicted.positive_probability, fitted_model.predict_proba(table)[:, 1])
    assert SECRET not in checked + fitted + shown + said + (folder / "predictions.csv").read_text()


def test_the_whole_way(folder):
    def call(*words):
        told = run(*words)
        assert (told.exit_code, told.stderr) == (0, "")
        return told.stdout

    journey(call, folder)


def test_the_whole_way_in_processes_of_its_own(folder):
    def call(*words):
        told = subprocess.run([sys.executable, "-m", "discreet", *words], capture_output=True, check=True)
        assert told.stderr == b""
        return told.stdout.decode()

    journey(call, folder)


def test_parquet_gives_the_predictions_of_the_csv(model):
    for kind in ("csv", "parquet"):
        assert run("predict", model, f"people.{kind}", "--out", f"{kind}.csv").exit_code == 0
    assert (model.parent / "csv.csv").read_bytes() == (model.parent / "parquet.csv").read_bytes()
    fitted = run("fit", "people.parquet", "--schema", "schema.toml", "--epsilon", 1, "--out", "other.json")
    assert fitted.exit_code == 0
    assert json.loads(run("schema", "template", "people.parquet", "--json").stdout)["columns"] == [
        *("name", "age", "sex", "smoker", "income")
    ]


def test_without_pyarrow_parquet_is_refused_politely(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    error = fails(2, "predict", model, "people.parquet", "--out", "p.csv")
    assert error["remedy"] == 'pip install "discreet[parquet]"'


def test_programs_read_json(folder):
    options = ("--schema", "schema.toml", "--epsilon", 1, "--delta", 0, "--rounds", 5)
    told = run("fit", "people.csv", *options, "--adjacency", "add-remove", "--out", "m.json", "--json")
    fitted = json.loads(told.stdout)
    assert (fitted["model"], fitted["rounds"]) == ("m.json", 5)
    assert fitted["guarantee"]["adjacency"] == "add-remove"
    assert fitted["guarantee"]["delta"] == 0
    assert fitted["guarantee"]["holds"]
    assert "600" not in told.stdout
    shown = json.loads(run("show", "m.json", "--json").stdout)
    assert shown["privacy"] == fitted["guarantee"]
    assert (shown["target"], shown["positive_class"]) == ("income", ">50K")
    assert shown["scorecard"] == discreet.load_model("m.json").scorecard().to_dict("records")
    checked = json.loads(run("schema", "check", "schema.toml", "--json").stdout)
    assert checked["tests"] == 22
    assert checked["columns"][1] == {"column": "sex", "kind": "categorical", "tests": 2}
    predicted = json.loads(run("predict", "m.json", "people.csv", "--out", "p.csv", "--json").stdout)
    assert predicted == {"predictions": "p.csv", "records": 600, "positive_class": ">50K"}


def test_trees_are_fitted_shown_and_used(folder):
    fitted = run(*fit_words(out="trees.json"), "--learner", "trees", "--rounds", 5)
    assert fitted.exit_code == 0, fitted.output
    # 22 tests and the constant, with their negations.
    assert "Released: 5 trees, each test chosen among 46. The model went to trees.json" in fitted.output
    shown = run("show", "trees.json").stdout
    model = discreet.load_model("trees.json")
    assert model.drawn() in shown
    assert shown.count("tree ") >= 5
    assert "each tree votes once on a record; a vote multiplies the odds by" in shown
    told = json.loads(run("show", "trees.json", "--json").stdout)
    assert told["scorecard"] == model.scorecard().to_dict("records")
    assert run("predict", "trees.json", "people.csv", "--out", "p.csv").exit_code == 0
    error = fails(2, *fit_words(), "--learner", "oracle")
    assert "rules, trees" in error["what"]


def fit_words(data="people.csv", schema="schema.toml", epsilon=1, out="new.json", *more):
    return ("fit", data, "--schema", schema, "--epsilon", epsilon, "--out", out, *more)


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        (2, "UsageError", ("fot",)),
        (2, "UsageError", ("fit", "people.csv", "--epsilon", "1", "--out", "m.json")),
        (2, "UsageError", fit_words(epsilon="much")),
        (2, "OptionError", fit_words(epsilon=0)),
        (2, "OptionError", fit_words(epsilon="nan")),
        (2, "OptionError", (*fit_words(), "--delta", "1")),
        (2, "OptionError", (*fit_words(), "--rounds", "0")),
        (2, "OptionError", (*fit_words(), "--learner", "oracle")),
        (2, "OptionError", (*fit_words(), "--adjacency", "near")),
        (2, "OptionError", fit_words(out="no/such/directory/m.json")),
        (2, "OptionError", fit_words(out=".")),
        (2, "OptionError", fit_words(out="pipe")),
        (2, "OptionError", fit_words(out="n" * 300)),
        (2, "OptionError", ("schema", "template", "people.csv", "--force")),
        (3, "InputError", fit_words(data="absent.csv")),
        (3, "InputError", fit_words(data="absent.parquet")),
        (3, "InputError", fit_words(data="schema.toml")),
        (3, "InputError", fit_words(data="schema.csv")),
        (3, "InputError", fit_words(data="schema.parquet")),
        (3, "SchemaError", fit_words(schema="people.csv")),
        (3, "SchemaError", fit_words(schema="absent.toml")),
        (3, "SchemaError", fit_words(schema="no_target.toml")),
        (3, "SchemaError", ("schema", "check", "people.csv")),
        (4, "PlanError", (*fit_words(epsilon=1e-15), "--delta", "0", "--rounds", "9000")),
        (5, "ModelFileError", ("show", "people.csv")),
        (5, "ModelFileError", ("show", "absent.json")),
        (5, "ModelFileError", ("predict", "schema.toml", "people.csv", "--out", "p.csv")),
    ],
)
def test_errors_say_what_is_wrong_and_what_to_do(folder, code, kind, words):
    for suffix in ("csv", "parquet"):
        (folder / f"schema.{suffix}").write_text(FILLED)
    os.mkfifo(folder / "pipe")
    (folder / "no_target.toml").write_text('columns.age = {kind = "boolean"}')
    assert fails(code, *words)["kind"] == kind
    assert not (folder / "new.json").exists()


def test_a_group_of_commands_is_no_command():
    told = run("schema")
    assert (told.exit_code, told.stderr) == (2, "error: Missing command.\ntry:   discreet schema --help\n")
    assert run().stdout == run("--help").stdout


def test_nothing_is_overwritten_by_accident(model):
    before = model.read_bytes()
    assert "exists already" in fails(2, *fit_words(out=model))["what"]
    assert model.read_bytes() == before
    assert run(*fit_words(out=model), "--force").exit_code == 0
    assert model.read_bytes() != before
    for words in (
        ("predict", model, "people.csv", "--out", "people.csv", "--force"),
        ("predict", model, "people.csv", "--out", f"../{model.parent.name}/model.json", "--force"),
        ("schema", "template", "people.csv", "--out", "people.csv", "--force"),
        fit_words("people.csv", "schema.toml", 1, "schema.toml", "--force"),
    ):
        assert "is an input" in fails(2, *words)["what"]
    assert run("predict", model, "people.csv", "--out", "p.csv").exit_code == 0
    fails(2, "predict", model, "people.csv", "--out", "p.csv")
    assert run("predict", model, "people.csv", "--out", "p.csv", "--force").exit_code == 0


def test_an_unexpected_error_shows_its_kind_only(model, monkeypatch):
    def broken(*_):
        raise RuntimeError(SECRET)

    monkeypatch.setattr("discreet.cli.predict.read_table", broken)
    error = fails(1, "predict", model, "people.csv", "--out", "p.csv")
    assert error["kind"] == "InternalError"
    assert "RuntimeError" in error["what"]
    monkeypatch.setenv("DISCREET_DEBUG", "1")
    told = run("predict", model, "people.csv", "--out", "p.csv")
    assert f"RuntimeError: {SECRET}" in told.stderr


def test_an_interrupted_command_writes_nothing(model, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("discreet.cli.predict.read_table", interrupted)
    told = run("predict", model, "people.csv", "--out", "p.csv")
    assert (told.exit_code, told.stdout) == (130, "")
    assert "Traceback" not in told.stderr
    assert not (model.parent / "p.csv").exists()


def test_a_hostile_model_file_does_not_drive_the_terminal(folder):
    schema = FILLED.replace("age =", '"a\\u001b[2Jge\\n" =').replace("people", "p")
    (folder / "schema.toml").write_text(schema)
    table = pd.read_csv("people.csv").rename(columns={"age": "a\x1b[2Jge\n"})
    table.to_parquet("odd.parquet")
    for words in (
        fit_words("odd.parquet", out="odd.json"),
        ("show", "odd.json"),
        ("schema", "check", "schema.toml"),
    ):
        told = run(*words)
        assert told.exit_code == 0
        assert "\x1b" not in told.output


def test_a_narrow_code_page_is_no_reason_to_fail(model):
    told = subprocess.run(
        [sys.executable, "-m", "discreet", "show", model],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert b" | ##" in told.stdout or b"# |" in told.stdout


def test_the_progress_bar_is_for_terminals(folder):
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    words = [str(word) for word in fit_words()]
    subprocess.run(
        [sys.executable, "-m", "discreet", *words], stderr=slave, stdout=subprocess.PIPE, check=True
    )
    os.close(slave)
    assert b"rounds" in os.read(master, 65536)
    os.close(master)


def test_defaults_are_those_of_the_estimator():
    from discreet.cli.fit import fit

    command = inspect.signature(fit).parameters
    estimator = inspect.signature(discreet.BoostedRulesClassifier).parameters
    for option in ("delta", "adjacency"):
        assert command[option].default == estimator[option].default


def test_options_are_checked_before_the_table_is_opened(folder, monkeypatch):
    from discreet.cli import fit as fitting

    opened = []
    monkeypatch.setattr(fitting, "read_table", lambda *_: opened.append(1))
    fails(2, *fit_words(epsilon=-1))
    assert opened == []


def test_a_tie_goes_to_the_first_class(folder):
    """With two rounds half of the models end in ties; the file says what the estimator says."""
    model = discreet.BoostedRulesClassifier(
        schema=discreet.Schema.from_toml(folder / "schema.toml"), rounds=2
    )
    table = pd.read_csv(folder / "people.csv")
    ties = 0
    for _ in range(60):
        model.fit(table, table["income"]).save(folder / "even.json")
        run("predict", "even.json", "people.csv", "--out", "even.csv", "--force")
        told = pd.read_csv(folder / "even.csv")["predicted_class"]
        assert told.tolist() == model.predict(table).tolist()
        ties += int((model.decision_function(table) == 0).sum())
        if ties:
            return
    raise AssertionError("no model had a tie")


def test_an_output_that_is_full_is_no_defect(folder):
    fit_and_show = [sys.executable, "-m", "discreet", "schema", "check", "schema.toml"]
    with open("/dev/full", "w") as full:
        told = subprocess.run(fit_and_show, cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (told.returncode, "cannot be written" in told.stderr) == (2, True)


def test_a_halfspace_goes_the_whole_way(folder):
    asked = ("fit", "people.csv", "--schema", "schema.toml", "--epsilon", 5, "--learner", "halfspace")
    fitted = run(*asked, "--out", "model.json")
    assert fitted.exit_code == 0, fitted.output
    assert "directions of 5 coefficients each" in fitted.output
    shown = run("show", "model.json")
    assert "log odds" in shown.output
    assert "coefficient  test" in shown.output
    assert "smoker = True" in shown.output
    told = json.loads(run("show", "model.json", "--json").stdout)
    assert {line["test"] for line in told["scorecard"]} >= {"= True", "always"}
    assert run("predict", "model.json", "people.csv", "--out", "out.csv").exit_code == 0
    assert len(pd.read_csv("out.csv")) == 600
    assert fails(4, *asked, "--delta", 0, "--out", "pure.json")["what"].startswith("a vector")
