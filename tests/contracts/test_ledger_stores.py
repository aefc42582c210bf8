"""Every back end keeps the same ledger: what one promises, all do."""

import copy
import hashlib
import json
import os
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from discreet import Ledger
from discreet.accounting import PureDP
from discreet.errors import BudgetExceeded, LedgerDamaged, LedgerError, LedgerUnavailable, OptionError
from tests.harness.ledgers import MIXED, rewritten, rows_of, tool
from tests.harness.postgres_server import PASSWORD

EIGHTH = [(PureDP(0.125), 1)]


@pytest.fixture
def ledger(where):
    with Ledger(where) as ledger:
        ledger.open_account("survey", epsilon=1, delta=0, description="the survey")
        yield ledger


def spend(ledger, losses=EIGHTH, account="survey"):
    spent = ledger.reserve(account, losses, "a fit")
    spent.commit()
    return spent


# Accounts --------------------------------------------------------------------------------------------------


def test_spends_add_up_and_are_listed(ledger):
    spend(ledger)
    ledger.reserve("survey", [(PureDP(0.25), 2)], "given up")
    assert ledger.remaining("survey").epsilon == 0.375
    history = ledger.history("survey")
    assert list(history.columns) == ["spend", "time", "what", "loss", "state"]
    assert history[["spend", "what", "loss", "state"]].to_numpy().tolist() == [
        [2, "a fit", "epsilon = 0.125", "committed"],
        [4, "given up", "2 x epsilon = 0.25", "reserved"],
    ]
    assert abs(history.time[0] - datetime.now(UTC)) < timedelta(minutes=5)


def test_a_history_without_spends_has_its_columns(ledger):
    history = ledger.history("survey")
    assert len(history) == 0
    assert str(history.time.dtype) == "datetime64[us, UTC]"


def test_the_cap_is_reached_and_never_passed(ledger):
    for _ in range(8):
        spend(ledger)
    assert ledger.remaining("survey").epsilon == 0
    before = ledger.export()
    for least in (PureDP(2.0**-60), PureDP(5e-324)):
        with pytest.raises(BudgetExceeded, match=r"'survey' has epsilon = 0 left"):
            ledger.reserve("survey", [(least, 1)], "one more")
    assert ledger.export() == before


def test_a_refusal_says_what_is_left_and_that_much_is_admitted(ledger):
    spend(ledger, [(PureDP(1 / 3), 1)])
    with pytest.raises(BudgetExceeded, match=r"epsilon = 0\.6666 left"):
        ledger.reserve("survey", [(PureDP(0.7), 1)], "too much")
    spend(ledger, [(PureDP(0.6666), 1)])


def test_what_remains_can_be_spent_with_delta(where):
    ledger = Ledger(where)
    ledger.open_account("mixed", epsilon=2, delta=1e-6)
    spend(ledger, [(MIXED(0.01), 3), (PureDP(0.1), 2)], "mixed")
    left = ledger.remaining("mixed")
    assert 0 < left.epsilon < 2
    assert left.delta == 1e-6
    spend(ledger, [(PureDP(left.pure_epsilon), 1)], "mixed")
    with pytest.raises(BudgetExceeded, match=r"at delta = 1e-06 left \(epsilon = .* for a pure spend\)"):
        spend(ledger, [(MIXED(0.5), 1)], "mixed")
    ledger.verify()


def test_accounts_are_told_apart(ledger):
    ledger.open_account("other", epsilon=2, delta=1e-5, description="über", adjacency="add-remove")
    spend(ledger)
    assert ledger.accounts() == ["survey", "other"]
    assert ledger.remaining("other").pure_epsilon == 2
    opened = ledger.account("other")
    assert (opened.epsilon, opened.delta, opened.adjacency) == (2, 1e-5, "add-remove")
    assert opened.description == "über"
    assert len(ledger.history("other")) == 0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda it: it.open_account("survey", 5, 0), LedgerError, "exists already"),
        (lambda it: it.remaining("nobody"), LedgerError, "no account 'nobody'"),
        (lambda it: it.history("nobody"), LedgerError, "no account 'nobody'"),
        (lambda it: it.account("nobody"), LedgerError, "no account 'nobody'"),
        (lambda it: it.reserve("nobody", EIGHTH, ""), LedgerError, "no account 'nobody'"),
        (lambda it: it.reserve("survey", EIGHTH, "", "add-remove"), OptionError, "neighbours by 'replace'"),
        (lambda it: it.reserve("survey", [(MIXED(0.1), 1)], ""), OptionError, "pure losses only"),
        (lambda it: it.reserve("survey", [(PureDP(0.1), -1)], ""), OptionError, "at least once"),
        (lambda it: it.verify(anchor="f" * 64), LedgerDamaged, "anchor"),
    ],
)
def test_what_is_refused_is_not_written(ledger, call, error, message):
    before = ledger.export()
    with pytest.raises(error, match=message):
        call(ledger)
    assert ledger.export() == before
    assert ledger.remaining("survey").epsilon == 1


