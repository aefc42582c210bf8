"""Theorems 2 and 4 of the projected halfspaces: each step of the proofs, checked by other means."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from discreet.accounting import ZCDP, guarantee
from discreet.errors import OptionError
from discreet.theory.projected_halfspaces import (
    DESCENT_KEEPS,
    NET_KEEPS,
    DescentTheorem,
    NetTheorem,
    distortion_for,
    net_error,
    projected_margin,
    projection_tail,
)
from discreet.theory.projected_halfspaces_as_printed import printed_components, theorem_2, theorem_4

GOALS = [(0.1, 0.05, 1.0, 1e-6, 0.3), (0.05, 0.01, 0.1, 1e-8, 0.1), (0.3, 0.2, 3.0, 1e-5, 0.9)]


@pytest.mark.parametrize("dimension", [1, 7, 100, 2000])
@pytest.mark.parametrize("distortion", [0.01, 0.1, 0.5, 0.9])
def test_the_tail_bounds_the_exact_one(dimension, distortion):
    """Two equal coordinates make |Ax|^2 twice a share of coins; many make it a chi-square."""
    bound = projection_tail(distortion, dimension)
    long, short = (1 + distortion) * dimension, (1 - distortion) * dimension
    assert stats.binom.sf(long / 2, dimension, 0.5) <= bound
    assert stats.binom.cdf(math.ceil(short / 2) - 1, dimension, 0.5) <= bound
    assert stats.chi2.sf(long, dimension) <= bound
    assert stats.chi2.cdf(short, dimension) <= bound


def test_the_tail_has_the_right_rate():
    """A chi-square's tail falls by nearly as much; half the exponent would not be a bound that is tight."""
    assert stats.chi2.logsf(1.1 * 10_000, 10_000) == pytest.approx(
        math.log(projection_tail(0.1, 10_000)), rel=0.15
    )


@given(seed=st.integers(0, 10**6), dimension=st.integers(2, 60), label=st.sampled_from([-1, 1]))
def test_a_margin_is_left_wherever_squared_norms_are(seed, dimension, label):
    generator = np.random.default_rng(seed)
    x, w = (vector / np.linalg.norm(vector) for vector in generator.normal(size=(2, 5)))
    matrix = generator.choice([-1.0, 1.0], size=(dimension, 5)) / math.sqrt(dimension)

    def off(vector):
        return abs(np.sum((matrix @ vector) ** 2) / np.sum(vector**2) - 1)

    distortion = max(off(x), off(w), off(x + w), off(x - w))
    margin = label * (x @ w)
    if margin > distortion:
        left = label * (matrix @ x) @ (matrix @ w) / np.linalg.norm(matrix @ x) / np.linalg.norm(matrix @ w)
        assert left >= projected_margin(margin, distortion) - 1e-12


