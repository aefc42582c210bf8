"""What a ledger is given is checked by name, and what it writes down can be read back."""

import numpy as np
import pytest

from discreet import Ledger
from discreet.accounting import ApproxDP, PureDP
from discreet.errors import LedgerDamaged, OptionError
from discreet.ledger.events import SavedLoss, read_event
from discreet.ledger.history import shown_down
from discreet.ledger.opening import checked_losses
from tests.harness.ledgers import MIXED


@pytest.fixture
def ledger(tmp_path):
    with Ledger(tmp_path / "budget.db") as ledger:
        yield ledger


@pytest.mark.parametrize("where", [None, "", 7, b"x"])
def test_an_address_is_a_path_or_a_uri(where):
    with pytest.raises(OptionError, match="path, or an address"):
        Ledger(where)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"name": ""}, "account"),
        ({"name": " survey"}, "account"),
        ({"name": "two\nlines"}, "account"),
        ({"name": "x" * 201}, "account"),
        ({"name": None}, "account"),
        ({"name": "\ud800"}, "account"),
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"epsilon": float("inf")}, "epsilon"),
        ({"epsilon": True}, "epsilon"),
        ({"epsilon": "1"}, "epsilon"),
        ({"delta": 1}, "delta"),
        ({"delta": -1e-9}, "delta"),
        ({"delta": None}, "delta"),
        ({"description": "\x1b[2J"}, "description"),
        ({"adjacency": "both"}, "adjacency"),
    ],
)
def test_accounts_are_checked(ledger, options, named):
    with pytest.raises(OptionError, match=named):
        ledger.open_account(**{"name": "survey", "epsilon": 1.0, "delta": 0.0} | options)
    assert ledger.accounts() == []


@pytest.mark.parametrize(
    "losses",
    [
        [],
        [(PureDP(0.1), 0)],
        [(PureDP(0.1), -3)],
        [(PureDP(0.1), 1.0)],
        [(PureDP(0.1), True)],
        [(PureDP(2.0**-30), 1_000_001)],
        [(PureDP(0.1), "1")],
        [(ApproxDP(0.1, 0), 1)],
        [(0.1, 1)],
        [(PureDP(0.1), 1), (PureDP(0.1), -1)],
    ],
)
def test_a_spend_cannot_give_anything_back(ledger, losses):
    ledger.open_account("survey", 1, 0)
    with pytest.raises(OptionError):
        ledger.reserve("survey", losses, "a fit")
    assert len(ledger.history("survey")) == 0


def test_a_loss_without_a_bound_is_refused(ledger):
    ledger.open_account("survey", 1, 1e-6)
    for loss in (PureDP(float("inf")), MIXED(float("inf"))):
        with pytest.raises(OptionError):
            ledger.reserve("survey", [(loss, 1)], "a fit")
    assert len(ledger.history("survey")) == 0


def test_times_of_other_libraries_become_plain_integers():
    ((_, times),) = checked_losses([(PureDP(0.1), np.int8(100))])
    assert type(times) is int


@pytest.mark.parametrize("loss", [PureDP(0.1), PureDP(5e-324), MIXED(1 / 3)])
def test_losses_are_written_to_the_last_bit(loss):
    assert SavedLoss.of(loss, 3).restored() == (loss, 3)


def test_an_event_with_another_digest_is_damaged():
    with pytest.raises(LedgerDamaged, match="changed after it was written"):
        read_event("{}", "0" * 64)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (2 / 3, "0.6666"),
        (0.99999, "0.9999"),
        (1, "1"),
        (1.23456e-7, "1.234e-07"),
        (123456, "1.234e+05"),
    ],
)
def test_what_is_left_is_rounded_down(value, text):
    assert shown_down(value) == text
    assert float(text) <= value
