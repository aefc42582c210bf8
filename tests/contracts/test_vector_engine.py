"""The engine of vectors returns exactly what ten lines of plain Python return, on any number of threads."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.engines.base import Direction
from discreet.engines.vector_kernels import SHIFT
from discreet.engines.vectors import VectorEngine, rounded
from discreet.errors import EngineError

NORM = 2**14
LEVEL = 50


class Reference:
    """The definition, one record at a time, in Python's integers."""

    def __init__(self, vectors, labels):
        self.vectors = [[int(value) for value in vector] for vector in vectors]
        self.labels, self.level = labels, [0] * len(labels)
        self.total = [0] * vectors.shape[1]

    def weighted_sum(self, weights):
        sums = [0] * len(self.total)
        for vector, label, level in zip(self.vectors, self.labels, self.level, strict=True):
            if label < 2:
                weight = (2 * int(label) - 1) * int(weights[label, level + LEVEL])
                sums = [total + weight * value for total, value in zip(sums, vector, strict=True)]
        return sums

    def advance(self, direction):
        self.total = [old + int(new) for old, new in zip(self.total, direction.values, strict=True)]
        shift = 0
        while sum(toward_zero(value, shift) ** 2 for value in self.total) > (2**31 // NORM - 1) ** 2:
            shift += 1
        rate = min(2**32 - 1, round(direction.rate * 2.0 ** (shift + SHIFT)))
        for j, (vector, label) in enumerate(zip(self.vectors, self.labels, strict=True)):
            product = sum(toward_zero(z, shift) * x for z, x in zip(self.total, vector, strict=True))
            level = (2 * int(label) - 1) * product * rate >> SHIFT
            self.level[j] = max(-LEVEL, min(LEVEL, level)) if label < 2 else 0


def toward_zero(value, shift):
    return (abs(value) >> shift) * (1 if value > 0 else -1)


def vectors_of(rng, n, dimension):
    """Directions at random, half of them as long as they may be."""
    found = rng.normal(size=(n, dimension))
    found *= NORM * rng.choice([1, 0.3], (n, 1)) / np.linalg.norm(found, axis=1, keepdims=True)
    return np.trunc(found).astype(np.int16)


@pytest.mark.parametrize("threads", [1, 2, 7])
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    n=st.sampled_from([0, 1, 5, 60]),
    dimension=st.sampled_from([1, 2, 9, 33]),
    length=st.sampled_from([0, 1, 2**20, 2**40, 2**58]),
)
def test_equal_to_the_reference(threads, seed, n, dimension, length):
    rng = np.random.default_rng(seed)
    vectors, labels = vectors_of(rng, n, dimension), rng.integers(0, 3, n).astype(np.int8)
    task, reference = VectorEngine(vectors, NORM, threads).open(labels, LEVEL), Reference(vectors, labels)
    for _ in range(3):
        weights = rng.integers(0, 2**30, (2, 2 * LEVEL + 1))
        assert task.weighted_sum(weights).tolist() == reference.weighted_sum(weights)
        values = rng.integers(-length, length + 1, dimension)
        rate = 10.0 ** rng.uniform(-2, 2) / (NORM * max(1.0, np.linalg.norm(values.astype(float))))
        task.advance(Direction(values, rate))
        reference.advance(Direction(values, rate))
        counts = np.zeros((2, 2 * LEVEL + 1), int)
        for label, level in zip(labels, reference.level, strict=True):
            if label < 2:
                counts[label, level + LEVEL] += 1
        assert np.array_equal(task.level_counts(), counts)


def test_a_sum_beyond_64_bits_saturates(monkeypatch):
    engine = VectorEngine(np.array([[NORM, 0], [-NORM, 0]] * 4, np.int16), NORM)
    task = engine.open(np.array([1, 0] * 4, np.int8), 0)
    full = np.full((2, 1), 2**31)
    assert task.weighted_sum(full).tolist() == [8 * NORM * 2**31, 0]
    monkeypatch.setattr("discreet.engines.vectors._LARGEST_SUM", 2**40)
    assert task.weighted_sum(full).tolist() == [2**40, 0]


@pytest.mark.parametrize("norm", [1, 2**17 - 1, 2**47])
def test_a_rounded_vector_is_as_long_as_it_may_be(norm):
    rng = np.random.default_rng(0)
    for exponent in range(0, 70, 3):
        total = np.array([int(value * 2.0**exponent) for value in rng.normal(size=5)], dtype=object)
        direction, shift = rounded(total, norm)
        assert math.isqrt(sum(int(value) ** 2 for value in direction)) <= norm
        assert [toward_zero(value, shift) for value in total] == direction.tolist()
        assert shift == 0 or sum(toward_zero(value, shift - 1) ** 2 for value in total) > norm**2


def test_a_direction_of_another_length_is_refused():
    task = VectorEngine(np.zeros((3, 2), np.int16), NORM).open(np.zeros(3, np.int8), 5)
    with pytest.raises(EngineError, match="one value a coordinate"):
        task.advance(Direction(np.zeros(3, np.int64), 1.0))
