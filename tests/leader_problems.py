"""Convex problems of the regularised leader, and neighbours that it tells apart as well as it can."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from scipy.optimize import minimize

from discreet.boosting.features import NORM
from discreet.semiprivate.leader import plan
from discreet.semiprivate.leader.leader import whole as released
from discreet.semiprivate.leader.minimiser import certified_minimiser
from discreet.semiprivate.leader.objective import ROOT_BITS, Objective, Point, gradient, is_certified
from discreet.semiprivate.leader.plan import TOLERANCE
from discreet.semiprivate.leader.stability import stability

GRID = Fraction(2**40)


@dataclass(frozen=True, eq=False)
class Problem:
    """An objective and its records."""

    objective: Objective
    vectors: np.ndarray
    labels: np.ndarray

    def replaced(self, vector: np.ndarray, label: int) -> Problem:
        """Return the neighbour whose first record is another."""
        vectors, labels = self.vectors.copy(), self.labels.copy()
        vectors[0], labels[0] = vector, label
        return replace(self, vectors=vectors, labels=labels)

    def removed(self) -> Problem:
        """Return the neighbour without the first record."""
        return replace(self, vectors=self.vectors[1:], labels=self.labels[1:])


def whole(vectors: np.ndarray) -> np.ndarray:
    """Put vectors on the grid, none longer than the norm."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.trunc(vectors / np.maximum(lengths, 1) * NORM).astype(np.int16)


def objective_of(roots: np.ndarray, radius: int) -> Objective:
    """Return an objective with about these roots."""
    return Objective(tuple(max(1, int(root * 2**ROOT_BITS)) for root in roots), radius)


def drawn(rng: np.random.Generator) -> Problem:
    """Draw a problem: few records or none, equal ones, short ones, labels of neither class, all strengths."""
    dimension, n = int(rng.integers(1, 8)), int(rng.integers(1, 60))
    vectors = rng.normal(size=(n, dimension))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors *= rng.choice([1, 1, 0.1, 0.01])
    if rng.random() < 0.3:
        vectors = vectors[rng.integers(0, min(3, n), n)]
    labels = rng.choice([-1, 0, 1], n, p=[0.45, 0.1, 0.45]).astype(np.int8)
    alike = rng.random() < 0.5
    roots = np.full(dimension, 2 ** rng.uniform(-6, 6)) if alike else 2 ** rng.uniform(-6, 6, dimension)
    return Problem(objective_of(roots, int(rng.choice([1, 2, 8, 50]))), whole(vectors), labels)


def alone(rng: np.random.Generator) -> Problem:
    """Return a single long record, with a strength at which the range of its loss decides nearly as soon."""
    vector = rng.normal(size=(1, int(rng.integers(1, 4)))) * 9
    return Problem(objective_of(np.full(vector.shape[1], 0.5), 1), whole(vector), np.ones(1, dtype=np.int8))


def far_apart(turned: bool = False) -> tuple[Problem, Problem]:
    """Return neighbours that move the leader by nearly all of what the slopes allow, 0.999 of it.

    A crowd of short vectors holds the leader far out on the first axis. There the two records have full
    slope, both point slightly back along that axis, and otherwise in opposite directions. ``turned`` by 45
    degrees the leader moves along both axes alike: its L1 norm is root 2 times the L2 norm.
    """
    out, short, root = 40.0, 0.012, 1.0
    own = 1 / (2 * root**2)
    back = (1 + own + 0.01) / out
    n = math.ceil(2 * root**2 * out / (short * (1 - short * out) / 2))
    across = math.sqrt(1 - back**2)
    axes = np.array([[1.0, 1.0], [-1.0, 1.0]]) / math.sqrt(2) if turned else np.eye(2)
    crowd = np.tile([short, 0.0], (n, 1))
    vectors = whole(np.vstack([[-back, across], crowd]) @ axes)
    problem = Problem(objective_of(np.full(2, root), 64), vectors, np.ones(n + 1, dtype=np.int8))
    return problem, problem.replaced(whole(np.array([[-back, -across]]) @ axes)[0], 1)


def released_furthest(one: Problem, other: Problem, grid: Fraction) -> list[int]:
    """Return the change of the released vector, between points as far apart as a certificate allows."""
    objective = one.objective
    bound = stability(objective, "replace")
    exact = [
        certified_minimiser(objective, problem.vectors, problem.labels, bound / 2**20)
        for problem in (one, other)
    ]
    apart = np.array([float(b - a) for a, b in zip(*(point.coordinates for point in exact), strict=True)])
    apart *= np.array(objective.roots) / 2.0**ROOT_BITS
    outward = apart / np.linalg.norm(apart) * 0.49 * float(bound * TOLERANCE)
    loose = []
    for problem, point, along in ((one, exact[0], -outward), (other, exact[1], outward)):
        moved = along * 2.0**ROOT_BITS / np.array(objective.roots)
        values = [v + int(step * 2.0**point.bits) for v, step in zip(point.values, moved, strict=True)]
        there = Point(tuple(values), point.bits)
        slope = gradient(objective, problem.vectors, problem.labels, there)
        assert is_certified(objective, there, slope, Fraction(), bound * TOLERANCE)
        loose.append(released(objective, grid, there))
    return [int(b - a) for a, b in zip(*loose, strict=True)]


def within_the_claims() -> None:
    """Check the claims of a plan with the pair above, as it is and turned."""
    for turned in (False, True):
        one, other = far_apart(turned)
        fixed = one.objective, "replace", stability(one.objective, "replace") * TOLERANCE, GRID
        change = released_furthest(one, other, GRID)
        l2, l1 = math.isqrt(sum(step**2 for step in change)), sum(map(abs, change))
        assert l2 <= plan.released_l2(*fixed), "the leader moves by more than its L2 claim"
        assert l1 <= plan.released_l1(*fixed), "the leader moves by more than its L1 claim"


def near_the_minimisers() -> None:
    """Check that a fit's points are within the tolerance of minimisers that another method finds."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        objective = objective_of(2 ** rng.uniform(-6, 0, 3), 10**6)
        vectors = whole(rng.normal(size=(40, 3)))
        labels = np.where(vectors[:, 0] > 0, 1, -1).astype(np.int8)  # many margins beyond 1
        tolerance = stability(objective, "replace") * TOLERANCE
        found = certified_minimiser(objective, vectors, labels, tolerance)
        best = _by_quasi_newton(objective, vectors * labels[:, None] / NORM)
        away = distance(objective, found.coordinates, [Fraction(float(c)) for c in best])
        assert away <= 1.01 * float(tolerance), "a point is taken for the minimiser that is far from it"


def _by_quasi_newton(objective: Objective, signed: np.ndarray) -> np.ndarray:
    """Minimise without the ball, in floating point."""
    weights = np.array([float(a) for a in objective.weights])

    def value_and_slope(c: np.ndarray) -> tuple[float, np.ndarray]:
        z = signed @ c
        loss = np.where(z < -1, -z, np.maximum(1 - z, 0) ** 2 / 4)
        return loss.sum() + weights @ c**2, 2 * weights * c - signed.T @ np.clip((1 - z) / 2, 0, 1)

    options = {"ftol": 0, "gtol": 1e-9, "maxiter": 10_000}
    start = np.zeros(len(weights))
    return minimize(value_and_slope, start, jac=True, method="L-BFGS-B", options=options).x


def distance(objective: Objective, one: list[Fraction], other: list[Fraction]) -> float:
    """Return the distance in the regulariser's norm."""
    squares = (a * (x - y) ** 2 for a, x, y in zip(objective.weights, one, other, strict=True))
    return math.sqrt(sum(squares))
