"""Budgets on the command line, in both back ends."""

import json
import re

import pytest

import discreet
from tests.harness.ledgers import tool
from tests.harness.postgres_server import PASSWORD
from tests.system.test_cli import fails, fit_words, folder, run

__all__ = ["folder"]


def told(*words):
    done = run(*words)
    assert (done.exit_code, done.stderr) == (0, ""), done.output
    assert PASSWORD not in done.output
    return done.stdout


def asked(*words):
    return json.loads(told(*words, "--json"))


@pytest.fixture
def budget(folder, where):
    told("ledger", "open", where, "survey", "--epsilon", 2, "--delta", "1e-5", "--description", "the survey")
    return where


def test_a_budget_from_opening_to_its_end(budget, folder):
    assert asked("ledger", "remaining", budget, "survey")["pure_epsilon"] == 2
    paid = ("--ledger", budget, "--account", "survey")
    fitted = asked(*fit_words(out="one.json"), *paid)
    assert (fitted["guarantee"]["account"], fitted["guarantee"]["spend"]) == ("survey", 2)
    assert "paid by account 'survey', spend 2" in told("show", "one.json")
    (spend,) = asked("ledger", "history", budget, "survey")["spends"]
    assert (spend["spend"], spend["state"]) == (2, "committed")
    listed = told("ledger", "history", budget, "survey")
    assert re.search(r"    2  20\d\d-.* committed  BoostedRulesClassifier, \d+ rounds: \d+ x ", listed)
    shown = told("ledger", "show", budget)
    assert "1 account\n\n  survey, about the survey\n    budget      epsilon = 2 at delta = 1e-05" in shown
    assert re.search(r"left        epsilon = 1\.\d+ at delta = 1e-05", shown)
    (account,) = asked("ledger", "show", budget)["accounts"]
    assert (account["name"], account["epsilon"], account["spends"]) == ("survey", 2, 1)
    assert account["left"] == asked("ledger", "remaining", budget, "survey")
    assert "left" in told("ledger", "remaining", budget, "survey")
    error = fails(4, *fit_words(epsilon=5, out="two.json"), *paid)
    assert error["kind"] == "BudgetExceeded"
    assert re.search(r"has epsilon = \d\.\d+ at delta = 1e-05 left", error["what"])
    assert not (folder / "two.json").exists()


def test_an_anchor_tells_whether_a_ledger_was_rolled_back(budget):
    first = asked("ledger", "verify", budget)
    assert first["events"] == 1
    told("ledger", "open", budget, "other", "--epsilon", 1, "--delta", 0)
    said = told("ledger", "verify", budget, "--anchor", first["anchor"])
    assert "is whole: 2 events, and goes on from the anchor\nanchor: " in said
    anchor = re.search(r"anchor: (\w{64})\n", said)[1]
    with tool(budget) as tampered:
        tampered("DELETE FROM events WHERE sequence = 2")
    told("ledger", "verify", budget)
    assert fails(6, "ledger", "verify", budget, "--anchor", anchor)["kind"] == "LedgerDamaged"


def test_an_export_goes_to_the_screen_or_to_a_file(budget, folder):
    lines = told("ledger", "export", budget)
    assert json.loads(lines)["account"] == "survey"
    assert asked("ledger", "export", budget)["events"] == [json.loads(lines)]
    assert "1 event went to e.jsonl" in told("ledger", "export", budget, "--out", "e.jsonl")
    assert (folder / "e.jsonl").read_text() == lines
    assert "exists already" in fails(2, "ledger", "export", budget, "--out", "e.jsonl")["what"]
    assert asked("ledger", "export", budget, "--out", "e.jsonl", "--force") == {"out": "e.jsonl", "events": 1}


def test_a_ledger_is_never_overwritten_by_its_export(folder):
    told("ledger", "open", "budget.db", "survey", "--epsilon", 1, "--delta", 0)
    assert "is an input" in fails(2, "ledger", "export", "budget.db", "--out", "budget.db", "--force")["what"]


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        (2, "UsageError", ("ledger", "open", "b.db", "new", "--epsilon", 1)),
        (2, "OptionError", ("ledger", "open", "b.db", "new", "--epsilon", 0, "--delta", 0)),
        (2, "OptionError", ("ledger", "open", "b.db", "", "--epsilon", 1, "--delta", 0)),
        (2, "OptionError", ("ledger", "open", "b.db", "n", "--epsilon", 1, "--delta", 0, "--adjacency", "x")),
        (2, "OptionError", (*fit_words("absent.csv"), "--ledger", "b.db")),
        (2, "OptionError", (*fit_words("absent.csv"), "--account", "survey")),
        (2, "OptionError", (*fit_words(), "--ledger", "b.db", "--account", "n", "--adjacency", "add-remove")),
        (2, "OptionError", ("ledger", "show", "postgresql://me:zq7secret/x@host/db")),
        (6, "LedgerError", ("ledger", "open", "b.db", "n", "--epsilon", 1, "--delta", 0)),
        (6, "LedgerError", ("ledger", "history", "b.db", "nobody")),
        (6, "LedgerError", ("ledger", "remaining", "b.db", "nobody")),
        (6, "LedgerError", (*fit_words("absent.csv"), "--ledger", "b.db", "--account", "nobody")),
        (6, "LedgerUnavailable", ("ledger", "show", "absent.db")),
        (6, "LedgerUnavailable", (*fit_words("absent.csv"), "--ledger", "absent.db", "--account", "n")),
        (6, "LedgerUnavailable", ("ledger", "open", "no/such/b.db", "n", "--epsilon", 1, "--delta", 0)),
        (6, "LedgerDamaged", ("ledger", "verify", "people.csv")),
        (6, "LedgerDamaged", ("ledger", "open", "people.csv", "n", "--epsilon", 1, "--delta", 0)),
    ],
)
def test_errors_say_what_is_wrong_and_what_to_do(folder, code, kind, words):
    with discreet.Ledger("b.db") as ledger:
        ledger.open_account("n", 1, 1e-6)
    assert fails(code, *words)["kind"] == kind
    assert not (folder / "absent.db").exists()
    assert not (folder / "new.json").exists()


def test_a_hostile_ledger_does_not_drive_the_terminal(folder):
    told("ledger", "open", "b.db", "n", "--epsilon", 1, "--delta", 0, "--description", "plain")
    from tests.harness.ledgers import rewritten, rows_of

    with tool("b.db") as tampered:
        rows = rows_of(tampered)
        rows[0]["body"]["what"]["description"] = "\x1b[2J"
        rewritten(tampered, rows)
    assert "\x1b" not in told("ledger", "show", "b.db")
