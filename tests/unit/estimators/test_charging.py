"""A fit that a ledger pays for: before a record is read, or not at all."""

import copy
import pickle

import pytest
from sklearn.base import clone

import discreet
from discreet import BoostedRulesClassifier, Ledger
from discreet.errors import BudgetExceeded, InputError, LedgerError, LedgerUnavailable, OptionError
from discreet.testing import seeded_noise
from tests.harness.touched import RecordRead, telling, untouchable
from tests.tables import SCHEMA, people

DF, Y = people(300)
NAMES = list(SCHEMA.columns)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "budget.db"


@pytest.fixture
def ledger(path):
    with Ledger(path) as ledger:
        ledger.open_account("survey", epsilon=2, delta=1e-5)
        ledger.open_account("pure", epsilon=1, delta=0)
        ledger.open_account("private size", epsilon=1, delta=1e-5, adjacency="add-remove")
        yield ledger


def model(ledger, account="survey", **options):
    return BoostedRulesClassifier(schema=SCHEMA, ledger=ledger, account=account, rounds=5, **options)


def test_the_untouchable_table_is_touched_by_a_fit():
    with pytest.raises(RecordRead):
        BoostedRulesClassifier(schema=SCHEMA, rounds=2).fit(*untouchable(NAMES))


@pytest.mark.parametrize("by_path", [True, False])
def test_a_fit_is_paid_and_says_by_whom(ledger, path, by_path, tmp_path):
    fitted = model(path if by_path else ledger, epsilon=0.5, delta=1e-6).fit(DF, Y)
    privacy = fitted.privacy_
    assert (privacy.account, privacy.spend) == ("survey", 4)
    assert "paid by account 'survey', spend 4 of its ledger" in str(privacy)
    history = ledger.history("survey")
    assert history.what.tolist() == ["BoostedRulesClassifier, 5 rounds"]
    assert history.state.tolist() == ["committed"]
    assert history.loss[0].startswith("5 x ")
    assert ledger.remaining("survey").epsilon < 2
    fitted.save(tmp_path / "model.json")
    assert discreet.load_model(tmp_path / "model.json").privacy_ == privacy


def test_the_budget_is_charged_before_the_first_record_is_read(ledger, path):
    states = []

    def tell():
        if not states:
            with Ledger(path, create=False) as other:
                states.extend(other.history("survey").state)

    model(ledger).fit(*telling(tell, NAMES))
    assert states == ["reserved"]


def test_a_fit_that_the_account_cannot_pay_reads_no_record(ledger):
    with pytest.raises(BudgetExceeded, match="'pure' has epsilon = 1 left"):
        model(ledger, "pure", epsilon=1.5, delta=0).fit(*untouchable(NAMES))
    assert len(ledger.history("pure")) == 0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"account": None}, OptionError, "go together"),
        ({"ledger": None}, OptionError, "go together"),
        ({"ledger": 7}, OptionError, "a Ledger, or the address"),
        ({"account": 7}, OptionError, "account must be"),
        ({"account": "nobody"}, LedgerError, "no account 'nobody'"),
        ({"ledger": "absent.db"}, LedgerUnavailable, "there is no ledger 'absent.db'"),
        ({"account": "pure", "rounds": 300}, OptionError, "pure losses only"),
        ({"account": "private size"}, OptionError, "neighbours"),
        ({"adjacency": "add-remove"}, OptionError, "neighbours"),
    ],
)
def test_what_does_not_fit_together_is_refused_before_a_record_is_read(ledger, options, error, message):
    before = ledger.export()
    with pytest.raises(error, match=message):
        model(ledger).set_params(**options).fit(*untouchable(NAMES))
    assert ledger.export() == before


def test_what_the_container_shows_is_refused_for_free(ledger):
    for X, y in ((DF[["age"]], Y), (DF, Y[:-1]), (DF.to_numpy()[:, :1], Y)):
        with pytest.raises(InputError):
            model(ledger).fit(X, y)
    assert len(ledger.history("survey")) == 0


def test_a_fit_under_seeded_noise_is_not_for_a_ledger(ledger):
    with seeded_noise(1), pytest.raises(OptionError, match="seeded noise"):
        model(ledger).fit(*untouchable(NAMES))
    assert len(ledger.history("survey")) == 0


def test_a_fit_that_fails_stays_spent(ledger):
    with pytest.raises(RecordRead):
        model(ledger, "pure", epsilon=0.75, delta=0).fit(*untouchable(NAMES))
    assert ledger.history("pure").state.tolist() == ["reserved"]
    assert ledger.remaining("pure").epsilon == pytest.approx(0.25)


def test_a_model_whose_commit_fails_is_not_let_out(ledger, monkeypatch):
    def full(*_):
        raise LedgerUnavailable("the disk is full")

    monkeypatch.setattr(Ledger, "_commit", full)
    refused = model(ledger)
    with pytest.raises(LedgerUnavailable):
        refused.fit(DF, Y)
    assert [name for name in vars(refused) if name.endswith("_")] == []
    assert ledger.history("survey").state.tolist() == ["reserved"]


def test_under_add_remove_the_charge_does_not_depend_on_the_number_of_records(ledger):
    for n in (1, 40, 300):
        charged = BoostedRulesClassifier(
            epsilon=0.1, schema=SCHEMA, adjacency="add-remove", ledger=ledger, account="private size"
        )
        charged.fit(DF[:n], Y[:n])
    history = ledger.history("private size")
    assert history.loss.nunique() == history.what.nunique() == 1


def test_copies_of_an_estimator_share_the_ledger(ledger, path):
    original = model(ledger, epsilon=0.1)
    copies = clone(original), copy.deepcopy(original), pickle.loads(pickle.dumps(original))
    assert copies[0].ledger is ledger
    for each in copies:
        each.fit(DF, Y)
    assert len(ledger.history("survey")) == 3
    fitted = pickle.dumps(copies[0])
    ledger.close()
    path.unlink()
    assert pickle.loads(fitted).predict(DF).shape == (300,)
