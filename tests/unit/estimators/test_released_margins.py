"""The noisy histogram of margins, beside the exact one of the same records declared public."""

import numpy as np
import pytest

from discreet import BoostedHalfspaceClassifier, BoostedRulesClassifier, BoostedTreesClassifier, Ledger
from discreet.accounting import PureDP
from discreet.diagnostics import PublicTable, diagnose
from discreet.errors import BudgetExceeded, DiscreetError, OptionError
from discreet.estimators.released_margins import UNIT, priced_margins, release_margins
from discreet.testing import seeded_noise
from tests.tables import SCHEMA, people

DF, Y = people(3_000)
BUDGET = {"epsilon": 1.0, "delta": 1e-6}


def fitted(face=BoostedRulesClassifier, rounds=40):
    with seeded_noise(0):
        return face(5.0, schema=SCHEMA, rounds=rounds).fit(DF, Y)


@pytest.mark.parametrize("face", [BoostedRulesClassifier, BoostedTreesClassifier])
@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_counts_are_those_of_the_records_but_for_the_noise(face, adjacency):
    """40 counts are within 8 deviations of the exact ones but with probability 1e-13."""
    model = fitted(face)
    released = release_margins(model, DF, Y, **BUDGET, bins=10, adjacency=adjacency)
    exact, edges = diagnose(model, PublicTable(DF, Y, public=True)).margin_histogram(bins=10)
    assert np.allclose(released.edges, edges)
    assert np.abs(released.counts - exact).max() < 8 * released.deviation
    assert released.deviation < 10
    assert released.privacy.holds
    assert released.privacy.epsilon <= 1
    assert released.privacy.adjacency == adjacency


def test_the_noise_is_that_of_the_budget():
    replace, add = (priced_margins(1.0, 1e-6, adjacency).terms[0] for adjacency in ("replace", "add-remove"))
    assert replace.claim.bound**2 >= 2 * UNIT**2 > (replace.claim.bound - 1) ** 2
    assert replace.scale / add.scale == pytest.approx(2**0.5, rel=1e-4)
    # The Gaussian mechanism at epsilon 1 and delta 1e-6 has a deviation of 4.22 (Balle and Wang 2018).
    assert add.scale / UNIT == pytest.approx(4.2247, rel=1e-3)


def test_labels_outside_the_classes_count_nowhere():
    foreign = Y.astype(object).where(np.arange(len(Y)) >= 1_000, "neither")
    released = release_margins(fitted(), DF, foreign, **BUDGET)
    # The sum of 20 counts is off by 8 deviations of such a sum with probability 1e-15.
    assert abs(released.counts.sum() - 2_000) < 8 * released.deviation * 20**0.5


def test_seeded_noise_voids_it():
    with seeded_noise(1):
        assert not release_margins(fitted(), DF, Y, **BUDGET).privacy.holds


@pytest.mark.parametrize(
    "wrong",
    [{"epsilon": 0}, {"delta": 0}, {"delta": 1}, {"bins": 0}, {"bins": 2.5}, {"adjacency": "near"}],
)
def test_options_are_checked(wrong):
    with pytest.raises(OptionError):
        release_margins(fitted(), DF, Y, **BUDGET | wrong)


def test_models_without_rounds_are_refused():
    halfspace = BoostedHalfspaceClassifier(5.0, schema=SCHEMA).fit(DF, Y)
    for model in (halfspace, BoostedRulesClassifier(schema=SCHEMA)):
        with pytest.raises(OptionError, match="keeps its rounds"):
            release_margins(model, DF, Y, **BUDGET)
    with pytest.raises(DiscreetError):
        release_margins(fitted(), DF, Y[:-1], **BUDGET)


def test_an_account_pays_for_it(tmp_path):
    with Ledger(tmp_path / "budget.db") as ledger:
        ledger.open_account("survey", epsilon=1.5, delta=1e-6)
        paid = release_margins(fitted(), DF, Y, **BUDGET, ledger=ledger, account="survey")
        assert (paid.privacy.account, paid.privacy.spend) == ("survey", 2)
        assert ledger.history("survey")["what"].tolist() == ["margins of a BoostedRulesClassifier, 20 bins"]
        with pytest.raises(BudgetExceeded):
            release_margins(fitted(), DF, Y, **BUDGET | {"epsilon": 1.5}, ledger=ledger, account="survey")
        ledger.reserve("survey", [(PureDP(0.01), 1)], "something small")
