"""Plans: parts bound, releases priced, and what no plan can do."""

import numpy as np
import pytest

from discreet.accounting import ZCDP, ApproxDP, PureDP
from discreet.boosting.plan import make_plan
from discreet.boosting.reweighting.lazy_bregman import LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.weak_learners.one_rule import OneRule
from discreet.errors import PlanError
from tests.tables import SCHEMA

MADABOOST = MadaBoost(0.1)


def plan(epsilon=1.0, delta=1e-6, rounds=100, adjacency="replace", n=1_000, measure=MADABOOST):
    return make_plan(
        measure=measure,
        learner=OneRule(SCHEMA),
        rounds=rounds,
        target=ApproxDP(epsilon, delta),
        adjacency=adjacency,
        n_records=n,
    )


def test_scales_are_those_of_the_formulas():
    (term,) = plan(epsilon=2.0, delta=0, rounds=10).terms
    assert (term.noise, term.times, term.claim.bound) == ("exponential", 10, 4 * 2**20)
    assert term.scale == pytest.approx(4 * 2**20 * 10 / 2.0, rel=1e-8)
    concentrated = plan()
    (term,) = concentrated.terms
    assert term.noise == "gumbel"
    assert concentrated.loss.rho == pytest.approx(100 * (4 * 2**20 / term.scale) ** 2 / 8, rel=1e-9)


def test_add_remove_needs_half_the_noise():
    by_replace, by_adding = plan(), plan(adjacency="add-remove", n=None)
    assert by_replace.terms[0].scale == pytest.approx(2 * by_adding.terms[0].scale, rel=1e-8)


@pytest.mark.parametrize(("rounds", "loss"), [(1, PureDP), (400, ZCDP)])
def test_the_better_route_is_taken(rounds, loss):
    """Few rounds are cheaper purely; the guarantee then needs no delta."""
    chosen = plan(rounds=rounds)
    assert isinstance(chosen.loss, loss)
    assert chosen.guarantee.delta == (0 if loss is PureDP else 1e-6)
    assert 0.999999 < chosen.guarantee.epsilon <= 1


def test_n_is_public_under_replace_and_only_there():
    for adjacency, n in (("replace", None), ("add-remove", 10)):
        with pytest.raises(PlanError, match="n_records is public under replace"):
            plan(adjacency=adjacency, n=n)


@pytest.mark.parametrize(
    ("measure", "bits"), [(MadaBoost(0.1), 20), (LazyBregman(0.1, 0.3, 2**32), 30)], ids=["mada", "lazy"]
)
def test_tables_beyond_exact_sums_are_refused(measure, bits):
    with pytest.raises(PlanError, match="64-bit"):
        plan(measure=measure, n=2 ** (62 - bits))


def test_under_add_remove_the_limit_is_that_of_the_largest_table():
    class Heavy(MadaBoost):
        def bounds(self, adjacency, max_records):
            assert max_records == 2**40
            return super().bounds(adjacency, max_records)

    plan(measure=Heavy(0.1), adjacency="add-remove", n=None)


def test_the_base_measure_evens_out_wide_columns():
    """age has 19 literals, sex 2, smoker 1, the constant counts as a column: ln p = -ln(literals) / 2."""
    log_prior = OneRule(SCHEMA)._log_prior
    expected = np.repeat(-0.5 * np.log([19] * 19 + [2] * 2 + [1] + [1]), 2)
    np.testing.assert_allclose(log_prior, expected)
