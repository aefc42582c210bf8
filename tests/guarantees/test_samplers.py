"""Selections draw the stated distribution, reject a scale 5% off, and never repeat themselves.

False alarms: each acceptance fails with probability 1e-7 on sound noise; each rejection of another scale
fails with less, as the tests of strength compute; two runs that must differ agree with
probability 2^-240.
"""

import itertools

import numpy as np
import pytest
from scipy import stats

from discreet.mechanisms.above_threshold import discrete_laplace
from discreet.mechanisms.labels import LARGEST_SCALE, draw_costs
from discreet.mechanisms.selection import OpenDPSampler
from discreet.testing import SeededSampler, selection_probabilities
from tests.harness.samplers import (
    DRAWS,
    FALSE_ALARM,
    GAPS,
    LAPLACE_SCALES,
    SCALES,
    SELECTION_NOISES,
    VECTOR_SCALES,
    Draws,
    VectorDraws,
    laplace_as_at,
    laplace_ends,
    laplace_shares,
    laplace_vectors,
    runs_in_children,
    six_bits_forty_times,
    stop_shares,
    stops,
    stops_as_at,
)

one_now_all_later = pytest.mark.parametrize(
    "scale",
    [SCALES[2], *(pytest.param(scale, marks=pytest.mark.slow) for scale in SCALES if scale != SCALES[2])],
)


def test_the_test_is_strong_enough():
    """The statistic of draws at a scale 5% off is noncentral chi-square; its lower tail is a false alarm."""
    scores = np.rint(GAPS * SCALES[2]).astype(np.int64)
    for noise, factor in itertools.product(SELECTION_NOISES, (0.95, 1.05)):
        true, assumed = (selection_probabilities(scores, noise, SCALES[2] * f) for f in (1, factor))
        assert missed(true, assumed, DRAWS) < FALSE_ALARM


def missed(true, assumed, draws):
    """The probability that draws of one distribution pass for those of another."""
    centre = draws * ((true - assumed) ** 2 / assumed).sum()
    freedom = len(true) - 1
    return stats.ncx2.cdf(stats.chi2.isf(FALSE_ALARM, freedom), freedom, centre)


def test_the_tests_of_laplace_noise_are_strong_enough():
    for factor in (0.5, 2.0):
        true, assumed = (stop_shares(SCALES[2] * f, SCALES[2]) for f in (1, factor))
        assert missed(true, assumed, 4_000) < FALSE_ALARM
    for (size, off), scale in itertools.product(((20_000, 0.15), (1_000_000, 0.03)), LAPLACE_SCALES):
        for factor in (1 - off, 1 + off):
            ends = laplace_ends(factor * scale)
            true, assumed = (laplace_shares(scale * f, ends) for f in (1, factor))
            assert missed(true, assumed, size) < FALSE_ALARM


@one_now_all_later
@pytest.mark.parametrize("noise", SELECTION_NOISES)
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


@pytest.mark.parametrize("scale", [LAPLACE_SCALES[4], LAPLACE_SCALES[12]])
@pytest.mark.parametrize(
    ("size", "off"), [(20_000, 0.15), pytest.param(1_000_000, 0.03, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("make", [OpenDPSampler, lambda: SeededSampler(7)], ids=["opendp", "seeded"])
def test_vectors_have_the_laplace_noise_they_are_said_to_have(make, scale, size, off, report):
    draws = laplace_vectors(make(), scale, size)
    report(
        f"sampler: {type(make()).__name__}, laplace vectors, scale {scale:.3g}",
        f"{size:,} draws",
        f"true scale, and neither {off:.0%} off",
    )
    assert laplace_as_at(scale, draws)
    assert not laplace_as_at((1 - off) * scale, draws)
    assert not laplace_as_at((1 + off) * scale, draws)


@pytest.mark.parametrize(("start", "children"), [("fork", 8), ("spawn", 2), ("forkserver", 2)])
@pytest.mark.parametrize("noise", SELECTION_NOISES)
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


@pytest.mark.parametrize("make", [OpenDPSampler, lambda: SeededSampler(7)], ids=["opendp", "seeded"])
@pytest.mark.parametrize("size", [4_000, pytest.param(200_000, marks=pytest.mark.slow)])
def test_a_threshold_test_stops_as_it_is_said_to(make, size, report):
    scale = 2.0**22 / 0.37
    counts = stops(make(), scale, size)
    report(f"sampler: {type(make()).__name__}, threshold test", f"{size:,} runs", "true scale, not half")
    assert stops_as_at(scale, scale, counts)
    assert not stops_as_at(scale / 2, scale, counts)
    assert not stops_as_at(scale * 2, scale, counts)


@pytest.mark.parametrize(
    ("scale", "size", "off"),
    [
        (LAPLACE_SCALES[8], 20_000, 0.15),
        *(pytest.param(scale, 1_000_000, 0.03, marks=pytest.mark.slow) for scale in LAPLACE_SCALES),
    ],
)
def test_discrete_laplace_draws_are_those_of_their_scale(scale, size, off, report):
    draws = np.array([discrete_laplace(scale) for _ in range(size)], dtype=float)
    report(
        f"sampler: laplace, scale {scale:.3g}", f"{size:,} draws", f"true scale, and neither {off:.0%} off"
    )
    assert laplace_as_at(scale, draws)
    assert not laplace_as_at((1 - off) * scale, draws)
    assert not laplace_as_at((1 + off) * scale, draws)


@pytest.mark.parametrize("make", [OpenDPSampler, lambda: SeededSampler(7)], ids=["system", "seeded"])
def test_records_are_drawn_by_their_weights(make, report):
    shares = np.array([3, 0, 1, 2**20, 2**20 - 4])
    ends, size, sampler = np.cumsum(shares) * 2**40, 20_000, make()
    drawn = np.bincount([sampler.draw(ends) for _ in range(size)], minlength=len(shares))
    report(f"sampler: {type(sampler).__name__}, records", f"{size:,} draws", "two of nearly equal weight")
    assert drawn[1] == 0
    assert stats.binomtest(int(drawn[3]), size, 0.5).pvalue > FALSE_ALARM
    assert drawn[[0, 2]].sum() < 8  # 0.04 are expected: 8 have a probability below 1e-15


@pytest.mark.parametrize(
    ("scale", "size", "off"),
    [
        (LAPLACE_SCALES[8], 20_000, 0.15),
        *(
            pytest.param(scale, 1_000_000, 0.03, marks=pytest.mark.slow)
            for scale in LAPLACE_SCALES
            if scale < LARGEST_SCALE
        ),
    ],
)
def test_costs_of_labels_have_the_noise_they_are_said_to_have(scale, size, off, report):
    drawn = np.concatenate([draw_costs(1_000, scale) for _ in range(size // 1_000)]).astype(float)
    report(f"sampler: costs, scale {scale:.3g}", f"{size:,} draws", f"true scale, and neither {off:.0%} off")
    assert laplace_as_at(scale, drawn)
    assert not laplace_as_at((1 - off) * scale, drawn)
    assert not laplace_as_at((1 + off) * scale, drawn)
