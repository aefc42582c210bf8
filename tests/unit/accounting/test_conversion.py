import math

import mpmath
import pytest
from dp_accounting import dp_event
from dp_accounting.rdp import RdpAccountant
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.accounting import ZCDP, ApproxDP, PureDP, calibrate, repeat, to_approx_dp
from discreet.errors import OptionError, PlanError

rhos = st.floats(-14, 6).map(math.exp)
deltas = st.floats(-60, -1).map(math.exp)


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
def test_epsilon_is_the_optimum_and_never_below_it(rho, delta):
    stated = to_approx_dp(ZCDP(rho), delta).epsilon
    optimum = reference_epsilon(rho, delta)
    assert stated >= optimum
    assert stated <= optimum * (1 + mpmath.mpf(10) ** -9) + mpmath.mpf(10) ** -11


@pytest.mark.parametrize("rho", [1e-4, 1e-2, 0.3, 4.0])
def test_against_dp_accounting_on_a_gaussian(rho):
    orders = [1 + 1.1**k for k in range(-60, 100)]
    accountant = RdpAccountant(orders)
    accountant.compose(dp_event.GaussianDpEvent(noise_multiplier=math.sqrt(1 / (2 * rho))))
    theirs = accountant.get_epsilon(1e-6)
    ours = to_approx_dp(ZCDP(rho), 1e-6).epsilon
    assert ours <= theirs  # a grid of orders cannot beat the best order
    assert ours >= theirs * 0.99


def test_pure_losses_need_no_delta():
    assert to_approx_dp(PureDP(0.7), 1e-6) == ApproxDP(0.7, 0.0)
    with pytest.raises(OptionError):
        to_approx_dp(ZCDP(0.1), 0.0)


@settings(max_examples=60, deadline=None)
@given(st.floats(-6, 3).map(math.exp), deltas, st.integers(1, 500))
def test_calibration_meets_the_target_and_no_smaller_scale_does(epsilon, delta, rounds):
    def loss(scale):
        return repeat(ZCDP(0.5 / scale**2), rounds)

    target = ApproxDP(epsilon, delta)
    scale = calibrate(loss, target)
    assert to_approx_dp(loss(scale), delta).epsilon <= epsilon
    assert to_approx_dp(loss(scale * 0.999), delta).epsilon > epsilon


def test_calibration_gives_up_with_a_sentence():
    with pytest.raises(PlanError, match="no amount of noise"):
        calibrate(lambda scale: PureDP(1.0), ApproxDP(0.5, 0))
    with pytest.raises(PlanError, match="no noise would be needed"):
        calibrate(lambda scale: PureDP(0.0), ApproxDP(0.5, 0))