def test_a_spend_is_committed_once(ledger):
    spent = spend(ledger)
    with pytest.raises(LedgerError, match="committed before"):
        spent.commit()
    assert ledger.verify().events == 3


# Several users ---------------------------------------------------------------------------------------------


def test_no_ledger_is_made_by_a_slip(where):
    with pytest.raises(LedgerUnavailable, match="there is no ledger"):
        Ledger(where, create=False)
    assert Ledger(where).accounts() == []


def test_many_may_begin_the_same_ledger_at_once(where):
    ready = threading.Barrier(8)

    def begin(_):
        ready.wait()
        with Ledger(where) as ledger:
            return ledger.accounts()

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(begin, range(8))) == [[]] * 8


def test_each_sees_what_the_other_spent(ledger, where):
    other = Ledger(where, create=False)
    spend(ledger)
    assert other.remaining("survey").epsilon == 0.875
    spend(other)
    assert ledger.remaining("survey").epsilon == 0.75


@pytest.mark.parametrize("shared", [True, False])
def test_threads_lose_nothing_and_overspend_nothing(ledger, where, shared):
    def tries(_):
        mine = ledger if shared else Ledger(where, create=False)
        got = 0
        for _ in range(12):
            try:
                spend(mine, [(PureDP(2.0**-6), 1)])
            except BudgetExceeded:
                continue
            got += 1
        return got

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(tries, range(8))) == 64
    assert ledger.remaining("survey").epsilon == 0
    assert ledger.verify().events == 1 + 2 * 64


def test_a_forked_child_is_refused_and_the_parent_is_not(ledger):
    spend(ledger)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            for use in (lambda: spend(ledger), ledger.verify, ledger.close, lambda: ledger.accounts()):
                with pytest.raises(LedgerError, match="before a fork"):
                    use()
            ledger._shared.__del__()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0
    spend(ledger)
    assert ledger.remaining("survey").epsilon == 0.75


def test_a_closed_ledger_opens_again_when_used(ledger):
    ledger.close()
    ledger.close()
    spend(ledger)
    assert ledger.remaining("survey").epsilon == 0.875


def test_copies_and_pickles_mean_the_one_ledger(ledger, where, monkeypatch):
    spend(ledger)
    assert copy.deepcopy(ledger) is ledger
    pickled = pickle.dumps(ledger)
    assert PASSWORD.encode() not in pickled
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    for other in (pickle.loads(pickled), copy.copy(ledger)):
        spend(other)
    assert ledger.remaining("survey").epsilon == 0.625
    assert PASSWORD not in repr(ledger)
    assert repr(ledger).startswith("Ledger('")


def test_a_pickle_can_be_read_where_the_ledger_is_not(ledger):
    pickled = pickle.dumps(ledger).replace(b"budget", b"budgxt").replace(b"/ledger", b"/nedger")
    with pytest.raises(LedgerUnavailable):
        pickle.loads(pickled).accounts()


def test_an_interrupted_transaction_leaves_nothing(ledger, monkeypatch):
    before = ledger.export()

    def interrupted(*_):
        raise KeyboardInterrupt

    for place in ("last", "append"):
        with monkeypatch.context() as patch:
            patch.setattr(f"discreet.ledger.store.{place}", interrupted)
            with pytest.raises(KeyboardInterrupt):
                spend(ledger)
    assert ledger.export() == before
    spend(ledger)


# Time and versions -----------------------------------------------------------------------------------------


