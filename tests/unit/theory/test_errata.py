"""Errata of Bun, Carmosino, Sorrell 2020, each by a counter-example or a check (docs/theory.md, section 3).

E4, E5 and E6 carry the numbers of PRIVACY.md 9; the others were found while the calculators were written.
"""

import inspect
import math

import numpy as np
import pytest
from scipy import stats

from discreet.accounting import ZCDP, ApproxDP
from discreet.errors import OptionError
from discreet.theory import (
    HalfspaceParameters,
    advanced_composition,
    guaranteed_margin,
    sampled_epsilon,
    slickness,
    stopped_round_loss,
    theorem_25,
    theorem_53,
    theorem_56,
    theorem_57,
    weak_learner_loss,
)


def test_e4_the_loss_of_the_weak_learner_has_a_square():
    # Sensitivity 2 (1/(kappa n) + s) = 0.04, and a Gaussian of deviation 0.1.
    loss = weak_learner_loss(density=0.25, n_records=400, slickness=slickness(0.25, 400), sigma=0.1)
    assert isinstance(loss, ZCDP)
    assert loss.rho == pytest.approx(0.04**2 / (2 * 0.1**2))
    assert loss.rho == pytest.approx(8 / (100 * 0.1) ** 2)  # as the proof of Theorem 25 uses it
    body = 2 * (1 / 100 + 1 / 100) / 0.1**2
    assert body == pytest.approx(50 * loss.rho)


def test_e5_a_stopped_round_is_approximately_private_and_not_zcdp():
    loss = stopped_round_loss(0.3, 1e-3)
    assert isinstance(loss, ApproxDP)
    assert loss == ApproxDP(0.6, math.exp(0.3) * 1e-3)
    # A learner within (0.3, 1e-3) that tells one bit of its record with probability 1e-3, else nothing:
    outputs = {0: np.array([1 - 1e-3, 1e-3, 0]), 1: np.array([1 - 1e-3, 0, 1e-3])}
    excess = np.maximum(outputs[0] - math.exp(0.3) * outputs[1], 0).sum()
    assert excess <= 1e-3
    with np.errstate(divide="ignore"):
        renyi = math.log(np.sum(outputs[0] ** 2 / outputs[1], where=outputs[0] > 0))
    assert renyi == math.inf


@pytest.mark.parametrize("base_epsilon", [0.05, 0.5])
@pytest.mark.parametrize("distance", [0.001, 0.05, 0.3])
def test_e6_a_pure_learner_on_sampled_records_stays_pure(base_epsilon, distance):
    """Randomised response on each of m sampled bits, exactly: its loss is m ln(1 + zeta (e^eps - 1))."""
    size, shift = 7, math.exp(base_epsilon)
    worst = 0.0
    for p in np.linspace(0, 1 - distance, 101):
        ones = [(q * shift + (1 - q)) / (1 + shift) for q in (p, p + distance)]
        ratios = [ones[1] / ones[0], (1 - ones[0]) / (1 - ones[1])]
        worst = max(worst, size * math.log(max(ratios)))
    assert worst == pytest.approx(size * math.log1p(distance * (shift - 1)))
    assert worst <= sampled_epsilon(base_epsilon, size, distance)


def test_e6_the_factors_of_delta_differ_so_no_calculator_takes_one():
    base_epsilon, size, density, n = 0.1, 1000, 0.1, 40_000
    lemma_55 = 1 + math.exp(2 * size / (density * n))
    proof_of_57 = 1 + math.exp(2 * base_epsilon * size / (density * n))
    assert lemma_55 > 1.2 * proof_of_57
    for calculator in (theorem_56, theorem_57, sampled_epsilon):
        assert "base_delta" not in inspect.signature(calculator).parameters
    with pytest.raises(OptionError, match="1/2"):
        sampled_epsilon(0.6, size, 1e-4)


def test_theorem_57_composes_to_its_budget_and_says_which_constant_does():
    plan = theorem_57(0.2, 50, 0.1, 0.1, epsilon=1.0, delta=1e-6)
    spent = sampled_epsilon(0.2, 50, 1 / (0.1 * plan.n_records))
    assert spent <= plan.round_epsilon
    assert spent * (plan.n_records / (plan.n_records - 1)) > plan.round_epsilon
    total = advanced_composition(ApproxDP(spent, 0.0), plan.rounds, 1e-6)
    assert 0.5 < total.epsilon <= 1.0
    assert total.delta == 1e-6
    assert theorem_57(0.2, 50, 0.1, 0.1, epsilon=100.0, delta=1e-6).n_records > 50  # and never below m


def test_theorem_56_is_57_times_what_its_statement_adds():
    goal = (0.2, 50, 0.05, 0.1, 1.0, 1e-6)
    ratio = theorem_56(*goal, failure=0.05).n_records / theorem_57(*goal).n_records
    assert ratio == pytest.approx(math.log(20) * math.log(10) / 0.05**2, rel=1e-4)
    assert theorem_56(*goal, failure=0.05, constant=3.0).n_records == pytest.approx(
        3 * theorem_56(*goal, failure=0.05).n_records, rel=1e-6
    )


def test_algorithm_4_has_not_the_learning_rate_of_theorem_20():
    """Lambda = tau/8 equals the advantage, and gamma <= theta/2 + lambda + ... says nothing of theta."""
    margin, density = 0.5, 0.05
    rounds = math.ceil(1024 * math.log(1 / density) / margin**2)
    advantage = margin / 8
    printed, of_theorem_20 = margin / 8, advantage / 4
    assert guaranteed_margin(rounds, printed / 2, advantage, density) < 0
    assert guaranteed_margin(rounds, of_theorem_20 / 2, advantage, density) >= advantage


