"""Statements as (epsilon, delta), against 50 digits and against independent accountants."""

import functools
import math

import mpmath
import numpy as np
import pytest
from dp_accounting import dp_event
from dp_accounting.pld import privacy_loss_distribution as pld
from dp_accounting.rdp import RdpAccountant
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.accounting import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    PureDP,
    advanced_composition,
    calibrate,
    guarantee,
)
from discreet.accounting.numerical import numerical_guarantee
from discreet.errors import MissingExtra, OptionError, PlanError

rhos = st.floats(-14, 6).map(math.exp)
deltas = st.floats(-60, -1).map(math.exp)
amounts = st.floats(-7, 1).map(math.exp)
KINDS = [PureDP, BoundedRange, GaussianDP, ZCDP]
losses = st.builds(lambda kind, amount: kind(amount), st.sampled_from(KINDS), amounts)
parts = st.lists(st.tuples(losses, st.integers(1, 60)), min_size=1, max_size=5)


def reference_epsilon(rho: float, delta: float) -> mpmath.mpf:
    """Minimise Proposition 12 of Canonne, Kamath, Steinke with 50 digits, by the root of its slope."""
    with mpmath.workdps(50):
        rho, delta = mpmath.mpf(rho), mpmath.mpf(delta)

        def slope(above):
            # d/da of: a rho + ln(1/delta)/(a-1) + ln(1-1/a) - ln(a)/(a-1), times (a-1)^2
            return rho * above**2 + mpmath.log(delta) + mpmath.log(1 + above)

        low, high = mpmath.mpf("1e-30"), mpmath.mpf("1e30")
        for _ in range(400):
            middle = mpmath.sqrt(low * high)
            low, high = (middle, high) if slope(middle) < 0 else (low, middle)
        a = 1 + low
        value = a * rho - mpmath.log(delta) / low + mpmath.log(1 - 1 / a) - mpmath.log(a) / low
        return max(value, mpmath.mpf(0))


@settings(max_examples=150, deadline=None)
@given(rhos, deltas)
def test_of_a_rho_it_is_the_optimum_and_never_below_it(rho, delta):
    stated = guarantee([(ZCDP(rho), 1)], delta).epsilon
    optimum = reference_epsilon(rho, delta)
    assert stated >= optimum
    assert stated <= optimum * (1 + mpmath.mpf(10) ** -9) + mpmath.mpf(10) ** -11


@pytest.mark.parametrize("rho", [1e-4, 1e-2, 0.3, 4.0])
def test_of_a_rho_against_dp_accounting(rho):
    accountant = RdpAccountant([1 + 1.1**k for k in range(-60, 100)])
    accountant.compose(dp_event.GaussianDpEvent(noise_multiplier=math.sqrt(1 / (2 * rho))))
    theirs = accountant.get_epsilon(1e-6)
    ours = guarantee([(ZCDP(rho), 1)], 1e-6).epsilon
    assert ours <= theirs  # a grid of orders cannot beat the best order
    assert ours >= theirs * 0.99


def test_pure_losses_need_no_delta():
    assert guarantee([(PureDP(0.7), 1)], 1e-6) == ApproxDP(0.7, 0.0)
    assert guarantee([(PureDP(0.5), 3)], 0.0) == ApproxDP(1.5, 0.0)
    assert guarantee([(PureDP(0.01), 10_000)], 1e-6).delta == 1e-6
    for loss in (ZCDP(0.1), BoundedRange(0.1), GaussianDP(0.1)):
        with pytest.raises(OptionError):
            guarantee([(loss, 1)], 0.0)


@settings(max_examples=200, deadline=None)
@given(parts, deltas)
def test_a_repeat_is_a_composition_of_copies(spent, delta):
    listed = [(loss, 1) for loss, times in spent for _ in range(times)]
    assert guarantee(spent, delta).epsilon == pytest.approx(guarantee(listed, delta).epsilon, rel=1e-9)


@settings(max_examples=200, deadline=None)
@given(parts, deltas, losses, st.floats(1.01, 3))
def test_more_never_costs_less(spent, delta, more, factor):
    before = guarantee(spent, delta)
    slightly_less = before.epsilon * (1 - 1e-9)
    assert guarantee([*spent, (more, 1)], delta).epsilon >= slightly_less
    (loss, times), *rest = spent
    (amount,) = vars(loss).values()
    assert guarantee([(type(loss)(amount * factor), times), *rest], delta).epsilon >= slightly_less
    assert guarantee([(loss, times + 1), *rest], delta).epsilon >= slightly_less
    if before.delta:
        assert guarantee(spent, delta / factor).epsilon >= slightly_less


