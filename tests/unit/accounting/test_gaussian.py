"""The Gaussian loss of bounded-range releases: conversion, lemma by search, theorem by recursion."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.accounting import ZCDP, BoundedRange, GaussianDP, PureDP
from discreet.accounting.gaussian import epsilon_by_gaussian, gaussian_delta, gaussian_total


def reference_delta(mu, epsilon):
    """Balle and Wang's formula with 60 digits."""
    with mpmath.workdps(60):
        mu, epsilon = mpmath.mpf(mu), mpmath.mpf(epsilon)
        return mpmath.ncdf(-epsilon / mu + mu / 2) - mpmath.exp(epsilon) * mpmath.ncdf(-epsilon / mu - mu / 2)


@settings(max_examples=300, deadline=None)
@given(st.floats(-7, 3).map(math.exp), st.floats(0, 12))
def test_delta_is_rounded_up_and_hardly(mu, deviations):
    epsilon = mu * deviations
    stated, exact = gaussian_delta(mu, epsilon), reference_delta(mu, epsilon)
    assert stated >= exact
    # The margin is a share of the two terms, which nearly cancel where mu is small.
    assert stated <= exact * (1 + mpmath.mpf(10) ** -6) + mpmath.mpf(10) ** -40


@pytest.mark.parametrize(
    ("mu", "epsilon"),
    [
        (14.319020994986964, 448.21653285071517),  # the second term's erfc is subnormal
        (30.440594936636508, 699.9648477004143),
        (156668374.1, 1.227248989274897e16),  # the first argument cancels
        (1e-170, 0.0),
        (3.0, 5000.0),
        (1e-6, 1e-6),
    ],
)
def test_delta_is_rounded_up_in_the_corners(mu, epsilon):
    assert gaussian_delta(mu, epsilon) >= reference_delta(mu, epsilon)


def test_small_losses_do_not_vanish_in_a_sum():
    small = [(GaussianDP(2.0**-27), 1)] * 100_000
    exact = math.sqrt(1 + 100_000 * 2.0**-54)
    assert gaussian_total([(GaussianDP(1.0), 1), *small]).mu >= exact * (1 - 2**-53)
    assert gaussian_total([(GaussianDP(1e-170), 1)]).mu > 0
    assert gaussian_total([(BoundedRange(1e-170), 1)]).mu > 0


@settings(max_examples=100, deadline=None)
@given(st.floats(-7, 3).map(math.exp), st.floats(-40, -1).map(math.exp))
def test_epsilon_is_the_smallest(mu, delta):
    epsilon = epsilon_by_gaussian(mu, delta)
    assert reference_delta(mu, epsilon) <= delta
    assert epsilon < 1e-9 or reference_delta(mu, epsilon * (1 - 1e-6)) > delta * (1 - 1e-6)


def two_points(width, top):
    """Return the log ratios, and their probabilities under P, of the extreme pair with this largest one."""
    below = -math.expm1(top - width) / (math.exp(top) - math.exp(top - width))
    return (top, top - width), (below * math.exp(top), 1 - below * math.exp(top))


def test_the_lemma_by_search(report):
    """One release before a Gaussian of square v: its delta curve is below that of square v^2/(v - c)."""
    rng, closest, tried = np.random.default_rng(0), 0.0, 0
    for _ in range(4_000):
        width = math.exp(rng.uniform(-4, 1.5))
        c = width**2 / 4
        v = c * (2 + math.exp(rng.uniform(-8, 5)))
        ratios, chances = two_points(width, width * rng.uniform(0.001, 0.999))
        after = math.sqrt(v**2 / (v - c))
        for epsilon in rng.uniform(-5, 5, 4) * after + after**2 / 2:
            found = sum(
                chance * float(reference_curve(math.sqrt(v), epsilon - ratio))
                for ratio, chance in zip(ratios, chances, strict=True)
            )
            bound = float(reference_curve(after, epsilon))
            tried += 1
            if bound > 1e-9:
                closest = max(closest, found / bound)
    report("accounting: the lemma of bounded ranges", f"{tried:,} points", f"{closest:.6f} of the bound")
    assert 0.99 < closest <= 1 + 1e-9