def test_a_clock_that_is_set_back_stops_spending(ledger, monkeypatch):
    waiting = ledger.reserve("survey", EIGHTH, "under way")
    before = ledger.export()
    now = datetime.now(UTC)
    back_end = type(ledger._shared.store)
    monkeypatch.setattr(back_end, "now", lambda self, execute: now - timedelta(hours=1))
    for act in (lambda: spend(ledger), waiting.commit, lambda: ledger.open_account("new", 1, 0)):
        with pytest.raises(LedgerError, match="clock was set back"):
            act()
    assert ledger.export() == before
    monkeypatch.setattr(back_end, "now", lambda self, execute: now - timedelta(seconds=30))
    waiting.commit()
    assert ledger.verify().events == 3


def test_a_later_version_is_refused(ledger, where):
    ledger.close()
    change = "UPDATE format SET version = 2" if where.startswith("postgresql") else "PRAGMA user_version = 2"
    with tool(where) as run:
        run(change)
    for create in (True, False):
        with pytest.raises(LedgerError, match="has version 2; this discreet reads version 1"):
            Ledger(where, create=create)


# Verification ----------------------------------------------------------------------------------------------


def test_the_chain_can_be_checked_without_discreet(ledger):
    spend(ledger)
    previous = "0" * 64
    for sequence, line in enumerate(ledger.export().splitlines(), start=1):
        event = json.loads(line)
        assert (event["sequence"], event["previous"]) == (sequence, previous)
        previous = hashlib.sha256(line.encode()).hexdigest()
    assert ledger.verify().head == previous


def test_an_anchor_holds_from_then_on(where):
    ledger = Ledger(where)
    anchors = [ledger.verify().head]
    ledger.open_account("survey", 1, 0)
    for _ in range(3):
        anchors.append(ledger.verify().head)
        spend(ledger)
    assert len(set(anchors)) == len(anchors)
    for anchor in anchors:
        assert ledger.verify(anchor).events == 7


def test_events_are_not_changed_by_a_slip(ledger, where):
    for slip in ("UPDATE events SET account = 'x'", "DELETE FROM events"):
        with tool(where, guards=True) as run, pytest.raises(Exception, match="only ever appended"):
            run(slip)
    assert ledger.verify().events == 1


def edit(name):
    return lambda change: EDITS.append(pytest.param(change, id=name)) or change


EDITS = []
FORGERIES = []


@edit("a smaller loss")
def _(run):
    run("""UPDATE events SET body = replace(body, '"amount":0.125', '"amount":0.025') WHERE sequence = 2""")


@edit("a smaller loss, with its own digest")
def _(run):
    rows = rows_of(run)
    body = json.dumps(rows[1]["body"], separators=(",", ":")).replace("0.125", "0.025")
    digest = hashlib.sha256(body.encode()).hexdigest()
    run(f"UPDATE events SET body = '{body}', digest = '{digest}' WHERE sequence = 2")


@edit("another text, with its own digest")
def _(run):
    body = json.dumps(rows_of(run)[1]["body"], separators=(",", ":")).replace("a fit", "a fib")
    digest = hashlib.sha256(body.encode()).hexdigest()
    run(f"UPDATE events SET body = '{body}', digest = '{digest}' WHERE sequence = 2")


@edit("numbers that begin with 2, with all digests renewed")
def _(run):
    rows = rows_of(run)[:1]
    rewritten(run, rows, first=2)


@edit("no JSON, with its own digest")
def _(run):
    run(f"UPDATE events SET body = 'x', digest = '{hashlib.sha256(b'x').hexdigest()}' WHERE sequence = 7")


@edit("another kind in its column")
def _(run):
    run("UPDATE events SET kind = 'committed' WHERE sequence = 4")


@edit("another account in its column")
def _(run):
    run("UPDATE events SET account = 'other' WHERE sequence = 4")


@edit("another spend in its column")
def _(run):
    run("DROP INDEX committed_once")
    run("UPDATE events SET spend = 6 WHERE sequence = 3")


@edit("a digest")
def _(run):
    run(f"UPDATE events SET digest = '{'0' * 64}' WHERE sequence = 7")


@edit("the first deleted")
def _(run):
    run("DELETE FROM events WHERE sequence = 1")


@edit("one deleted")
def _(run):
    run("DELETE FROM events WHERE sequence = 4")


@edit("one inserted twice")
def _(run):
    run("INSERT INTO events SELECT 8, 'note', account, NULL, body, digest FROM events WHERE sequence = 2")


@edit("two reordered")
def _(run):
    run("UPDATE events SET sequence = 99 WHERE sequence = 2")
    run("UPDATE events SET sequence = 2 WHERE sequence = 4")
    run("UPDATE events SET sequence = 4 WHERE sequence = 99")


