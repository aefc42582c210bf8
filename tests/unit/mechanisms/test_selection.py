import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from discreet.accounting import BoundedRange, PureDP, compose
from discreet.errors import PlanError
from discreet.mechanisms.claims import Claim
from discreet.mechanisms.rehearsal import (
    MOST_CANDIDATES,
    PROBABILITY_ERROR,
    SeededSampler,
    selection_probabilities,
)
from discreet.mechanisms.selection import OpenDPSampler, _noisy_max, selection_loss

NOISES = ["exponential", "gumbel"]


def claim(bound):
    return Claim("selection", "range", bound, 1, "test")


@pytest.mark.parametrize("bound", [2, 8, 4 * 2**20])
@pytest.mark.parametrize("ratio", [0.01, 0.37, 3.0])
def test_the_loss_is_that_of_the_range(bound, ratio):
    scale = bound / ratio
    pure = selection_loss(claim(bound), "exponential", scale)
    assert isinstance(pure, PureDP)
    assert ratio * (1 - 1e-12) <= pure.epsilon <= ratio * (1 + 1e-9)
    ranged = selection_loss(claim(bound), "gumbel", scale)
    assert isinstance(ranged, BoundedRange)
    assert ratio * (1 - 1e-12) <= ranged.width <= ratio * (1 + 1e-9)
    # OpenDP states a rho; the width must not say less than it.
    stated = _noisy_max("gumbel", scale).map(-(-bound // 2))
    assert stated <= compose([(ranged, 1)]).rho <= stated * (1 + 1e-14)


def test_an_odd_range_is_charged_as_the_next_even_one():
    assert selection_loss(claim(7), "exponential", 10.0) == selection_loss(claim(8), "exponential", 10.0)


def test_opendp_refuses_scales_with_our_error():
    with pytest.raises(PlanError, match="no selection at scale"):
        selection_loss(claim(2), "gumbel", -1.0)


def permute_and_flip_by_definition(p):
    """Average over all orders of the first accepted candidate; the best is always accepted."""
    totals = np.zeros(len(p))
    orders = list(itertools.permutations(range(len(p))))
    for order in orders:
        reached = 1.0
        for candidate in order:
            totals[candidate] += reached * p[candidate]
            reached *= 1 - p[candidate]
    return totals / len(orders)


@pytest.mark.parametrize("scores", [[0, 0], [0, 3, 5, 5], [7, 1, 2, 3, 9, 4]])
def test_probabilities_match_the_definitions(scores):
    q = np.array(scores, dtype=np.int64)
    p = np.exp((q - q.max()) / 2.0)
    np.testing.assert_allclose(
        selection_probabilities(q, "exponential", 2.0),
        permute_and_flip_by_definition(p),
        rtol=1e-12,
    )
    np.testing.assert_allclose(selection_probabilities(q, "gumbel", 2.0), p / p.sum(), rtol=1e-12)


def rational_probabilities(q, noise, scale):
    """The definitions in rationals, from exponentials of 40 digits."""
    with mpmath.workdps(40):
        top = max(q)
        p = [
            Fraction(int(mpmath.nint(mpmath.exp(mpmath.mpf(x - top) / scale) * 10**250)), 10**250) for x in q
        ]
    if noise == "gumbel":
        return [x / sum(p) for x in p]
    found = []
    for i, mine in enumerate(p):
        polynomial = [Fraction(1)]  # the product of (1 - t p_j), by powers of t
        for other in p[:i] + p[i + 1 :]:
            shifted = [Fraction(0), *polynomial]
            polynomial = [
                a - other * b for a, b in itertools.zip_longest(polynomial, shifted, fillvalue=Fraction(0))
            ]
        found.append(mine * sum(c / (k + 1) for k, c in enumerate(polynomial)))
    return found


@settings(max_examples=150, deadline=None)
@given(
    q=st.lists(st.integers(-400, 0), min_size=2, max_size=MOST_CANDIDATES),
    spread=st.sampled_from([0.01, 1, 400]),
    noise=st.sampled_from(NOISES),
)
@example(q=[0] * MOST_CANDIDATES, spread=1, noise="exponential")
@example(q=[0] * 15 + [-500], spread=500, noise="exponential")
@example(q=[0, *[-1] * 15], spread=0.001, noise="exponential")
def test_the_error_of_the_probabilities_is_below_its_bound(q, spread, noise):
    """Against exact rationals: the bound of docs/proofs/enumeration.md."""
    q = np.array(q, dtype=np.int64)
    scale = max(1.0, float(q.max() - q.min())) / spread
    exact = rational_probabilities(q.tolist(), noise, scale)
    for found, true in zip(selection_probabilities(q, noise, scale).tolist(), exact, strict=True):
        assert abs(Fraction(found) - true) <= Fraction(PROBABILITY_ERROR) * true


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("make", [OpenDPSampler, lambda: SeededSampler(7)], ids=["opendp", "seeded"])
def test_large_scores_keep_their_last_bits(make, noise):
    """One apart at 2^62, at scale 1/50: the smaller one wins with probability below exp(-50)."""
    scores = np.array([2**62 - 2, 2**62 - 1, 2**62 - 3], dtype=np.int64)
    assert {make().select(scores, noise, 0.02) for _ in range(200)} == {1}


@pytest.mark.parametrize("noise", NOISES)
def test_production_noise_ignores_numpy_seeds(noise):
    """Two runs of 200 fair draws agree with probability 2^-200."""
    scores = np.zeros(2, dtype=np.int64)
    runs = []
    for _ in range(2):
        np.random.seed(0)
        runs.append([OpenDPSampler().select(scores, noise, 1.0) for _ in range(200)])
    assert runs[0] != runs[1]
    assert math.isclose(np.mean(runs), 0.5, abs_tol=0.2)
