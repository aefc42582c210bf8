"""Whether fits are paid for in time: each check makes a ledger of its own, and asserts."""

from __future__ import annotations

import contextlib
import gc
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from discreet import BoostedRulesClassifier, Ledger
from discreet.accounting import PureDP
from discreet.errors import BudgetExceeded, LedgerDamaged
from tests.harness.touched import RecordRead, telling, untouchable
from tests.tables import SCHEMA, people

NAMES = list(SCHEMA.columns)


@contextlib.contextmanager
def account(epsilon: float = 1.0) -> Iterator[tuple[Ledger, Ledger]]:
    """Open an account "survey", and return two users of its ledger."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "budget.db"
        with Ledger(path) as ours, Ledger(path) as theirs:
            ours.open_account("survey", epsilon, 0)
            yield ours, theirs


def model(ledger: Ledger) -> BoostedRulesClassifier:
    return BoostedRulesClassifier(0.5, 0.0, SCHEMA, rounds=3, ledger=ledger, account="survey")


def charged_before_a_record_is_read() -> None:
    with account() as (ledger, auditor):
        states: list[list[str]] = []
        model(ledger).fit(*telling(lambda: states.append(auditor.history("survey").state.tolist()), NAMES))
        assert states[0] == ["reserved"], f"at the first record the ledger had {states[0]}"


def refused_before_a_record_is_read() -> None:
    with account(0.25) as (ledger, _):
        with contextlib.suppress(BudgetExceeded):
            try:
                model(ledger).fit(*untouchable(NAMES))
            except RecordRead:
                raise AssertionError("a record was read for a fit that the account cannot pay") from None
        assert ledger.remaining("survey").epsilon == 0.25


def paid_when_it_is_let_out() -> None:
    with account() as (ledger, auditor):
        released = model(ledger).fit(*people(50)).privacy_
        history = auditor.history("survey")
        states = dict(zip(history.spend, history.state, strict=True))
        assert states.get(released.spend) == "committed", f"a model is out, and the ledger has {states}"


def spent_although_it_failed() -> None:
    with account() as (ledger, auditor):
        with contextlib.suppress(RecordRead):
            model(ledger).fit(*untouchable(NAMES))
        gc.collect()
        left = auditor.remaining("survey").epsilon
        assert left < 0.51, f"a fit failed after it had read a record, and epsilon = {left:g} is left of 1"


def nothing_lost_between_spenders(spenders: int = 8, tries: int = 12) -> None:
    with account(spenders * tries / 2 * 2.0**-10) as (ledger, _):

        def spend(_: int) -> int:
            granted = 0
            with Ledger(ledger.address, create=False) as mine:
                for _ in range(tries):
                    with contextlib.suppress(BudgetExceeded):
                        mine.reserve("survey", [(PureDP(2.0**-10), 1)], "a try").commit()
                        granted += 1
            return granted

        with ThreadPoolExecutor(spenders) as threads:
            granted = sum(threads.map(spend, range(spenders)))
        assert granted == spenders * tries // 2, f"{granted} spends where the budget is for half of the tries"
        try:
            ledger.verify()
        except LedgerDamaged as error:
            raise AssertionError(str(error)) from None