@pytest.mark.parametrize("change", EDITS)
def test_every_edit_is_found(ledger, where, change):
    for _ in range(3):
        spend(ledger)
    ledger.close()
    with tool(where) as run:
        change(run)
    with pytest.raises(LedgerDamaged):
        ledger.verify()


def forgery(name):
    return lambda change: FORGERIES.append(pytest.param(change, id=name)) or change


@forgery("a smaller loss")
def _(rows):
    rows[1]["body"]["what"]["losses"][0]["amount"] = 0.025


@forgery("a smaller total")
def _(rows):
    rows[-2]["body"]["what"]["total_pure"] = "0"


@forgery("a loss a negative number of times")
def _(rows):
    rows[1]["body"]["what"]["losses"][0]["times"] = -1


@forgery("budget given back, and the total with it")
def _(rows):
    what, before = rows[-2]["body"]["what"], rows[-4]["body"]["what"]
    what["losses"][0]["times"] = -1
    what["total_pure"] = str(int(before["total_pure"]) - 2**125)


@forgery("a loss without a kind")
def _(rows):
    rows[1]["body"]["what"]["losses"][0]["kind"] = "none"


@forgery("a spend dropped")
def _(rows):
    del rows[1:3]


@forgery("a smaller budget, now overspent")
def _(rows):
    rows[0]["body"]["what"]["epsilon"] = 0.25


@forgery("an account that was never opened")
def _(rows):
    rows[1]["body"]["account"] = "other"


@forgery("an account that was opened twice")
def _(rows):
    rows.append(rows[0] | {"body": rows[0]["body"] | {"time": rows[-1]["body"]["time"]}})
    rows[-1]["body"]["account"] = "survey"
    rows[0]["body"] = rows[0]["body"] | {"account": "survey"}


@forgery("a commit without a spend")
def _(rows):
    rows[2]["body"]["what"]["spend"] = 5


@forgery("a time that runs backwards")
def _(rows):
    rows[2]["body"]["time"] = "2020-01-01T00:00:00Z"


@forgery("a time that is none")
def _(rows):
    rows[2]["body"]["time"] = "yesterday"


@forgery("a field that is unknown")
def _(rows):
    rows[2]["body"]["note"] = "x"


@pytest.mark.parametrize("change", FORGERIES)
def test_a_forger_who_renews_all_digests_has_to_get_the_sums_right(ledger, where, change):
    for _ in range(3):
        spend(ledger)
    ledger.close()
    with tool(where) as run:
        rows = rows_of(run)
        rewritten(run, rows)
    assert ledger.verify().events == 7
    ledger.close()
    with tool(where) as run:
        change(rows)
        # Two accounts cannot be opened under one name without taking this away.
        run("DROP INDEX opened_once")
        rewritten(run, rows)
    with pytest.raises(LedgerDamaged):
        ledger.verify()


@pytest.mark.parametrize("keep", [1, 2, 5])
def test_a_rolled_back_ledger_is_found_by_its_anchor_only(ledger, where, keep):
    for _ in range(3):
        spend(ledger)
    anchor = ledger.verify().head
    ledger.close()
    with tool(where) as run:
        run(f"DELETE FROM events WHERE sequence > {keep}")
    assert ledger.verify().events == keep
    with pytest.raises(LedgerDamaged, match="anchor"):
        ledger.verify(anchor)


def test_a_ledger_that_is_written_anew_is_found_by_its_anchor_only(ledger, where):
    spend(ledger)
    anchor = ledger.verify().head
    ledger.close()
    with tool(where) as run:
        rows = rows_of(run)
        rows[0]["body"]["what"]["epsilon"] = 100
        rewritten(run, rows)
    assert ledger.remaining("survey").epsilon == 99.875
    ledger.verify()
    with pytest.raises(LedgerDamaged, match="anchor"):
        ledger.verify(anchor)


def test_nothing_is_released_on_a_spend_that_the_ledger_lost(ledger, where):
    spent = ledger.reserve("survey", EIGHTH, "a fit")
    ledger.close()
    with tool(where) as run:
        run("DELETE FROM events WHERE sequence = 2")
    with pytest.raises(LedgerDamaged, match="lost spend 2"):
        spent.commit()
    ledger.reserve("survey", EIGHTH, "another fit, which takes the number")
    with pytest.raises(LedgerDamaged, match="lost spend 2"):
        spent.commit()
