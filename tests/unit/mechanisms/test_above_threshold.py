"""AboveThreshold: its rules, its loss, its noise, and the distribution that the enumeration assumes."""

import math

import mpmath
import numpy as np
import pytest

from discreet.accounting import PureDP
from discreet.errors import ReleaseRefused
from discreet.mechanisms import above_threshold
from discreet.mechanisms.above_threshold import AboveThreshold, discrete_laplace, threshold_loss
from discreet.mechanisms.claims import Claim, Terms
from discreet.mechanisms.rehearsal import PROBABILITY_ERROR, ReplaySampler
from discreet.mechanisms.release import Release
from discreet.mechanisms.selection import OpenDPSampler
from discreet.testing import stopping_probabilities

CLAIM = Claim("threshold", "change", 8, 1, "test")


def scripted(*noise):
    """Noise that was fixed beforehand, with the scales that were asked for."""
    left, scales = iter(noise), []

    def draw(scale):
        scales.append(scale)
        return next(left)

    return draw, scales


def test_one_threshold_a_run_and_twice_the_noise_on_queries():
    draw, scales = scripted(5, 0, 3, 3)
    test = AboveThreshold(draw, 10.0)
    # 4 < 5; 1 + 3 < 5; 2 + 3 >= 5.
    assert [test.above(value) for value in (4, 1, 2)] == [False, False, True]
    assert scales == [10.0, 20.0, 20.0, 20.0]


def test_the_first_yes_ends_the_run():
    test = AboveThreshold(scripted(0, 0)[0], 1.0)
    assert test.above(0)
    with pytest.raises(ReleaseRefused, match="first yes"):
        test.above(-5)


def test_sums_do_not_wrap_around():
    test = AboveThreshold(scripted(-(2**80), 2**70, -(2**90))[0], 1.0)
    assert test.above(2**62)
    assert not AboveThreshold(scripted(0, -(2**90))[0], 1.0).above(2**62)


def test_the_loss_is_that_of_the_formula():
    """2 d / b: d/b for the threshold, 2d/2b for the query that is answered with yes."""
    for scale in (1e-3, 3.0, 2.0**40):
        loss = threshold_loss(CLAIM, scale)
        assert isinstance(loss, PureDP)
        assert 2 * 8 / scale <= loss.epsilon <= 2 * 8 / scale * (1 + 1e-12)
    assert threshold_loss(CLAIM, 1e-320) == PureDP(math.inf)


def test_release_lets_one_run_start():
    terms = Terms(CLAIM, 1, "laplace", 2.5, threshold_loss(CLAIM, 2.5))
    sampler = ReplaySampler([0, 1])
    release = Release([terms], sampler)
    test = release.threshold_test(CLAIM)
    assert [test.above(-3), test.above(7)] == [False, True]
    assert [(ask.scores.tolist(), ask.noise, ask.scale) for ask in sampler.asked] == [
        ([-3], "laplace", 2.5),
        ([-3, 7], "laplace", 2.5),
    ]
    with pytest.raises(ReleaseRefused, match="1 releases are used up"):
        release.threshold_test(CLAIM)
    assert release.claims == ()  # a weak learner's only


def exact_probabilities(queries, scale):
    """The definition, with 40 digits and all thresholds of a probability above 1e-25."""
    with mpmath.workdps(40):
        a = mpmath.exp(-1 / (2 * mpmath.mpf(scale)))

        def below(k):
            return a ** (1 - k) / (1 + a) if k <= 0 else 1 - a**k / (1 + a)

        no = yes = mpmath.mpf(0)
        for threshold in range(-int(60 * scale), int(60 * scale) + 1):
            weight = a ** (2 * abs(threshold)) * mpmath.fprod(below(threshold - q) for q in queries[:-1])
            last = below(threshold - queries[-1])
            no, yes = no + weight * last, yes + weight * (1 - last)
        return np.array([no / (no + yes), yes / (no + yes)])


def test_enumerated_probabilities_are_those_of_the_definition():
    rng = np.random.default_rng(0)
    for _ in range(30):
        scale = float(rng.choice([0.6, 2.3, 6.1]))
        queries = rng.integers(-int(19 * scale), int(19 * scale) + 1, rng.integers(1, 4)).tolist()
        found, exact = stopping_probabilities(queries, scale), exact_probabilities(queries, scale)
        assert max(abs(float(mpmath.mpf(float(p)) / q - 1)) for p, q in zip(found, exact, strict=True)) < (
            PROBABILITY_ERROR / 100
        )


def test_large_scales_agree_with_the_limit():
    """Multiplied by a million, queries and scale give nearly the same: the noise is fine then."""
    for queries in ([3], [-4, 2], [1, -2, 0]):
        fine = stopping_probabilities([q * 10**6 for q in queries], 5e6)
        finer = stopping_probabilities([q * 10**9 for q in queries], 5e9)
        np.testing.assert_allclose(fine, finer, rtol=1e-6)


def test_what_the_error_is_not_proven_for_is_refused():
    for queries, scale in (([0] * 4, 1.0), ([21], 1.0), ([0, -41], 2.0)):
        with pytest.raises(ValueError, match="the error is proven"):
            stopping_probabilities(queries, scale)


def test_noise_goes_on_where_int64_ends(monkeypatch):
    """From an end of int64 on, draws are added, and those to the other side drawn again."""
    top, bottom = 2**63 - 1, -(2**63)
    for draws, total in (
        ([top, -3, 7], top + 7),
        ([bottom, 4, bottom, 9, 0], 2 * bottom),
        ([5], 5),
        ([top, top, 1], 2 * top + 1),
    ):
        left = iter(draws)
        monkeypatch.setattr(above_threshold, "_laplace", lambda scale, left=left: lambda value: next(left))
        assert discrete_laplace(1.0) == total
        assert next(left, None) is None


def test_beyond_int64_noise_is_as_wide_as_it_should_be():
    """At a scale of 2^64, 1,000 draws have a mean size of a scale, within a quarter but for 1e-11."""
    sizes = [abs(discrete_laplace(2.0**64)) / 2.0**64 for _ in range(1_000)]
    assert 0.75 < np.mean(sizes) < 1.25


def test_production_draws_from_opendp():
    test = OpenDPSampler().threshold_test(1e-3)  # with probability exp(-500), another answer
    assert not test.above(-1)
    assert test.above(1)
