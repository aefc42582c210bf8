"""HalfspaceParameters: each condition of the proof in docs/theory.md, section 4, checked by other means."""

import math

import numpy as np
import pytest
from scipy import stats

from discreet.accounting import guarantee
from discreet.errors import OptionError
from discreet.theory import HalfspaceParameters, theorem_25
from tests.unit.theory.lazy_play import boost_halfspaces

GOALS = [(0.2, 0.05, 1.0, 1e-6, 0.5), (0.1, 0.01, 0.1, 1e-8, 0.2), (0.05, 0.2, 0.5, 1e-5, 0.9)]


@pytest.mark.parametrize("goal", GOALS)
def test_settings_are_those_of_algorithm_4(goal):
    alpha, _, _, _, margin = goal
    settings = HalfspaceParameters.for_theorem(*goal)
    assert settings.density == alpha / 4
    assert settings.rounds == math.ceil(1024 * math.log(4 / alpha) / margin**2)
    assert settings.sigma == settings.sigma_for(settings.n_records)


@pytest.mark.parametrize("goal", GOALS)
def test_the_sample_size_is_the_least_that_meets_the_budget(goal):
    _, _, epsilon, delta, _ = goal
    settings = HalfspaceParameters.for_theorem(*goal)
    n = settings.sizes.privacy
    assert settings.n_records == n  # privacy decides in these
    assert guarantee([(settings.loss(n), 1)], delta).epsilon <= epsilon
    assert guarantee([(settings.loss(n - 1), 1)], delta).epsilon > epsilon
    assert settings.loss(2 * n) < settings.loss(n)
    # The loss is that of T Gaussian releases of sensitivity 2/(kappa n) (PRIVACY.md 5).
    one = (2 / (settings.density * n)) ** 2 / (2 * settings.sigma**2)
    assert settings.loss(n).rho == pytest.approx(settings.rounds * one)


@pytest.mark.parametrize("goal", GOALS)
def test_the_events_of_the_noise_have_probability_below_a_third_of_beta(goal):
    """|nu_t x_i| <= tau/4 for all records and rounds, nu_t z_t/|z_t| >= -tau/4, and the norm of the sum."""
    _, beta, _, _, margin = goal
    settings = HalfspaceParameters.for_theorem(*goal)
    n, rounds, sigma = settings.n_records, settings.rounds, settings.sigma
    per_record = 2 * stats.norm.sf(margin / 4 / sigma)
    per_round = stats.norm.sf(margin / 4 / sigma)
    norm = (rounds * margin / 2) ** 2 / (rounds * sigma**2)
    per_fit = stats.chi2.sf(norm, settings.max_dimension)
    assert n * rounds * per_record + rounds * per_round + per_fit <= beta / 3
    assert per_fit <= beta / (6 * (n + 1))
    # The proof's own tail bounds add up to a third of beta exactly.
    tail = math.exp(-((margin / 4 / sigma) ** 2) / 2)
    assert (n + 1 / 2) * rounds * tail + beta / (6 * (n + 1)) == pytest.approx(beta / 3)
    # And not by far: a hundredth more columns and the norm is exceeded more often than not.
    assert stats.chi2.sf(norm, 1.02 * settings.max_dimension) > 0.5


@pytest.mark.parametrize("share", [0.02, 0.5, 0.9])
@pytest.mark.parametrize("goal", GOALS)
def test_flipped_labels_stay_within_what_is_tolerated(goal, share):
    alpha, beta, _, _, margin = goal
    tolerated = alpha * margin / 16
    settings = HalfspaceParameters.for_theorem(*goal, noise_rate=share * tolerated)
    least = settings.sizes.label_noise
    for n in (least, least + 7, 3 * least, settings.n_records):
        assert stats.binom.sf(math.floor(tolerated * n), n, share * tolerated) <= beta / 3
    divergence = stats.entropy([tolerated, 1 - tolerated], [share * tolerated, 1 - share * tolerated])
    assert math.exp(-least * divergence) <= beta / 3 < math.exp(-(least - 1) * divergence)
    if share == 0.5:  # the paper's rate: its Chernoff bound asks for more
        assert least <= theorem_25(*goal).label_noise


def test_a_noise_rate_beyond_the_theorem_is_refused():
    with pytest.raises(OptionError, match="noise_rate must be at least 0 and below"):
        HalfspaceParameters.for_theorem(*GOALS[0], noise_rate=0.2 * 0.5 / 16)
    with pytest.raises(OptionError, match="margin"):
        HalfspaceParameters.for_theorem(0.1, 0.1, 1.0, 1e-6, margin=1.5)


@pytest.mark.parametrize("goal", GOALS)
def test_generalisation_adds_half_of_alpha(goal):
    """The margin bound for vectors of norm 2 with margin 5 tau/32, by Rademacher complexity 2/sqrt(n)."""
    alpha, beta, _, _, margin = goal
    n = HalfspaceParameters.for_theorem(*goal).sizes.generalisation

    def added(n):
        return 2 / (5 * margin / 32) * 2 / math.sqrt(n) + math.sqrt(math.log(3 / beta) / (2 * n))

    assert added(n) <= alpha / 2 < added(n - 1)


def two_groups(margin, share, n=80):
    """Records of margin tau, of which a minority disagrees with the majority across the margin."""
    across = math.sqrt(1 - margin**2)
    minority = np.arange(n) < share * n
    signed = np.zeros((n, 4))
    signed[:, 0] = margin
    signed[:, 1] = np.where(minority, -across, across)
    return signed


@pytest.mark.parametrize("seed", range(3))
def test_the_proven_margin_is_reached(seed):
    """Section 4 of the page: the worst kappa n records have mean level at least 5/16 of the squared norms."""
    margin, density, beta = 0.45, 0.2, 0.1
    rounds = math.ceil(1024 * math.log(1 / density) / margin**2)
    signed = two_groups(margin, share=0.3)
    n, d = signed.shape
    flipped = int(density * margin / 4 * n)
    signed[:flipped] *= -1
    sigma = margin / 4 / math.sqrt(2 * math.log(3 * rounds * (n + 1) / beta))
    noise = sigma * np.random.default_rng(seed).normal(size=(rounds, d))

    def worst(learning_rate):
        _, levels, norms = boost_halfspaces(signed, density, rounds, learning_rate, noise)
        assert norms.min() >= margin / 2
        return np.sort(levels)[: int(density * n)].mean() / (norms**2).sum()

    proven = HalfspaceParameters.for_theorem(4 * density, beta, 1.0, 1e-6, margin)
    assert proven.rounds == rounds
    assert worst(proven.learning_rate) >= 5 / 16
    assert worst(1e-9) < 0  # without attention to the minority it is lost
