"""The oracle of integer halfspaces: the minimum and its first labelling, by list or by proof; or none."""

import sys
from functools import cache
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from discreet import Boolean, Schema
from discreet.errors import MissingExtra, NotCertified, OptionError
from discreet.semiprivate.oracles import constraint_solver, halfspaces
from discreet.semiprivate.oracles.halfspaces import IntegerHalfspace
from tests.oracle_problems import SCHEMAS, answers, check, problems


@cache
def every_halfspace(which, bound):
    """List what every halfspace says for every cell; the first question is the constant, which is none."""
    asked = answers(which)[1:]
    found = set()
    for vector in product(range(-bound, bound + 1), repeat=len(asked)):
        sums = [sum(c for c, holds in zip(vector, cell, strict=True) if holds) for cell in asked.T]
        found |= {tuple(total >= limit for total in sums) for limit in range(min(sums), max(sums) + 2)}
    return np.array(sorted(found))


def solve(problem, oracle):
    return oracle.on(problem.schema, problem.public).minimise(problem.private, problem.labels, problem.costs)


def check_with_formula(problem, found, bound):
    check(problem, found, every_halfspace(SCHEMAS.index(problem.schema), bound))
    formula = found.hypothesis
    said = formula.labels(problem.private).tolist()
    wrong = sum(a != b for a, b in zip(said, problem.labels.tolist(), strict=True) if b < 2)
    charged = sum(cost for cost, one in zip(problem.costs.tolist(), found.labels, strict=True) if one)
    assert wrong + charged == found.objective
    assert formula.labels(problem.public).tolist() == found.labels.tolist()
    assert all(abs(coefficient) <= bound for coefficient in formula.coefficients)


@pytest.mark.parametrize(
    ("bound", "seed", "count"),
    [
        (1, 1, 100),
        (2, 2, 100),
        pytest.param(1, 3, 5_000, marks=pytest.mark.slow),
        pytest.param(2, 4, 5_000, marks=pytest.mark.slow),
    ],
)
def test_where_the_class_is_listed_it_finds_what_trying_all_finds(bound, seed, count):
    for problem in problems(seed, count):
        assert IntegerHalfspace(bound).always_answers(problem.schema)
        check_with_formula(problem, solve(problem, IntegerHalfspace(bound)), bound)


@pytest.fixture
def unlisted(monkeypatch):
    """No class is small enough to be listed."""
    pytest.importorskip("ortools")
    monkeypatch.setattr(halfspaces, "MOST_TO_LIST", 0)


def refusals(bound, effort, drawn):
    """Check every answer; tell which problems were refused, and which have costs too large to be solved."""
    refused, huge = [], []
    for problem in drawn:
        # Records may make up a little of the solver's limit as well.
        huge.append(sum(map(abs, problem.costs.tolist())) + len(problem.labels) >= 2**53)
        try:
            found = solve(problem, IntegerHalfspace(bound, effort))
        except NotCertified:
            refused.append(True)
        else:
            refused.append(False)
            check_with_formula(problem, found, bound)
    return refused, huge


@pytest.mark.parametrize(
    ("bound", "seed", "count"),
    [
        (1, 5, 60),
        (2, 6, 60),
        pytest.param(1, 8, 5_000, marks=pytest.mark.slow),
        pytest.param(2, 9, 5_000, marks=pytest.mark.slow),
    ],
)
def test_where_it_is_not_the_solver_finds_the_same(bound, seed, count, unlisted):
    refused, huge = refusals(bound, 10.0, problems(seed, count))
    assert sum(huge) < count / 2
    assert all(too_large for too_large, no in zip(huge, refused, strict=True) if no)


@pytest.mark.parametrize(("seed", "count"), [(7, 60), pytest.param(10, 5_000, marks=pytest.mark.slow)])
def test_cut_short_it_refuses_or_finds_the_same_and_does_so_again(seed, count, unlisted):
    def outcome():
        return refusals(2, 4e-5, problems(seed, count, SCHEMAS[:3], sizes=(30, 60, 100)))

    refused, huge = outcome()
    assert sum(huge) + count // 20 < sum(refused) < count - count // 20
    if count < 100:
        assert outcome() == (refused, huge)


def test_many_points_are_told_apart_in_blocks(unlisted, monkeypatch):
    monkeypatch.setattr(constraint_solver, "_BLOCK", 2)
    refused, huge = refusals(2, 10.0, problems(11, 60))
    assert all(too_large for too_large, no in zip(huge, refused, strict=True) if no)


def test_without_the_solver_s_word_and_bound_it_refuses(unlisted, monkeypatch):
    from ortools.sat.python import cp_model

    problem = next(drawn for drawn in problems(12, 60) if 0 < sum(map(abs, drawn.costs.tolist())) < 1000)
    solve(problem, IntegerHalfspace())
    honest, answer = cp_model.CpSolver.solve, cp_model.CpSolver.response_proto

    def unproven(solver, model):
        honest(solver, model)
        return cp_model.FEASIBLE

    def lowered(solver):
        bound = answer.fget(solver).inner_objective_lower_bound
        return SimpleNamespace(inner_objective_lower_bound=bound - 1)

    with monkeypatch.context() as patch:
        patch.setattr(cp_model.CpSolver, "solve", unproven)
        with pytest.raises(NotCertified, match="prove"):
            solve(problem, IntegerHalfspace())
    with monkeypatch.context() as patch:
        patch.setattr(cp_model.CpSolver, "response_proto", property(lowered))
        with pytest.raises(NotCertified, match="bound"):
            solve(problem, IntegerHalfspace())


def test_a_refusal_shows_nothing_but_itself(unlisted):
    problem = next(iter(problems(13, 1, SCHEMAS[:1], sizes=(100,))))
    with pytest.raises(NotCertified) as refusal:
        solve(problem, IntegerHalfspace(2, effort=1e-9))
    assert not any(character.isdigit() for character in str(refusal.value))
    assert refusal.value.__cause__ is None


def test_without_the_extra_it_says_so_before_anything_private_is_read(monkeypatch):
    problem = next(iter(problems(14, 1)))
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    solve(problem, IntegerHalfspace())
    monkeypatch.setattr(halfspaces, "MOST_TO_LIST", 0)
    with pytest.raises(MissingExtra, match=r'pip install "discreet\[oracles\]"'):
        IntegerHalfspace().on(problem.schema, problem.public)


def test_which_classes_are_listed_is_known_from_the_schema():
    eight = Schema({name: Boolean() for name in "abcdefgh"})
    nine = Schema({name: Boolean() for name in "abcdefghi"})
    assert IntegerHalfspace().always_answers(eight)
    assert not IntegerHalfspace().always_answers(nine)
    assert not IntegerHalfspace(2).always_answers(eight)


@pytest.mark.parametrize(
    "options", [{"bound": 0}, {"bound": True}, {"bound": 1.5}, {"effort": 0}, {"effort": float("nan")}]
)
def test_options_that_make_no_sense_are_refused(options):
    with pytest.raises(OptionError, match=next(iter(options))):
        IntegerHalfspace(**options)