@pytest.mark.parametrize("margin", [0.01, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("kept", [0.1, NET_KEEPS, DESCENT_KEEPS, 0.9])
def test_the_distortion_keeps_its_share(margin, kept):
    assert projected_margin(margin, distortion_for(margin, kept)) == pytest.approx(kept * margin)


@pytest.mark.parametrize("n", [1, 100, 12_345, 10**9])
@pytest.mark.parametrize("goal", GOALS)
def test_components_are_the_fewest_that_keep_the_margin(goal, n):
    _, beta, epsilon, delta, margin = goal
    for theorem, kept in (
        (DescentTheorem(beta, epsilon, delta, margin), DESCENT_KEEPS),
        (NetTheorem(beta, epsilon, margin), NET_KEEPS),
    ):
        m, t = theorem.n_components(n), mpmath.mpf(distortion_for(margin, kept))

        def failure(m, t=t):
            return (3 * n + 1) * mpmath.exp(-m * (t**2 / 2 - t**3 / 3) / 2)

        assert failure(m) <= beta / 3 < failure(m - 1)


@pytest.mark.parametrize(
    ("n", "n_errors", "candidates", "failure"),
    [(100, 3.5, 1, 0.1), (1000, 0, 10**6, 0.01), (5000, 700.2, 10**20, 1e-6), (40, 39, 5, 0.5)],
)
def test_no_candidate_is_much_worse_than_it_looks(n, n_errors, candidates, failure):
    error = net_error(n, n_errors, math.log(candidates), failure)
    seen = n_errors / n
    divergence = stats.entropy([seen, 1 - seen], [error, 1 - error])
    assert candidates * math.exp(-n * divergence) == pytest.approx(failure, rel=1e-6)
    assert candidates * stats.binom.cdf(math.floor(n_errors), n, error) <= failure
    assert net_error(n, n, 0.0, 0.5) == net_error(n, n + 1, 0.0, 0.5) == 1


@pytest.mark.parametrize("goal", GOALS)
def test_the_sample_sizes_are_the_least(goal):
    alpha, beta, epsilon, delta, margin = goal
    for theorem in (DescentTheorem(beta, epsilon, delta, margin), NetTheorem(beta, epsilon, margin)):
        n = theorem.n_records(alpha)
        assert theorem.error(n) <= alpha < theorem.error(n - 1)
        errors = [theorem.error(size) for size in range(max(1, n - 200), n + 200)]
        errors += [theorem.error(n * factor) for factor in (2, 3, 10, 1000)]
        assert errors == sorted(errors, reverse=True)
        assert theorem.n_records(alpha / 2) > n
        harder = {"beta": beta / 10, "epsilon": epsilon / 2, "margin": margin / 2}
        for name, value in harder.items():
            assert type(theorem)(**{**vars_of(theorem), name: value}).n_records(alpha) > n


@pytest.mark.parametrize("goal", GOALS)
def test_the_step_to_the_source_is_the_better_of_two(goal):
    """Rademacher complexity 1/sqrt(n) at margin gamma/2; Lemma 4 with eta = the second term and zeta = 1."""
    _, beta, epsilon, delta, margin = goal
    theorem = DescentTheorem(beta, epsilon, delta, margin)
    better = set()
    for n in (10**4, 10**6, 10**8, 10**11, 10**14):
        loss, m = theorem.loss(n), theorem.n_components(n)
        by_margins = loss + 2 / (margin / 2) / math.sqrt(n) + math.sqrt(math.log(3 / beta) / (2 * n))
        eta = mpmath.findroot(
            lambda eta, n=n, m=m: (
                mpmath.log(4)
                + m * mpmath.log(2 * mpmath.e * n / m)
                - eta * n / (4 * 2)
                - mpmath.log(beta / 3)
            ),
            1,
        )
        by_growth = float(2 * loss + eta)
        assert theorem.error(n) == pytest.approx(min(1.0, by_margins, by_growth), rel=2 / m)
        better.add(by_margins < by_growth)
    assert better == {True, False}


def vars_of(theorem):
    return {name: getattr(theorem, name) for name in type(theorem).__dataclass_fields__}


@pytest.mark.parametrize("goal", GOALS)
def test_the_noise_of_a_descent_meets_the_budget(goal):
    _, beta, epsilon, delta, margin = goal
    theorem = DescentTheorem(beta, epsilon, delta, margin)
    for n in (500, 80_000):
        step = ZCDP((2 * theorem.lipschitz) ** 2 / (2 * theorem.sigma(n) ** 2))
        assert guarantee([(step, theorem.steps(n))], delta).epsilon == pytest.approx(epsilon, rel=1e-6)
        # Ten times the steps at which (nL)^2/T is as large as m sigma^2/T.
        ratio = theorem.n_components(n) * theorem.sigma(n) ** 2 / (n * theorem.lipschitz) ** 2
        assert ratio >= 10 or theorem.steps(n) == 1


def descended(theorem, n, signed, counts, generator):
    """Return the mean loss of the theorem's descent, in real numbers; records have multiplicities."""
    steps, sigma, slope = theorem.steps(n), theorem.sigma(n), theorem.lipschitz
    m, rate = signed.shape[1], theorem.step_length(n)
    w, total = np.zeros(m), np.zeros(m)
    for _ in range(steps):
        total += w
        active = counts * (slope * (signed @ w) < 1)
        w = w - rate * (-slope * (active @ signed) + sigma * generator.normal(size=m))
        w /= max(1.0, np.linalg.norm(w))
    return counts @ np.maximum(0, 1 - slope * (signed @ (total / steps))) / n


@pytest.mark.parametrize("n", [1, 4000, 10**7])
def test_the_bound_of_the_loss_by_its_parts(n):
    theorem = DescentTheorem(0.05, 1.0, 1e-6, 0.3)
    m, steps, sigma, tail = (
        theorem.n_components(n) + 1,
        theorem.steps(n),
        theorem.sigma(n),
        math.log(6 / 0.05),
    )
    slope = 1 / 0.15
    mean_square = (n * slope) ** 2 + sigma**2 * (m + 2 * math.sqrt(m * tail / steps) + 2 * tail / steps)
    assert theorem.step_length(n) == pytest.approx((mean_square * steps) ** -0.5, rel=2 / m)
    excess = math.sqrt(mean_square / steps)
    excess += (2 + steps**-0.5) * sigma * math.sqrt(2 * tail / steps)
    assert theorem.loss(n) == pytest.approx(excess / n, rel=2 / m)


def test_a_descent_stays_below_its_bound():
    """Eight records of margin gamma/2, as a projection leaves it, many times each.

    One of the runs fails with probability at most 3 * 1e-8/3.
    """
    theorem, n = DescentTheorem(1e-8, 1.0, 1e-6, 0.9), 4000
    m = theorem.n_components(n)
    generator = np.random.default_rng(1)
    across = generator.normal(size=(8, m))
    across[:, 0] = 0
    across *= math.sqrt(1 - 0.45**2) / np.linalg.norm(across, axis=1, keepdims=True)
    signed = across + 0.45 * np.eye(1, m)
    counts = np.full(8, n / 8)
    losses = [descended(theorem, n, signed, counts, generator) for _ in range(3)]
    assert max(losses) <= theorem.loss(n)
    assert max(losses) > theorem.loss(n) / 20  # a bound of the right order


def test_the_choice_from_a_net_stays_below_its_bound():
    """Exponential noise on the counts of many candidates, of which one has no errors."""
    theorem, candidates = NetTheorem(0.3, 0.5, 0.3), 1000
    generator = np.random.default_rng(2)
    allowed = theorem.n_errors(math.log(candidates))
    counts = np.append(np.full(candidates - 1, math.floor(allowed) + 1), 0)
    runs = 20_000
    noise = generator.exponential(theorem.scale, size=(runs, candidates))
    above = np.mean((noise - counts).argmax(axis=1) < candidates - 1)
    # beta/3 = 0.1; five deviations of the share are 0.011.
    assert above <= 0.1 + 0.011


@pytest.mark.parametrize("goal", GOALS)
def test_the_printed_sizes_meet_the_printed_conditions(goal):
    alpha, beta, epsilon, delta, margin = (mpmath.mpf(value) for value in goal)
    runs = mpmath.ceil(mpmath.log(8 / beta))
    slope = 1 / (mpmath.mpf("0.86") * margin)
    t = margin / 100

    def components(n):
        return math.ceil(mpmath.log(2 * 64 * n / (alpha * beta**2)) / (t**2 / 2 - t**3 / 3) * 2)

    def generalises(n, m):
        return mpmath.log(4) + (m + 1) * mpmath.log(2 * n) - alpha * n / 32 <= mpmath.log(beta / 4)

    def descends(n, m):
        part, part_delta = epsilon / (runs + 1), delta / (runs + 1)
        sigma2 = 32 * slope**2 * n**2 * mpmath.log(n / part_delta) * mpmath.log(1 / part_delta) / part**2
        gradient = mpmath.sqrt((n * slope) ** 2 + m * sigma2)
        excess = mpmath.e * 2 * 2 * gradient * (2 + mpmath.log(n**2)) / n
        largest = slope * (mpmath.mpf("0.96") * margin + 1)
        return (excess + 2 * largest / part * mpmath.log(runs / (beta / 8))) / n <= alpha / 4

    def chooses(n, m):
        return 2 / (n * epsilon) * (m * mpmath.log(1 + 20 / margin) + mpmath.log(4 / beta)) <= alpha / 4

    for size, learns in (
        (theorem_2(*goal), descends),
        (theorem_4(*goal[:3], goal[4]), chooses),
    ):
        n, m = size.n_records, size.n_components
        assert m == components(n) == printed_components(goal[0], goal[1], goal[4], n)
        assert learns(size.privacy, m)
        assert not learns(size.privacy * (1 - 1e-9) - 1, m)
        assert generalises(size.generalisation, m)
        assert not generalises(size.generalisation * (1 - 1e-9) - 1, m)
        assert n > 1000 * DescentTheorem(*goal[1:]).n_records(goal[0])


def test_growth_of_the_sizes():
    """n grows as 1/(alpha epsilon gamma^2), up to logarithms."""
    descent = DescentTheorem(0.05, 1.0, 1e-6, 0.1)
    assert 10 <= descent.n_records(1e-7) / descent.n_records(1e-6) <= 13
    at = {"beta": 0.05, "epsilon": 0.01, "margin": 0.01}
    base = NetTheorem(**at).n_records(0.01)
    for name, factor, power in (("epsilon", 10, 1), ("margin", 10, 2)):
        other = NetTheorem(**{**at, name: at[name] * factor}).n_records(0.01)
        # Two logarithms: m's of n, and that of the net's radius.
        assert 0.9 <= math.log(base / other) / math.log(factor) / power <= 1.25


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("beta", 0),
        ("beta", 1),
        ("epsilon", 0),
        ("epsilon", math.inf),
        ("delta", 0),
        ("delta", 1),
        ("margin", 0),
        ("margin", 1.5),
        ("margin", math.nan),
    ],
)
def test_what_is_out_of_range_is_refused_by_name(name, value):
    goal = {"beta": 0.1, "epsilon": 1.0, "delta": 1e-6, "margin": 0.3, name: value}
    with pytest.raises(OptionError, match=f"^{name} must be"):
        DescentTheorem(**goal)
    with pytest.raises(OptionError, match=f"^{name} must be"):
        theorem_2(0.1, **goal)
    del goal["delta"]
    if name != "delta":
        with pytest.raises(OptionError, match=f"^{name} must be"):
            NetTheorem(**goal)
        with pytest.raises(OptionError, match=f"^{name} must be"):
            theorem_4(0.1, **goal)


@pytest.mark.parametrize("theorem", [DescentTheorem(0.1, 1.0, 1e-6, 0.3), NetTheorem(0.1, 1.0, 0.3)])
def test_sizes_and_errors_are_checked(theorem):
    for alpha in (0, 1, -0.1, math.nan):
        with pytest.raises(OptionError, match=r"^alpha must be"):
            theorem.n_records(alpha)
    for n in (0, -5, 2.5, True):
        with pytest.raises(OptionError, match=r"^n must be a whole number"):
            theorem.error(n)
