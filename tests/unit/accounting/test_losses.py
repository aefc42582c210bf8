from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.accounting import ZCDP, ApproxDP, BoundedRange, GaussianDP, PureDP, compose, show
from discreet.errors import OptionError

amounts = st.floats(0, 1e6, allow_nan=False)
kinds = st.sampled_from([PureDP, BoundedRange, GaussianDP, ZCDP])


@pytest.mark.parametrize("kind", [PureDP, ZCDP])
@given(amount=amounts, times=st.integers(0, 1000))
def test_a_repeat_is_the_exact_product_rounded_up(kind, amount, times):
    total = compose([(kind(amount), times), (kind(0.0), 1)])
    (stated,) = vars(total).values()
    exact = Fraction(amount) * times
    assert Fraction(stated) >= exact
    assert Fraction(stated) - exact <= exact * Fraction(1, 2**52)


@given(kinds, st.lists(st.tuples(amounts, st.integers(1, 9)), min_size=1, max_size=8))
def test_compose_equals_listing_every_copy(kind, parts):
    listed = [(kind(amount), 1) for amount, times in parts for _ in range(times)]
    assert compose([(kind(amount), times) for amount, times in parts]) == compose(listed)


@pytest.mark.parametrize(
    ("loss", "rho"),
    [(PureDP(3), 4.5), (BoundedRange(3), 9 / 8), (GaussianDP(3), 4.5), (ZCDP(3), 3)],
)
def test_every_loss_implies_a_rho(loss, rho):
    assert compose([(loss, 2), (ZCDP(1), 1)]) == ZCDP(2 * rho + 1)


def test_a_thousand_tenths_never_round_below_the_sum():
    # The float 0.1 is a little above 1/10; naive summation ends below the true sum of a thousand of it.
    assert sum([0.1] * 1000) < 1000 * Fraction(0.1)
    assert Fraction(compose([(PureDP(0.1), 1)] * 1000).epsilon) >= 1000 * Fraction(0.1)


def test_compose_refuses_nothing_and_less():
    with pytest.raises(TypeError):
        compose([])
    with pytest.raises(ValueError, match="nonnegative"):
        compose([(PureDP(1), -1)])


@pytest.mark.parametrize("bad", [-1.0, float("nan")])
def test_losses_refuse_nonsense(bad):
    for make in (
        PureDP,
        BoundedRange,
        GaussianDP,
        ZCDP,
        lambda value: ApproxDP(value, 0.1),
        lambda value: ApproxDP(1, value),
    ):
        with pytest.raises(OptionError):
            make(bad)


@given(st.floats(1e-12, 1e12))
def test_printed_losses_never_flatter(value):
    assert float(show(value)) >= value
    assert float(show(value)) <= value * 1.0011
