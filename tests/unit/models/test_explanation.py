"""The page in plain words: every figure on it is true, and void is said to be void."""

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from discreet import BoostedRulesClassifier
from discreet.cli import app
from discreet.models.explanation import _right_guesses
from discreet.models.statement import PrivacyStatement
from discreet.testing import seeded_noise
from tests.tables import SCHEMA, people

DF, Y = people(200)


def words(page):
    return " ".join(page.split())


def statement(epsilon=1.0, delta=0.0, adjacency="replace", reason=None, account=None):
    rho = 0.02 if delta else None
    spend = None if account is None else 7
    return PrivacyStatement(epsilon, delta, rho, adjacency, reason is None, reason, account, spend)


@given(st.floats(0, 20), st.sampled_from([0.0, 1e-9, 1e-5, 0.01]))
def test_guesses_are_bounded_by_what_a_test_of_neighbours_can_reach(epsilon, delta):
    """The best test between the worst pair of (epsilon, delta) neighbours, in exact reach of the bound."""
    share = (math.exp(epsilon) + delta) / (1 + math.exp(epsilon))
    told = float(_right_guesses(epsilon, delta))
    assert 100 * share <= told <= 100 * share + 0.0101


@pytest.mark.parametrize(
    ("epsilon", "delta", "told"), [(1, 0, "73.11"), (1, 1e-2, "73.38"), (800, 0, "100.00")]
)
def test_guesses_of_100(epsilon, delta, told):
    assert _right_guesses(epsilon, delta) == told


def test_the_page_has_what_a_reader_asks_for():
    page = statement(delta=1e-6).explained()
    assert re.findall(r"(.*)\n-+\n", page) == [
        *("What is protected", "Against whom", "What the number means", "What is not covered"),
        "In the words of the field",
    ]
    assert "at most 73.11 of 100 are" in words(page)
    assert "epsilon = 1 and delta = 1e-06" in words(page)
    assert str(statement(delta=1e-6)).splitlines()[0] in page
    assert "No ledger has kept count" in words(page)
    assert max(map(len, page.splitlines())) <= 90


def test_neighbours_decide_what_is_said_about_the_size():
    assert "How many records the table has is not protected" in statement().explained()
    page = statement(adjacency="add-remove").explained()
    assert "How many records the table has is protected as well" in page
    assert "is in the table or not" in words(page)


def test_weak_protection_is_called_weak():
    assert "weak" not in statement(2.9).explained()
    assert "weak protection" in statement(3).explained()


def test_an_account_is_named():
    assert "account 'survey'" in statement(account="survey").explained()


def test_a_void_guarantee_shows_no_figure():
    page = statement(reason="seeded noise").explained()
    assert page.startswith("NO PRIVACY GUARANTEE\n")
    assert "seeded noise" in page
    assert not re.search(r"\d", page)
    assert "What is protected" not in page


def test_the_command_line_prints_it(tmp_path):
    path = tmp_path / "model.json"
    model = BoostedRulesClassifier(schema=SCHEMA, rounds=5).fit(DF, Y)
    model.save(path)
    told = CliRunner().invoke(app, ["show", str(path), "--statement"])
    assert told.stdout == model.privacy_.explained() + "\n"
    told = json.loads(CliRunner().invoke(app, ["show", str(path), "--statement", "--json"]).stdout)
    assert told["statement"] == model.privacy_.explained()
    assert told["privacy"]["holds"]
    with seeded_noise(1):
        BoostedRulesClassifier(schema=SCHEMA, rounds=5).fit(DF, Y).save(path)
    assert CliRunner().invoke(app, ["show", str(path), "--statement"]).stdout.startswith("NO PRIVACY")
