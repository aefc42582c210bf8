"""The minimiser: an exact gradient, a certificate that can be trusted, and an answer to every input."""

from fractions import Fraction

import numpy as np
import pytest

from discreet.boosting.features import NORM
from discreet.semiprivate.leader import minimiser
from discreet.semiprivate.leader.minimiser import certified_minimiser
from discreet.semiprivate.leader.objective import Point, gradient, is_certified
from discreet.semiprivate.leader.stability import stability
from tests.leader_problems import Problem, distance, drawn, objective_of, whole


def loss(z):
    return (1 - z) ** 2 / 4 if abs(z) <= 1 else max(-z, Fraction(0))


def value(problem, coordinates):
    """The objective, in exact fractions, as the page states it."""
    total = sum(a * c**2 for a, c in zip(problem.objective.weights, coordinates, strict=True))
    for vector, label in zip(problem.vectors.tolist(), problem.labels.tolist(), strict=True):
        margin = sum((c * Fraction(v, NORM) for c, v in zip(coordinates, vector, strict=True)), Fraction())
        total += abs(label) * loss(label * margin)
    return total


def at_random(problem, rng, bits):
    size = rng.choice([0.1, 1, problem.objective.radius])
    aim = rng.normal(size=len(problem.objective.roots))
    return Point(tuple(int(part * size / np.linalg.norm(aim) * 2.0**bits) for part in aim), bits)


@pytest.mark.parametrize("bits", [10, 44, 90])
def test_the_gradient_is_exact(bits):
    """The objective is a square near a point but at two margins: a symmetric difference is its slope."""
    rng = np.random.default_rng(bits)
    compared = 0
    for _ in range(60):
        problem = drawn(rng)
        point = at_random(problem, rng, bits)
        slope = gradient(problem.objective, problem.vectors, problem.labels, point)
        margins = problem.vectors.astype(float) @ [float(c) for c in point.coordinates] / NORM
        if np.abs(np.abs(margins) - 1).min() < 1e-6:
            continue
        step = Fraction(1, 10**9)
        for axis, found in enumerate(slope):
            ahead, behind = (
                value(problem, [c + sign * step * (k == axis) for k, c in enumerate(point.coordinates)])
                for sign in (1, -1)
            )
            assert found == (ahead - behind) / (2 * step)
            compared += 1
    assert compared > 100


def test_records_of_no_class_weigh_nothing():
    problem = drawn(np.random.default_rng(1))
    nobody = np.zeros(len(problem.labels), dtype=np.int8)
    point = Point((0,) * len(problem.objective.roots), 44)
    assert not any(gradient(problem.objective, problem.vectors, nobody, point))


@pytest.mark.parametrize("problems", [150, pytest.param(5_000, marks=pytest.mark.slow)])
def test_what_is_found_is_certified_and_no_walk_was_needed(problems, monkeypatch, report):
    monkeypatch.delattr(minimiser, "_descend")
    rng = np.random.default_rng(problems)
    for _ in range(problems):
        problem = drawn(rng)
        tolerance = stability(problem.objective, "replace") / 1024
        point = certified_minimiser(problem.objective, problem.vectors, problem.labels, tolerance)
        assert point.square <= problem.objective.radius**2
        finer = certified_minimiser(problem.objective, problem.vectors, problem.labels, tolerance / 1024)
        assert distance(problem.objective, point.coordinates, finer.coordinates) <= tolerance
    report("leader: certified minimisers", f"{problems:,} problems", "found by the search, all of them")


@pytest.mark.parametrize("seed", range(12))
def test_the_walk_gets_there_where_the_search_does_not(seed, monkeypatch):
    """The search is made to find nothing; the walk ends within the tolerance of what it would find."""
    rng = np.random.default_rng(seed)
    problem = drawn(rng)
    roots = np.full(len(problem.objective.roots), rng.choice([0.5, 2.0, 8.0]))
    problem = Problem(objective_of(roots, int(rng.choice([1, 50]))), problem.vectors[:8], problem.labels[:8])
    tolerance = stability(problem.objective, "replace") / 1024
    records = problem.objective, problem.vectors, problem.labels
    sought = certified_minimiser(*records, tolerance)
    nothing = Point((0,) * len(roots), 44), Fraction(-1)
    monkeypatch.setattr(minimiser, "_search", lambda *_: nothing)
    walked = certified_minimiser(*records, tolerance)
    assert walked.square <= problem.objective.radius**2
    assert distance(problem.objective, sought.coordinates, walked.coordinates) <= 2 * tolerance


def test_a_coarse_grid_is_refined(monkeypatch):
    """On a grid of halves no point is near the minimiser; the walk goes on to finer ones."""
    problem = Problem(objective_of(np.array([3.0]), 8), whole(np.array([[0.7], [1.0]])), np.ones(2, np.int8))
    tolerance = stability(problem.objective, "replace") / 1024
    monkeypatch.setattr(minimiser, "_BITS", 1)
    point = certified_minimiser(problem.objective, problem.vectors, problem.labels, tolerance)
    assert point.bits > 1


def test_no_point_far_from_the_minimiser_is_certified():
    """Whatever multiplier is offered: points at random, and points just beyond the tolerance."""
    rng = np.random.default_rng(3)
    near = refused = 0
    for _ in range(300):
        problem = drawn(rng)
        tolerance = stability(problem.objective, "replace") / 16
        records = problem.objective, problem.vectors, problem.labels
        best = certified_minimiser(*records, tolerance / 2**12)
        roots = np.array(problem.objective.roots) / 2.0**24
        aim = rng.normal(size=len(roots))
        aim *= float(tolerance) * rng.choice([0.2, 1.01, 3]) / np.linalg.norm(aim) / roots
        point = Point(tuple(v + int(a * 2.0**44) for v, a in zip(best.values, aim, strict=True)), 44)
        slope = gradient(*records, point)
        pulls = [Fraction(), Fraction(float(rng.exponential(10)))]
        if any(is_certified(problem.objective, point, slope, pull, tolerance) for pull in pulls):
            assert distance(problem.objective, best.coordinates, point.coordinates) <= 1.001 * tolerance
            near += 1
        else:
            refused += 1
    assert near > 5
    assert refused > 100


def test_a_table_without_records_has_a_minimiser():
    empty = np.zeros((0, 3), dtype=np.int16), np.zeros(0, dtype=np.int8)
    point = certified_minimiser(objective_of(np.ones(3), 4), *empty, Fraction(1, 1000))
    assert point.values == (0, 0, 0)
