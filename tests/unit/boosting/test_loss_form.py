"""The lazy-Bregman measure as the papers write it: by losses, and the erratum about its projection."""

import math

import numpy as np
import pytest

from discreet.boosting.reweighting.lazy_bregman import BITS, LazyBregman


def losses_of(votes, y):
    """Algorithm 3 of Bun, Carmosino, Sorrell: 1 - abs(h(x) - y) / 2, which is 1 for a right answer."""
    return 1 - np.abs(votes - y) / 2


def capped(weights, mass):
    """Scale to a mass, no weight above 1; bisection on the factor, nothing shared with the library."""
    low, high = 0.0, 1.0
    while np.minimum(high * weights, 1).sum() < mass:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if np.minimum(middle * weights, 1).sum() < mass else (low, middle)
    return np.minimum(high * weights, 1)


def table_of(levels, max_level):
    counts = np.zeros((2, 2 * max_level + 1), np.int64)
    np.add.at(counts[1], levels + max_level, 1)
    return counts


@pytest.mark.parametrize("rate", [0.1, 0.6, 2.0])
@pytest.mark.parametrize("density", [0.1, 0.4])
def test_the_loss_form_weighs_as_the_paper_does(rate, density):
    rng = np.random.default_rng(0)
    n, rounds = 200, 12
    y = rng.choice([-1, 1], n)
    votes = rng.choice([-1, 1], (rounds, n), p=[0.3, 0.7]) * y
    paper = capped(density * np.exp(-rate * losses_of(votes, y).sum(axis=0)), density * n)
    levels = (votes * y).sum(axis=0)
    measure = LazyBregman.from_losses(rate, density, n)
    weights = measure.weights(rounds, rounds, lambda: table_of(levels, rounds))[1, levels + rounds]
    # The mass falls short of its target by less than the slack; so does, relatively, each weight.
    slack = measure.bounds("replace", n).slack / (density * n * 2**BITS)
    np.testing.assert_allclose(weights / 2**BITS, paper, rtol=2 * slack + 1e-6, atol=2.0**-BITS)


def test_both_forms_are_one_measure():
    """Not nearly: the loss form at rate 2 lambda is the thesis's form at lambda, integer for integer."""
    thesis, paper = LazyBregman(0.35, 0.2, 50), LazyBregman.from_losses(0.7, 0.2, 50)
    assert thesis == paper
    levels = np.random.default_rng(1).integers(-6, 7, 50)
    tables = [measure.weights(6, 6, lambda: table_of(levels, 6)) for measure in (thesis, paper)]
    assert np.array_equal(*tables)


def test_erratum_3_the_unprojected_mass_can_exceed_its_target():
    """kappa exp(-lambda margin sum): records that are wrong weigh more than kappa, and so may all together.

    The thesis's Algorithm 2 then scales by a factor of at least 1, which makes it worse. Here the mass is
    kappa n whichever side it comes from.
    """
    n, density, learning_rate, rounds = 40, 0.25, 0.5, 6
    for level, too_heavy in ((-rounds, True), (rounds, False)):
        levels = np.full(n, level)
        unprojected = density * np.exp(-learning_rate * levels).sum()
        assert (unprojected > density * n) == too_heavy
        measure = LazyBregman(learning_rate, density, n)
        weights = measure.weights(rounds, rounds, lambda levels=levels: table_of(levels, rounds))
        mass, target = int(weights[1, levels + rounds].sum()), math.floor(density * n * 2**BITS)
        assert target - measure.bounds("replace", n).slack < mass <= target
