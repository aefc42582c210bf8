import math

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from discreet.benchmark.metrics import SURE, mean_and_error, measured

RNG = np.random.default_rng(1)
POSITIVE = RNG.random(500) < 0.3
PROBABILITIES = np.round(RNG.beta(2, 3, 500), 2)


def test_figures_are_those_of_scikit_learn():
    found = measured(POSITIVE, PROBABILITIES)
    assert found.accuracy == np.mean((PROBABILITIES > 0.5) == POSITIVE)
    assert found.auc == roc_auc_score(POSITIVE, PROBABILITIES)
    assert found.log_loss == pytest.approx(log_loss(POSITIVE, np.clip(PROBABILITIES, SURE, 1 - SURE)))
    assert found.brier == pytest.approx(brier_score_loss(POSITIVE, PROBABILITIES))


def test_auc_is_a_share_of_pairs():
    wins = np.subtract.outer(PROBABILITIES[POSITIVE], PROBABILITIES[~POSITIVE])
    assert measured(POSITIVE, PROBABILITIES).auc == pytest.approx(np.mean((wins > 0) + 0.5 * (wins == 0)))


def test_exactly_half_is_the_negative_class():
    assert measured(np.array([True, False]), np.array([0.5, 0.5])).accuracy == 0.5
    assert measured(np.array([True, False]), np.array([0.51, 0.5])).accuracy == 1


def test_a_wrong_certainty_costs_much_but_not_everything():
    found = measured(np.array([True, False]), np.array([0.0, 0.0]))
    assert found.log_loss == pytest.approx(-math.log(SURE) / 2, rel=1e-3)


def test_outside_of_probabilities_only_order_counts():
    """A regression may say 1.7; it is no better than 1, except in order."""
    found = measured(np.array([True, False, True]), np.array([1.7, 1.2, 1.0]))
    assert found.auc == 0.5
    assert found.brier == pytest.approx(1 / 3)


def test_what_is_no_number_is_refused():
    with pytest.raises(ValueError, match="finite"):
        measured(np.array([True, False]), np.array([0.1, np.nan]))


def test_mean_and_error():
    mean, error = mean_and_error([1.0, 2.0, 4.0])
    assert mean == pytest.approx(7 / 3)
    assert error == pytest.approx(np.std([1, 2, 4], ddof=1) / math.sqrt(3))
    assert math.isnan(mean_and_error([1.0])[1])