def an_adversary(loss):
    """Return the loss distribution of one pair that has this loss, rounded optimistically."""
    rough = {"pessimistic_estimate": False, "value_discretization_interval": 1e-3}
    if isinstance(loss, GaussianDP):
        return pld.from_gaussian_mechanism(1 / loss.mu, **rough)
    top = loss.epsilon if isinstance(loss, PureDP) else loss.width / 2
    p = {"more": math.log(1 / (1 + math.exp(-top))), "less": math.log(1 / (1 + math.exp(top)))}
    return pld.from_two_probability_mass_functions(p, {"more": p["less"], "less": p["more"]}, **rough)


def random_composition(rng):
    kinds = rng.choice(3, size=rng.integers(1, 4), replace=False)
    scale = math.exp(rng.uniform(-4, 0.5))
    return [(KINDS[kind](scale * rng.uniform(0.3, 1)), int(rng.integers(1, 80))) for kind in kinds]


@pytest.mark.parametrize("compositions", [40, pytest.param(2_000, marks=pytest.mark.slow)])
def test_never_below_an_independent_accountant(compositions, report):
    """Its figure for one adversary, rounded optimistically, is a lower bound of any sound statement."""
    rng = np.random.default_rng(compositions)
    tightest = 0.0
    for _ in range(compositions):
        spent, delta = random_composition(rng), 10 ** rng.uniform(-9, -3)
        composed = [an_adversary(loss).self_compose(times) for loss, times in spent]
        total = functools.reduce(pld.PrivacyLossDistribution.compose, composed)
        least, stated = total.get_epsilon_for_delta(delta), guarantee(spent, delta).epsilon
        assert stated >= least
        tightest = max(tightest, least / stated)
    report("accounting: stated epsilon", f"{compositions:,} compositions", f"{tightest:.4f} of it attained")
    assert tightest > 0.95


def test_numerically_it_may_be_less_and_never_more_for_pure_and_gaussian_losses():
    spent = [(PureDP(0.3), 4), (GaussianDP(0.4), 2), (PureDP(0.0), 3)]
    numerical, stated = numerical_guarantee(spent, 1e-6), guarantee(spent, 1e-6).epsilon
    assert 0.6 * stated < numerical < 0.95 * stated
    with pytest.raises(OptionError):
        numerical_guarantee([(ZCDP(1), 1)], 1e-6)


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "dp_accounting.pld", None)
    with pytest.raises(MissingExtra, match=r'pip install "discreet\[accounting\]"'):
        numerical_guarantee([(PureDP(1), 1)], 1e-6)


@pytest.mark.parametrize(
    "loss", [BoundedRange(800.0), BoundedRange(1e200), GaussianDP(1e200), ZCDP(1e308), PureDP(1e308)]
)
def test_absurd_losses_are_stated_and_do_not_crash(loss):
    assert guarantee([(loss, 3)], 1e-6).epsilon > 700


def test_the_papers_composition_is_reproduced_and_looser():
    """The thesis's Theorem 2.5.3, worked out by hand for 100 rounds of 0.01 at 1e-5."""
    assert advanced_composition(0.01, 100, 1e-5) == pytest.approx(0.4798526 + 0.0100502, abs=1e-6)
    assert guarantee([(PureDP(0.01), 100)], 1e-5).epsilon < advanced_composition(0.01, 100, 1e-5)


@pytest.mark.parametrize("kind", [ZCDP, BoundedRange, GaussianDP, PureDP])
@pytest.mark.parametrize("examples", [40, pytest.param(500, marks=pytest.mark.slow)])
def test_calibration_meets_the_target_and_a_thousandth_less_noise_does_not(kind, examples, report):
    rng = np.random.default_rng(examples)
    for _ in range(examples):
        epsilon, rounds = math.exp(rng.uniform(-6, 3)), int(rng.integers(1, 500))
        delta = 0.0 if kind is PureDP else 10 ** rng.uniform(-12, -2)

        def spent(scale, rounds=rounds):
            return [(kind(1 / scale), rounds)]

        scale = calibrate(spent, ApproxDP(epsilon, delta))
        assert guarantee(spent(scale), delta).epsilon <= epsilon
        assert guarantee(spent(scale * 0.999), delta).epsilon > epsilon
    report(f"calibration: {kind.__name__}", f"{examples} targets", "smallest noise, to a thousandth")


def test_calibration_gives_up_with_a_sentence():
    with pytest.raises(PlanError, match="no amount of noise"):
        calibrate(lambda scale: [(PureDP(1.0), 1)], ApproxDP(0.5, 0))
    with pytest.raises(PlanError, match="no noise would be needed"):
        calibrate(lambda scale: [(PureDP(0.0), 1)], ApproxDP(0.5, 0))
