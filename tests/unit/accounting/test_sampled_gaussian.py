"""The price of Gaussian noise on one drawn record, against integrals and convolutions."""

import math

import numpy as np
import pytest
from scipy.signal import fftconvolve

from discreet.accounting import GaussianDP, PureDP, SampledGaussianDP, compose, guarantee
from discreet.accounting.losses import ApproxDP
from discreet.accounting.privacy_filter import PrivacyFilter
from discreet.accounting.renyi import renyi_curve
from discreet.accounting.sampled_gaussian import _log_central_moments
from discreet.errors import OptionError

STEP = 4e-3
LINE = np.arange(-40, 40, STEP)


def log_normal(mean):
    return -((LINE - mean) ** 2) / 2 - math.log(2 * math.pi) / 2


def outputs(mu, share, rest):
    """Return log densities of a step on neighbours: records at -mu/2 and mu/2, the others at ``rest``."""
    common = math.log1p(-share) + log_normal(rest)
    return [np.logaddexp(common, math.log(share) + log_normal(place)) for place in (-mu / 2, mu / 2)]


@pytest.mark.parametrize("mu", [0.05, 0.3, 1.0, 2.0])
@pytest.mark.parametrize("share", [0.5, 0.1, 0.01])
def test_divergences_are_bounded(mu, share):
    curve = renyi_curve(SampledGaussianDP(mu, share))
    for rest in (-mu / 2, 0, mu / 2):
        for p, q in (outputs(mu, share, rest), outputs(mu, share, rest)[::-1]):
            for order in (1.2, 2, 2.5, 3, 4, 7, 12):
                exact = math.log(np.exp(order * p + (1 - order) * q).sum() * STEP) / (order - 1)
                assert exact <= curve(order) * (1 + 1e-9) + 1e-12
    assert curve(300) == pytest.approx(150 * mu**2)


def test_a_rare_draw_of_small_effect_is_nearly_as_cheap_as_its_square():
    curve = renyi_curve(SampledGaussianDP(0.05, 0.01))
    assert curve(2) == pytest.approx(0.05**2 * 0.01**2, rel=0.01)
    assert renyi_curve(SampledGaussianDP(0.05, 1.0))(2) <= 0.05**2 * (1 + 1e-8)


def test_moments_in_the_plane():
    """u and s of length mu and mu apart, which a line does not have: by a grid of normal draws."""
    mu, side = 0.4, np.arange(-9, 9, 0.02)
    x, y = np.meshgrid(side, side)
    weight = np.exp(-(x**2 + y**2) / 2) / (2 * math.pi) * 0.02**2
    u, s = mu * np.array([1, 0]), mu * np.array([0.5, math.sqrt(0.75)])
    a, b = (np.exp(x * v[0] + y * v[1] - mu**2 / 2) for v in (u, s))
    bound = np.exp(_log_central_moments(mu)[:9])
    for j in (2, 3, 4, 5, 6, 8):
        exact = (weight * np.abs(a - b) ** j).sum()
        assert exact <= bound[j] * (1 + 1e-9)
        if j == 2:
            assert exact == pytest.approx(bound[2], rel=1e-6)


def exact_delta(mu, share, times, epsilon, rest, grid=2e-3):
    """Return a lower bound of the delta of repeats, its loss rounded down to a grid, by convolution."""
    p, q = outputs(mu, share, rest)
    losses = np.floor((p - q) / grid).astype(int)
    low = losses.min()
    single = np.bincount(losses - low, weights=np.exp(p) * STEP)
    total, start = single, low
    for _ in range(times - 1):
        total, start = fftconvolve(total, single), start + low
    loss = (start + np.arange(len(total))) * grid
    above = loss > epsilon
    return float((total[above] * -np.expm1(epsilon - loss[above])).sum())


@pytest.mark.parametrize(
    ("mu", "share", "times"), [(0.3, 0.5, 9), (0.3, 0.5, 20), (0.6, 0.25, 12), (1.0, 0.1, 12)]
)
def test_the_stated_epsilon_has_its_delta(mu, share, times):
    loss, delta = SampledGaussianDP(mu, share), 1e-4
    stated = guarantee([(loss, times)], delta).epsilon
    worst = max(exact_delta(mu, share, times, stated, rest) for rest in (-mu / 2, 0, mu / 2))
    assert worst <= delta
    # The check can fail: two fifths of the epsilon have a larger delta.
    assert max(exact_delta(mu, share, times, 0.4 * stated, rest) for rest in (-mu / 2, 0, mu / 2)) > delta


def test_it_composes():
    loss = SampledGaussianDP(0.2, 0.1)
    assert compose([(loss, 3)]).rho == pytest.approx(0.06)
    assert guarantee([(loss, 50)], 1e-6).epsilon < guarantee([(GaussianDP(0.2), 50)], 1e-6).epsilon / 3
    assert guarantee([(loss, 50), (PureDP(0.1), 1)], 1e-6).epsilon > guarantee([(loss, 50)], 1e-6).epsilon
    assert guarantee([(SampledGaussianDP(math.inf, 0.5), 1)], 1e-6).epsilon == math.inf
    assert math.isfinite(guarantee([(SampledGaussianDP(80.0, 0.5), 1)], 1e-6).epsilon)


def test_no_account_takes_it():
    rule = PrivacyFilter.under(ApproxDP(1.0, 1e-6))
    with pytest.raises(OptionError, match="an account takes"):
        rule.after(None, [(SampledGaussianDP(0.1, 0.1), 1)])
    with pytest.raises(OptionError, match="share"):
        SampledGaussianDP(0.1, 0.0)
