"""Selections draw the stated distribution, reject a scale 5% off, and never repeat themselves.

False alarms: each acceptance fails with probability 1e-7 on sound noise; each rejection of a scale 5% off
fails with less, as `test_the_test_is_strong_enough` computes; two runs that must differ agree with
probability 2^-240.
"""

import itertools

import numpy as np
import pytest
from scipy import stats

from discreet.mechanisms.selection import OpenDPSampler
from discreet.testing import SeededSampler, selection_probabilities
from tests.harness.samplers import (
    DRAWS,
    FALSE_ALARM,
    GAPS,
    SCALES,
    VECTOR_SCALES,
    Draws,
    VectorDraws,
    runs_in_children,
    six_bits_forty_times,
)

NOISES = ["exponential", "gumbel"]
one_now_all_later = pytest.mark.parametrize(
    "scale",
    [SCALES[2], *(pytest.param(scale, marks=pytest.mark.slow) for scale in SCALES if scale != SCALES[2])],
)


def test_the_test_is_strong_enough():
    """The statistic of draws at a scale 5% off is noncentral chi-square; its lower tail is a false alarm."""
    scores = np.rint(GAPS * SCALES[2]).astype(np.int64)
    freedom = len(GAPS) - 1
    threshold = stats.chi2.isf(FALSE_ALARM, freedom)
    for noise, factor in itertools.product(NOISES, (0.95, 1.05)):
        true, assumed = (selection_probabilities(scores, noise, SCALES[2] * f) for f in (1, factor))
        centre = DRAWS * ((true - assumed) ** 2 / assumed).sum()
        assert stats.ncx2.cdf(threshold, freedom, centre) < FALSE_ALARM


@one_now_all_later
@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("make", [OpenDPSampler, lambda: SeededSampler(7)], ids=["opendp", "seeded"])
def test_the_scale_is_what_it_is_said_to_be(make, noise, scale, report):
    draws = Draws.of(make(), noise, scale)
    name = type(make()).__name__
    report(
        f"sampler: {name}, {noise}, scale {scale:.3g}", f"{DRAWS:,} draws", "true scale, and neither 5% off"
    )
    assert draws.accept(scale)
    assert not draws.accept(0.95 * scale)
    assert not draws.accept(1.05 * scale)


def test_the_test_of_vectors_is_strong_enough():
    """As above, for the squares: a chi-square of as many degrees as draws, scaled."""
    for size in (ORDINARY_DRAWS, LONG_DRAWS):
        low, high = stats.chi2.ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2], size)
        assert stats.chi2.sf(low * 1.05**2, size) < FALSE_ALARM
        assert stats.chi2.cdf(high * 0.95**2, size) < FALSE_ALARM


ORDINARY_DRAWS, LONG_DRAWS = 50_000, 1_000_000


@pytest.mark.parametrize(
    ("scale", "size"),
    [
        *((scale, ORDINARY_DRAWS) for scale in VECTOR_SCALES[::9]),
        *(pytest.param(scale, LONG_DRAWS, marks=pytest.mark.slow) for scale in VECTOR_SCALES),
    ],
)
@pytest.mark.parametrize("make", [OpenDPSampler, lambda: SeededSampler(7)], ids=["opendp", "seeded"])
def test_vectors_have_the_noise_they_are_said_to_have(make, scale, size, report):
    draws = VectorDraws.of(make(), scale, size)
    name = type(make()).__name__
    report(
        f"sampler: {name}, gaussian, scale {scale:.3g}", f"{size:,} draws", "true scale, and neither 5% off"
    )
    assert draws.accept(scale)
    assert not draws.accept(0.95 * scale)
    assert not draws.accept(1.05 * scale)


@pytest.mark.parametrize(("start", "children"), [("fork", 8), ("spawn", 2), ("forkserver", 2)])
@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_no_seed_and_no_copy_of_a_process_repeats_a_draw(noise, start, children, report):
    """Every run sets numpy's seed first; the parent has drawn before its children start."""
    runs = [
        six_bits_forty_times(noise),
        *runs_in_children(noise, start, children),
        six_bits_forty_times(noise),
    ]
    report(f"sampler: {noise}, {start}", f"{len(runs)} runs of 40 draws", "all differ")
    assert len(set(runs)) == len(runs) == children + 2
