import itertools

import numpy as np
import pytest
from scipy.stats import ttest_rel

from benchmarks.peers.paired import paired_interval

RNG = np.random.default_rng(2)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_the_interval_is_that_of_the_paired_t_test(level):
    ours, theirs = RNG.normal(0.85, 0.01, 10), RNG.normal(0.84, 0.02, 10)
    found = paired_interval(ours.tolist(), theirs.tolist(), level)
    expected = ttest_rel(ours, theirs).confidence_interval(level)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-12)
    assert found.mean == pytest.approx(np.mean(ours - theirs))


def test_pairing_takes_out_what_folds_have_in_common():
    folds = RNG.normal(0, 1, 10)
    found = paired_interval((folds + 0.01).tolist(), folds.tolist())
    assert found.high - found.low < 1e-9
    assert found.excludes_zero


def test_order_matters_and_sides_mirror():
    ours, theirs = [0.9, 0.8, 0.7], [0.7, 0.8, 0.9]
    widths = {
        round(found.high - found.low, 9)
        for order in itertools.permutations(theirs)
        for found in [paired_interval(ours, list(order))]
    }
    assert len(widths) > 1
    there, back = paired_interval(ours, theirs), paired_interval(theirs, ours)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert not there.excludes_zero


def test_the_level_is_kept():
    """2,000 intervals at 90%: coverage within 0.03 has a false alarm below 1e-5 (4.4 standard deviations)."""
    rng = np.random.default_rng(3)
    held = [
        found.low <= 0 <= found.high
        for a, b in rng.normal(0, 1, (2_000, 2, 10))
        for found in [paired_interval(a.tolist(), b.tolist(), 0.9)]
    ]
    assert abs(np.mean(held) - 0.9) < 0.03


@pytest.mark.parametrize(("ours", "theirs"), [([1.0], [1.0]), ([1.0, 2.0], [1.0])])
def test_no_interval_without_pairs(ours, theirs):
    with pytest.raises(ValueError, match="pairs"):
        paired_interval(ours, theirs)
