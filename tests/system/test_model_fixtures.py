"""Model files of earlier releases load and predict as they did: docs/support.md, tests/fixtures/README.md."""

import json
from pathlib import Path

import pandas as pd
import pytest

import discreet
from discreet.models.files import VERSION

FOLDER = Path(__file__).parents[1] / "fixtures" / "models"
EXPECTED = ".expected.json"
NAMES = sorted(path.name.removesuffix(EXPECTED) for path in FOLDER.glob("*" + EXPECTED))
FITTED = ("options_", "schema_", "ensemble_", "privacy_", "n_features_in_")


class Fixture:
    def __init__(self, name):
        self.path = FOLDER / f"{name}.json"
        self.expected = json.loads((FOLDER / f"{name}{EXPECTED}").read_text(encoding="utf-8"))
        self.cases = self.expected["cases"]
        self.model = discreet.load_model(self.path)

    @property
    def rows(self):
        return [case["cells"] for case in self.cases]

    @property
    def table(self):
        """Every cell as it stands in the file: no column type, no reading of texts."""
        names = self.expected["columns"]
        if names is None:
            return self.rows
        return pd.DataFrame(
            {
                name: pd.Series(list(cells), dtype=object)
                for name, cells in zip(names, zip(*self.rows, strict=True), strict=True)
            }
        )

    def wanted(self, key):
        return [case[key] for case in self.cases]


@pytest.fixture(params=NAMES)
def fixture(request):
    return Fixture(request.param)


def contents(path):
    """What a file says, but for who wrote it."""
    model = json.loads(path.read_text(encoding="utf-8"))["model"]
    return {key: value for key, value in model.items() if key != "written_by"}


def test_the_fixtures_are_there():
    assert len(NAMES) >= 3
    models = {path.stem for path in FOLDER.glob("*.json") if not path.name.endswith(EXPECTED)}
    assert models == set(NAMES)
    versions = {contents(FOLDER / f"{name}.json")["version"] for name in NAMES}
    assert VERSION in versions, "a new format version needs fixtures of its own"


def test_votes(fixture):
    votes = fixture.model.decision_function(fixture.table).tolist()
    wrong = [
        (case["cells"], vote, case["votes"])
        for case, vote in zip(fixture.cases, votes, strict=True)
        if vote != case["votes"]
    ]
    assert wrong == []


def test_classes(fixture):
    assert fixture.model.classes_.tolist() == fixture.expected["classes"]
    assert fixture.model.predict(fixture.table).tolist() == fixture.wanted("class")


def test_probabilities(fixture):
    negative, positive = fixture.model.predict_proba(fixture.table).T
    # Approximately, because exp may differ in its last bit between machines.
    assert positive.tolist() == pytest.approx(fixture.wanted("probability"), rel=1e-12)
    assert (negative + positive).tolist() == pytest.approx([1] * len(positive))


def test_the_guarantee(fixture):
    privacy = fixture.model.privacy_
    stated = {key: getattr(privacy, key) for key in fixture.expected["privacy"]}
    assert stated == fixture.expected["privacy"]
    assert privacy.holds


def test_names_of_columns(fixture):
    names = fixture.expected["columns"]
    assert hasattr(fixture.model, "feature_names_in_") == (names is not None)
    if names is not None:
        assert set(fixture.model.feature_names_in_) <= set(names)


def test_saved_again_it_loads_equal(fixture, tmp_path):
    fixture.model.save(tmp_path / "again.json")
    again = discreet.load_model(tmp_path / "again.json")
    for attribute in FITTED:
        assert getattr(again, attribute) == getattr(fixture.model, attribute), attribute
    assert again.decision_function(fixture.table).tolist() == fixture.wanted("votes")
    if contents(fixture.path)["version"] == VERSION:
        assert contents(tmp_path / "again.json") == contents(fixture.path)