def reference_curve(mu, epsilon):
    """Return delta at any epsilon, also below 0, in floats."""
    first = math.erfc((epsilon / mu - mu / 2) / math.sqrt(2)) / 2
    return first - math.exp(epsilon) * math.erfc((epsilon / mu + mu / 2) / math.sqrt(2)) / 2


def worst_adaptive(widths, cells=24, per_width=12):
    """Return (epsilons, delta) of the worst adaptive adversary by recursion over its remaining epsilon.

    On a grid, with the extreme pairs of ``cells`` values of their largest ratio: a lower bound but for the
    interpolation, whose error is of second order in the grid's step.
    """
    step, reach = min(widths) / per_width, sum(widths)
    grid = np.arange(-reach, reach + step / 2, step)
    delta = np.maximum(0, -np.expm1(grid))
    for width in reversed(widths):
        pairs = [two_points(width, width * share) for share in (np.arange(cells) + 0.5) / cells]
        delta = np.max(
            [
                sum(p * _beyond(grid - ratio, grid, delta) for ratio, p in zip(*pair, strict=True))
                for pair in pairs
            ],
            axis=0,
        )
    return grid, delta


def _beyond(epsilon, grid, delta):
    """Continue a curve past its grid: nothing is left above, and delta is 1 - exp(epsilon) below."""
    below = -np.expm1(np.minimum(epsilon, 0))
    return np.select([epsilon >= grid[-1], epsilon <= grid[0]], [0, below], np.interp(epsilon, grid, delta))


@pytest.mark.parametrize(
    ("widths", "least"), [([0.5] * 6, 0.4), ([0.2] * 40, 0.8), ([0.1] * 100, 0.9), ([0.3, 0.6] * 10, 0.6)]
)
def test_the_theorem_by_recursion(widths, least, report):
    """Compare epsilons at equal delta: no adaptive adversary reaches the bound; a long one comes close."""
    mu = gaussian_total([(BoundedRange(width), 1) for width in widths]).mu
    epsilons, deltas = worst_adaptive(widths)
    here = (deltas > 1e-8) & (deltas < 0.1)
    reached = max(
        epsilon / epsilon_by_gaussian(mu, delta)
        for epsilon, delta in zip(epsilons[here], deltas[here], strict=True)
    )
    report("accounting: adaptive bounded ranges", f"{len(widths)} releases", f"{reached:.4f} of epsilon")
    assert least < reached <= 1


def test_the_order_that_is_assumed_is_the_worst():
    for widths in ([0.5, 0.2, 0.1], [1.0, 0.9, 0.3]):
        stated = gaussian_total([(BoundedRange(width), 1) for width in widths]).mu ** 2
        for order in itertools.permutations([width**2 / 4 for width in widths] + [-0.04]):
            v = 2 * max(order)
            for c in order:  # from the last release to the first; the Gaussian one just adds its square
                v = v - c if c < 0 else v * v / (v - c)
            assert v <= (stated + 0.04) * (1 + 1e-12)


def test_what_is_in_a_total():
    assert gaussian_total([(GaussianDP(3.0), 1), (GaussianDP(4.0), 1)]).mu == pytest.approx(5)
    assert gaussian_total([(PureDP(0.1), 9)]) == gaussian_total([(BoundedRange(0.2), 9)])
    assert gaussian_total([(BoundedRange(0.2), 4), (BoundedRange(0.2), 5)]).mu == pytest.approx(
        gaussian_total([(BoundedRange(0.2), 9)]).mu, rel=1e-12
    )
    assert gaussian_total([(ZCDP(0.1), 1), (GaussianDP(1.0), 1)]) is None


@pytest.mark.parametrize(("rounds", "extra"), [(100, 6.5), (500, 8.1), (10_000, 11.1)])
def test_the_extra_rounds_grow_like_a_logarithm(rounds, extra):
    """What the docstring says: (T + ln T + O(1)) c."""
    c = 0.1**2 / 4
    assert gaussian_total([(BoundedRange(0.1), rounds)]).mu ** 2 / c == pytest.approx(rounds + extra, abs=0.2)
