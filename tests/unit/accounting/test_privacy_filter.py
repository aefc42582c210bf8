"""The filter of an account: totals, limits, refusals, and adaptive spenders against the exact delta."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet.accounting import ZCDP, ApproxDP, BoundedRange, GaussianDP, PureDP, calibrate, guarantee
from discreet.accounting.gaussian import epsilon_by_gaussian, gaussian_delta, gaussian_total
from discreet.accounting.privacy_filter import PrivacyFilter, Spent
from discreet.errors import OptionError

PURE = PrivacyFilter.under(ApproxDP(1.0, 0.0))
MIXED = PrivacyFilter.under(ApproxDP(1.0, 1e-5))


def spend(rule, *spends):
    spent = Spent()
    for parts in spends:
        spent = rule.after(spent, parts)
    return spent


def test_pure_spends_add_up_exactly_to_the_cap():
    tenths = [[(PureDP(0.125), 1)]] * 8
    assert PURE.admits(spend(PURE, *tenths))
    assert not PURE.admits(spend(PURE, *tenths, [(PureDP(2.0**-60), 1)]))
    assert PURE.remaining(spend(PURE, *tenths[:5])).epsilon == 0.375
    # In an account with delta above 0, too.
    assert MIXED.admits(spend(MIXED, *tenths))
    assert not MIXED.admits(spend(MIXED, *tenths, [(PureDP(2.0**-60), 1)]))


def test_a_spend_of_several_releases_is_their_sum_in_the_worst_order():
    assert spend(MIXED, [(PureDP(0.1), 3)]) == spend(MIXED, *[[(PureDP(0.1), 1)]] * 3)
    wide, narrow, gaussian = (BoundedRange(0.06), 1), (BoundedRange(0.01), 5), (GaussianDP(0.05), 1)
    worst = spend(MIXED, [gaussian], [narrow], [wide])
    orders = list(itertools.permutations([wide, narrow, gaussian]))
    assert {spend(MIXED, list(order)) for order in orders} == {worst}
    assert max(spend(MIXED, *([part] for part in order)).variance for order in orders) == worst.variance
    assert spend(MIXED, [wide], [narrow], [gaussian]).variance < worst.variance


def test_the_order_of_listing_hides_nothing():
    """Listed wide first and released Gaussian first, this would have 1.08 times the delta of the account."""
    rule = PrivacyFilter.under(ApproxDP(1.0, 1e-6))
    parts = [(BoundedRange(0.103177), 1), (GaussianDP(0.23071), 1)]
    assert not rule.admits(spend(rule, parts))
    assert not rule.admits(spend(rule, parts[::-1]))


@settings(max_examples=60, deadline=None)
@given(
    st.floats(-4, 2).map(math.exp),
    st.floats(-25, -4).map(math.exp),
    st.integers(60, 400),
    st.sampled_from([BoundedRange, GaussianDP]),
)
def test_a_plan_for_the_whole_budget_fits_and_a_slightly_larger_one_does_not(epsilon, delta, times, kind):
    rule = PrivacyFilter.under(ApproxDP(epsilon, delta))
    scale = calibrate(lambda scale: [(kind(1 / scale), times)], ApproxDP(epsilon * (1 - 1e-8), delta))
    by_mu = epsilon_by_gaussian(gaussian_total([(kind(1 / scale), times)]).mu, delta)
    # Where Renyi divergences say more, an account, which does not add those up, takes less.
    assume(guarantee([(kind(1 / scale), times)], delta).epsilon > by_mu * (1 - 1e-9))
    assert rule.admits(spend(rule, [(kind(1 / scale), times)]))
    assert not rule.admits(spend(rule, [(kind(1.001 / scale), times)]))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0.01, 0.4), max_size=4), st.integers(60, 300))
def test_what_is_said_to_be_left_can_be_spent(earlier, rounds):
    spent = Spent()
    for share in earlier:
        left = MIXED.remaining(spent)
        if left.epsilon * share > 1e-6:
            target = ApproxDP(left.epsilon * share, MIXED.cap.delta)
            scale = calibrate(lambda scale: [(BoundedRange(1 / scale), 100)], target)
            spent = MIXED.after(spent, [(BoundedRange(1 / scale), 100)])
            assert MIXED.admits(spent)
    left = MIXED.remaining(spent)
    assert left.epsilon > 0.05
    for parts in (
        [(GaussianDP(left.mu), 1)],
        [(PureDP(left.pure_epsilon), 1)],
        calibrated(ApproxDP(left.epsilon, left.delta), rounds),
    ):
        assert MIXED.admits(MIXED.after(spent, parts))
    for parts in ([(GaussianDP(left.mu * 1.001), 1)], [(BoundedRange(left.mu * 1.01), 1)]):
        assert not MIXED.admits(MIXED.after(spent, parts))


def calibrated(target, rounds):
    def spent(scale):
        return [(BoundedRange(1 / scale), rounds)]

    return spent(calibrate(spent, target))


def test_what_is_spent_beyond_the_limit_is_gone():
    over = spend(MIXED, [(GaussianDP(5.0), 1)])
    assert over == Spent(None, None)
    assert not MIXED.admits(over)
    assert not MIXED.admits(MIXED.after(over, [(GaussianDP(1e-9), 1)]))
    assert MIXED.remaining(over).epsilon == 0


@pytest.mark.parametrize(
    ("rule", "loss", "message"),
    [
        (PURE, BoundedRange(0.1), "pure losses only"),
        (MIXED, ZCDP(0.1), "pure, bounded-range and Gaussian"),
        (MIXED, PureDP(math.inf), "without a bound"),
    ],
)
def test_losses_that_an_account_cannot_take(rule, loss, message):
    with pytest.raises(OptionError, match=message):
        rule.after(Spent(), [(loss, 1)])


def test_a_limit_that_does_not_belong_to_the_budget_is_refused():
    with pytest.raises(OptionError, match="over the budget"):
        PrivacyFilter(MIXED.cap, MIXED.mu * 1.000001)
    for cap, mu in ((MIXED.cap, None), (PURE.cap, 0.1)):
        with pytest.raises(OptionError, match="Gaussian loss"):
            PrivacyFilter(cap, mu)


def exact_hockey_stick(rule, spent, ratio_p, ratio_q, depth, strategy, path=()):
    """Return sum (P - e^epsilon Q)+ over the transcripts of an adaptive spender.

    Each release tells one of two outcomes, with the log ratios +-width/2 or those of randomised response. The
    spender looks at the path so far, asks, and stops when it is refused.
    """
    kind, size = strategy(path) if len(path) < depth else (None, None)
    after = None if kind is None else rule.after(spent, [(kind(size), 1)])
    if after is None or not rule.admits(after):
        return max(0.0, ratio_p - math.exp(rule.cap.epsilon) * ratio_q)
    top = size if kind is PureDP else size / 2
    more = 1 / (1 + math.exp(-top))
    return sum(
        exact_hockey_stick(rule, after, ratio_p * p, ratio_q * (1 - p), depth, strategy, (*path, p > 0.5))
        for p in (more, 1 - more)
    )


def test_no_adaptive_spender_gets_more_than_delta(report):
    """Transcripts enumerated: large bets after bad luck, small ones after good, pure ones last."""
    worst, delta = 0.0, 0.02
    rule = PrivacyFilter.under(ApproxDP(0.8, delta))
    rng = np.random.default_rng(0)
    for _ in range(150):
        table = {}

        def strategy(path, table=table):
            key = (len(path), sum(path))
            if key not in table:
                kind = BoundedRange if rng.random() < 0.7 else PureDP
                table[key] = (kind, float(rng.uniform(0.02, 0.5)))
            return table[key]

        worst = max(worst, exact_hockey_stick(rule, Spent(), 1.0, 1.0, 12, strategy))
    report("accounting: privacy filter", "150 adaptive spenders", f"{worst / delta:.4f} of delta")
    assert 0.05 * delta < worst <= delta


def test_the_gaussian_loss_of_a_budget():
    assert gaussian_delta(MIXED.mu, 1.0) <= 1e-5 < gaussian_delta(MIXED.mu * 1.0001, 1.0)
