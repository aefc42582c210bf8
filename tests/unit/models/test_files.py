"""Model files: round trip, and strictness."""

import json
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import BoostedRulesClassifier, Numeric
from discreet.errors import ModelFileError
from discreet.models.files import _checksum
from tests.tables import SCHEMA, people

DF, Y = people(200)
MODEL = BoostedRulesClassifier(schema=SCHEMA, rounds=12).fit(DF, Y)


@pytest.fixture
def saved(tmp_path):
    MODEL.save(tmp_path / "model.json")
    return tmp_path / "model.json"


def rewrite(path, change):
    """Edit the contents and mend the checksum, as a determined person would."""
    envelope = json.loads(path.read_text())
    change(envelope["model"])
    envelope["checksum"] = _checksum(envelope["model"])
    path.write_text(json.dumps(envelope))


def test_reformatting_a_file_is_no_damage(saved):
    saved.write_text(json.dumps(json.loads(saved.read_text()), separators=(",", ":")))
    assert discreet.load_model(saved).scorecard().equals(MODEL.scorecard())


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_changed_character_is_found(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("damage") / "model.json"
    MODEL.save(path)
    text = path.read_text()
    at = data.draw(st.sampled_from([i for i, c in enumerate(text) if not c.isspace()]))
    other = data.draw(st.sampled_from('0123456789abcxyz{}[]:,"-').filter(lambda c: c != text[at]))
    path.write_text(text[:at] + other + text[at + 1 :])
    try:
        loaded = discreet.load_model(path)
    except ModelFileError:
        return
    # A change that leaves the same JSON value ("1e-6" for "1e-06") is none.
    assert json.loads(path.read_text())["model"] == json.loads(text)["model"]
    assert loaded.scorecard().equals(MODEL.scorecard())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.update(version=2), "file version 2"),
        (lambda m: m.update(extra=1), "a field too many"),
        (lambda m: m.pop("privacy"), "a field too many"),
        (lambda m: m.update(format="other"), "a field too many"),
        (lambda m: m.update(estimator="Somebody"), "does not know"),
        (lambda m: m.update(learning_rate=-1), "a field too many"),
        (lambda m: m.update(rules=[]), "a field too many"),
        (lambda m: m["privacy"].update(epsilon=-5), "a field too many"),
        (lambda m: m["privacy"].update(reason="seeded noise"), "a field too many"),
        (lambda m: m["privacy"].update(rho=None), "a field too many"),
        (lambda m: m["privacy"].update(adjacency="add-remove"), "a field too many"),
        (lambda m: m["rules"][0].update(column="height"), "its schema offers"),
        (lambda m: m["rules"][0].update(column="age", test="<=", value=17.123), "its schema offers"),
        (lambda m: m["rules"][0].update(vote=2), "a field too many"),
        (lambda m: m["schema"].update(columns={}), "schema is not valid"),
        (lambda m: m["parameters"].update(expected_records=-1), "parameters are not valid"),
        (lambda m: m["parameters"].update(colour="red"), "parameters are not valid"),
        (lambda m: m["parameters"].update(epsilon=0.5), "a field too many"),
        (lambda m: m["parameters"].update(rounds=5), "a field too many"),
        (lambda m: m["privacy"].update(delta=1e-9), "a field too many"),
        (lambda m: m["parameters"].pop("expected_records"), "parameters are not valid"),
    ],
)
def test_contents_are_checked_even_with_a_right_checksum(saved, change, message):
    rewrite(saved, change)
    with pytest.raises(ModelFileError, match=message):
        discreet.load_model(saved)


def test_an_edit_without_the_checksum_is_found(saved):
    saved.write_text(saved.read_text().replace('"vote": 1', '"vote": -1', 1))
    with pytest.raises(ModelFileError, match="checksum"):
        discreet.load_model(saved)


@pytest.mark.parametrize(
    "contents", [b"", b"{}", b"[]", b"name,cell\nzq1secret,2\n", b"\xff\xfe", b'{"checksum": 1}']
)
def test_other_files_are_refused_without_showing_them(tmp_path, contents):
    path = tmp_path / "table.csv"
    path.write_bytes(contents)
    with pytest.raises(ModelFileError, match="not a discreet model file") as caught:
        discreet.load_model(path)
    assert "zq1secret" not in str(caught.value)


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(ModelFileError, match="cannot read"):
        discreet.load_model(tmp_path / "none.json")
    with pytest.raises(ModelFileError, match="cannot write"):
        MODEL.save(tmp_path / "no such folder" / "model.json")


def test_a_failed_save_keeps_the_old_file(saved, monkeypatch):
    from pathlib import Path

    before = saved.read_bytes()

    honest = Path.write_bytes

    def full(path, contents):
        honest(path, contents[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ModelFileError, match="No space left"):
        MODEL.save(saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["model.json"]


def test_a_model_of_an_array_remembers_that_its_columns_have_no_names(tmp_path):
    X = DF[["age"]].to_numpy()
    model = BoostedRulesClassifier(schema=Numeric(0, 100, bins=4), classes=["<=50K", ">50K"], rounds=3).fit(
        X, Y
    )
    model.save(tmp_path / "model.json")
    again = discreet.load_model(tmp_path / "model.json")
    assert not hasattr(again, "feature_names_in_")
    assert again.decision_function(X).tolist() == model.decision_function(X).tolist()
    assert again.fit(X, Y).n_features_in_ == 1


def test_a_file_holds_the_options_of_the_fit_and_not_later_ones(tmp_path):
    model = BoostedRulesClassifier(schema=SCHEMA, rounds=3).fit(DF, Y)
    model.set_params(epsilon=99, adjacency="add-remove", rounds="no number")
    model.save(tmp_path / "model.json")
    again = discreet.load_model(tmp_path / "model.json")
    assert (again.epsilon, again.adjacency, again.rounds) == (1.0, "replace", 3)


def test_a_link_stays_and_a_file_keeps_its_mode(tmp_path):
    (tmp_path / "model.json").write_text("old")
    (tmp_path / "model.json").chmod(0o600)
    (tmp_path / "link").symlink_to("model.json")
    MODEL.save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "model.json").stat().st_mode & 0o777 == 0o600
    assert discreet.load_model(tmp_path / "model.json").scorecard().equals(MODEL.scorecard())


def test_what_is_no_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="no ordinary file"):
        MODEL.save(tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()


def test_a_deeply_nested_file_is_refused(tmp_path):
    path = tmp_path / "model.json"
    path.write_text('{"checksum":"x","model":{"a":' + "[" * 100_000 + "]" * 100_000 + "}}")
    with pytest.raises(ModelFileError, match="not a discreet model file"):
        discreet.load_model(path)
