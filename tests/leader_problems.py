"""Convex problems of the regularised leader, and neighbours that it tells apart as well as it can."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from discreet.boosting.features import NORM
from discreet.semiprivate.leader.objective import ROOT_BITS, Objective


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


def far_apart() -> tuple[Problem, Problem]:
    """Return neighbours that move the leader by nearly all of what the slopes allow, 0.999 of it.

    A crowd of short vectors holds the leader far out on the first axis. There the two records have full
    slope, both point slightly back along that axis, and otherwise in opposite directions.
    """
    out, short, root = 40.0, 0.012, 1.0
    own = 1 / (2 * root**2)
    back = (1 + own + 0.01) / out
    n = math.ceil(2 * root**2 * out / (short * (1 - short * out) / 2))
    across = math.sqrt(1 - back**2)
    crowd = np.tile([short, 0.0], (n, 1))
    vectors = whole(np.vstack([[-back, across], crowd]))
    problem = Problem(objective_of(np.full(2, root), 64), vectors, np.ones(n + 1, dtype=np.int8))
    return problem, problem.replaced(whole(np.array([[-back, -across]]))[0], 1)


def shifted(values: tuple[int, ...], bits: int, along: np.ndarray, roots: tuple[int, ...]) -> tuple[int, ...]:
    """Move a point by a vector of the regulariser's norm."""
    moved = along * 2.0**ROOT_BITS / np.array(roots)
    return tuple(value + int(step * 2.0**bits) for value, step in zip(values, moved, strict=True))


def distance(objective: Objective, one: list[Fraction], other: list[Fraction]) -> float:
    """Return the distance in the regulariser's norm."""
    squares = (a * (x - y) ** 2 for a, x, y in zip(objective.weights, one, other, strict=True))
    return math.sqrt(sum(squares))
