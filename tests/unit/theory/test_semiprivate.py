"""Sample sizes of the semi-private learners: each part of the error has its share, and no more would do."""

import math
from itertools import pairwise

import pytest

from discreet.errors import OptionError
from discreet.theory import remark_1, theorem_2, theorem_3, theorem_4

GOAL = {"alpha": 0.1, "beta": 0.05, "epsilon": 1.0}
LEADER = GOAL | {"delta": 1e-6, "complexity": 2.0}


@pytest.mark.parametrize("theorem", [theorem_2, theorem_3])
def test_parts_of_a_leaders_error_have_their_shares(theorem):
    found = theorem(**LEADER)
    failure, m, n = 0.0125, found.points, found.records
    assert 4 * found.noise * (1 + math.sqrt(2 * math.log(1 / failure) / m)) == pytest.approx(0.025)
    norms = 2 * math.log(m) ** 3 / math.sqrt(m) + math.sqrt(
        (math.log(math.log(m)) + math.log(1 / failure)) / m
    )
    assert norms <= 0.025
    assert norms > 0.0249
    shrunk = 1 if theorem is theorem_3 else 2 * (2 + math.sqrt(2 * math.log(2 / failure) / found.runs))
    assert found.strength * shrunk / n <= 0.025 * (1 + 1e-12)
    assert 8 * math.sqrt(math.pi / 2) / math.sqrt(n) + 2 * math.sqrt(math.log(2 / failure) / (2 * n)) <= 0.025


def test_stability_pays_for_the_noise():
    """mu = root(m) rho / gamma, with rho from the strength and the runs; 0.2681 is that of (1, 1e-5)."""
    found = theorem_3(**(LEADER | {"delta": 1e-5}))
    assert math.sqrt(found.points / found.strength) / found.noise == pytest.approx(0.2681, rel=0.1)
    pure = theorem_3(**(LEADER | {"delta": 0}))
    assert pure.points / math.sqrt(pure.strength) / pure.noise == pytest.approx(1)
    perturbed = theorem_2(**(LEADER | {"delta": 2e-5}))
    moved = 4 / 3 * (16 * 2 / (perturbed.strength * 0.5)) ** 0.25
    moved += math.sqrt(2 * math.log(1e5) / perturbed.runs)
    assert math.sqrt(perturbed.points) * moved / perturbed.noise == pytest.approx(0.2681, rel=0.1)


def test_labels_are_learnt_from_so_many_points_and_records():
    found = theorem_4(**GOAL, vc_dimension=6)
    m, n, failure = found.points, found.records, 0.05 / 3

    def growth(k):
        return 6 * math.log(math.e * k / 6)

    apart = 2 / m * (2 * growth(2 * m) + math.log(2 / failure)) / math.log(2)
    capacity = (growth(2 * n) + math.log(4 / failure)) / n
    learnt = 2 * m**2 * math.log(m / failure) / n + 2 * math.sqrt(8 * capacity)
    assert 0.0499 < apart <= 0.05
    assert 0.0499 < learnt <= 0.05
    assert remark_1(**GOAL, vc_dimension=6).records < n


@pytest.mark.parametrize(
    ("theorem", "fixed"),
    [
        (theorem_2, LEADER),
        (theorem_3, LEADER),
        (theorem_3, LEADER | {"delta": 0}),
        (theorem_4, GOAL | {"vc_dimension": 3}),
        (remark_1, GOAL | {"vc_dimension": 3}),
    ],
)
def test_harder_goals_need_more(theorem, fixed):
    harder = [{"alpha": 0.05}, {"beta": 0.01}, {"epsilon": 0.5}, {"smoothness": 0.5}]
    easy = theorem(**fixed).records
    assert all(theorem(**(fixed | change)).records > easy for change in harder)
    sizes = [theorem(**(fixed | {"alpha": 0.1 / 2**k})).records for k in range(4)]
    assert all(more >= 2 * less for less, more in pairwise(sizes))


@pytest.mark.parametrize(
    "wrong",
    [
        {"alpha": 0},
        {"beta": 1},
        {"epsilon": 0},
        {"delta": 1},
        {"smoothness": 2},
        {"comparison": 0},
        {"lipschitz": 0},
    ],
)
def test_numbers_out_of_range_are_refused(wrong):
    (name,) = wrong
    with pytest.raises(OptionError, match=name):
        theorem_3(**(LEADER | wrong))


def test_the_perturbed_leader_has_no_pure_form():
    with pytest.raises(OptionError, match="delta"):
        theorem_2(**(LEADER | {"delta": 0}))