def test_theorem_27_needs_a_normalised_hypothesis():
    """Records tau u +- s e_j: the mean is z = tau u, and h(x) = z x has advantage tau^2/2, not tau/4."""
    margin, d = 0.1, 50
    across = math.sqrt(1 - margin**2) * np.vstack([np.eye(d), -np.eye(d)])
    signed = np.hstack([np.full((2 * d, 1), margin), across])  # y x; label times record
    z = signed.mean(axis=0)
    assert np.allclose(np.linalg.norm(signed, axis=1), 1)
    plain, normalised = (np.mean(signed @ h) / 2 for h in (z, z / np.linalg.norm(z)))
    assert plain == pytest.approx(margin**2 / 2)
    assert plain < margin / 4 <= normalised


def test_lemma_24_holds_in_few_dimensions_only():
    """It takes |nu_t| <= tau/8 to be likely; the norm of a Gaussian vector grows with the dimension."""
    settings = HalfspaceParameters.for_theorem(0.1, 0.05, 1.0, 1e-6, margin=0.2)
    printed_sigma = 0.2 / (8 * math.sqrt(0.5) * math.sqrt(math.log(3 * settings.rounds / 0.05)))
    likely = {d: stats.chi2.cdf((0.2 / 8 / printed_sigma) ** 2, d) for d in (1, 100)}
    assert likely[1] > 0.99
    assert likely[100] < 1e-20
    assert 100 < settings.max_dimension < math.inf


def test_theorem_53_has_lost_a_root_of_two():
    epsilon, delta, delta_prime = 0.01, 1e-9, 1e-6
    run = theorem_53(epsilon, delta, 0.1, 0.1, 0.05, delta_prime)
    assert run.loss == advanced_composition(stopped_round_loss(epsilon, delta), run.rounds, delta_prime)
    linear = 2 * run.rounds * epsilon**2
    root = 2 * epsilon * math.sqrt(run.rounds * math.log(1 / delta_prime))
    assert run.loss.epsilon == pytest.approx(linear + math.sqrt(2) * root)
    assert run.loss.epsilon > linear + root
    assert run.loss.delta == pytest.approx(run.rounds * math.exp(epsilon) * delta + delta_prime)


def test_theorem_53_needs_a_sample_that_grows_as_one_over_kappa():
    epsilon, delta, beta = 0.1, 1e-6, 0.05

    def stops_too_early(density, n, rounds):
        """P(some of the tests stops) while the mass is kappa n: the threshold is kappa n/2."""
        slack = density * n / 2 - 2 - math.log(1 / delta) / epsilon
        return rounds * stats.laplace.cdf(-slack * epsilon)

    for density, enough in [(0.2, True), (0.01, False)]:
        run = theorem_53(epsilon, delta, 0.1, density, beta, 1e-6)
        assert stops_too_early(density, run.n_records, run.rounds) <= beta / 2
        printed = 11 * math.log(run.rounds / (beta * delta)) / epsilon  # as the paper, with c = 11
        assert (stops_too_early(density, printed, run.rounds) <= beta / 2) == enough
    assert stops_too_early(0.01, printed, rounds=1) > 0.99
    with pytest.raises(OptionError, match="beta must be at least delta"):
        theorem_53(epsilon, 0.01, 0.1, 0.1, beta=0.001, delta_prime=1e-6)


def test_theorem_53_stops_within_the_rounds_of_theorem_51_at_half_kappa():
    run = theorem_53(0.01, 1e-9, 0.1, 0.2, 0.05, 1e-6)
    bound = 2 / (0.1 * 0.1**2 * math.sqrt(0.9))
    assert run.rounds < bound <= run.rounds + 1
    assert run.margin == pytest.approx(0.1 / 2.1)


def test_theorem_25_as_printed_is_its_own_arithmetic():
    alpha, beta, epsilon, delta, margin = 0.1, 0.05, 1.0, 1e-6, 0.2
    sizes = theorem_25(alpha, beta, epsilon, delta, margin)
    density, log_k = alpha / 4, math.log(4 / alpha)
    sigma = margin / (8 * math.sqrt(0.5) * math.sqrt(math.log(3072 * log_k / (beta * margin**2))))
    one = weak_learner_loss(density, sizes.privacy, slickness(density, sizes.privacy), sigma).rho
    total = 1024 * log_k / margin**2 * one
    assert 3 * math.sqrt(total * math.log(1 / delta)) == pytest.approx(epsilon, rel=1e-6)
    assert sizes.label_noise == math.ceil(96 * math.log(3 / beta) / (alpha * margin))
    d = 4 / (margin / 8 / 16) ** 2

    def term_of_theorem_23(n):
        capacity = d * math.log(34 * math.e * n / d) * math.log2(578 * n)
        return math.sqrt(2 / n * (capacity + math.log(4 / (beta / 3))))

    assert term_of_theorem_23(sizes.generalisation) <= alpha / 2
    assert term_of_theorem_23(sizes.generalisation * 0.999) > alpha / 2
    assert sizes.total == sizes.generalisation
    with pytest.raises(OptionError, match="3 ln"):
        theorem_25(0.1, 0.05, 100.0, 1e-6, 0.2)
