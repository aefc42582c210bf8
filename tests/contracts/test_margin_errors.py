"""Margin errors are counted as three lines of plain Python count them, and move as their sensitivity says."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.engines import margin_errors
from discreet.engines.margin_errors import MarginErrors
from discreet.errors import EngineError
from discreet.halfspaces.net import UNIT, Net, least_product
from discreet.halfspaces.sensitivity import SCORE, margin_error_range

NORM = 2**14


def reference(vectors, labels, candidates, least):
    """The definition, in Python's integers."""
    records = [
        (2 * int(label) - 1, vector.tolist())
        for vector, label in zip(vectors, labels, strict=True)
        if label < 2
    ]
    return [
        sum(sign * sum(a * b for a, b in zip(vector, w, strict=True)) < least for sign, vector in records)
        for w in candidates.tolist()
    ]


def records_of(seed, n, dimension):
    generator = np.random.default_rng(seed)
    directions = generator.normal(size=(n, dimension))
    directions *= generator.choice([0, 0.5, 1], size=(n, 1), p=[0.1, 0.2, 0.7])
    lengths = np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1)
    return np.trunc(NORM * directions / lengths).astype(np.int16), generator.integers(0, 3, n).astype(np.int8)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(0, 50),
    dimension=st.integers(1, 6),
    n_candidates=st.integers(0, 12),
    threads=st.integers(1, 4),
    least=st.sampled_from([1, 2, NORM, UNIT * NORM // 10, 2**31 - 1]),
    block=st.sampled_from([1, 7, 1024]),
)
def test_counts_are_those_of_the_definition(seed, n, dimension, n_candidates, threads, least, block):
    vectors, labels = records_of(seed, n, dimension)
    generator = np.random.default_rng(seed + 1)
    candidates = generator.normal(size=(n_candidates, dimension))
    candidates /= np.linalg.norm(candidates, axis=1, keepdims=True)
    candidates = np.rint(UNIT * candidates).astype(np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(margin_errors, "_BLOCK", block)
        counts = MarginErrors(vectors, labels, NORM, threads).counts(candidates, least)
    assert counts.dtype == np.int64
    assert counts.tolist() == reference(vectors, labels, candidates, least)


def test_the_largest_products_are_exact():
    vectors = np.array([[NORM, 0], [-NORM, 0], [NORM, 0]], dtype=np.int16)
    labels = np.array([1, 1, 0], dtype=np.int8)
    engine = MarginErrors(vectors, labels, NORM)
    top = UNIT + 1
    candidates = np.array([[top, 0], [-top, 0]], dtype=np.int32)
    assert engine.counts(candidates, top * NORM).tolist() == [2, 1]
    assert engine.counts(candidates, top * NORM + 1).tolist() == [3, 3]


def test_products_beyond_32_bits_are_refused():
    engine = MarginErrors(np.zeros((1, 2), dtype=np.int16), np.zeros(1, dtype=np.int8), NORM)
    for candidates, least in (([[2**17, 0]], 1), ([[2**31 - 1] * 2], 1), ([[1, 0]], 0), ([[1, 0]], 2**31)):
        with pytest.raises(EngineError, match="do not fit 32 bits"):
            engine.counts(np.array(candidates, dtype=np.int32), least)


def test_one_record_moves_scores_by_no_more_than_their_range():
    """All pairs of neighbours among tables of at most two records; both bounds are reached."""
    candidates = Net(2, 0.5).candidates()
    least = least_product(0.3, NORM)
    points = [(NORM, 0), (-NORM, 0), (0, NORM), (0, 0), (NORM // 2, NORM // 2), (3000, -100)]
    rows = [(point, label) for point in points for label in range(3)]

    def scores(table):
        vectors = np.array([point for point, _ in table], dtype=np.int16).reshape(-1, 2)
        labels = np.array([label for _, label in table], dtype=np.int8)
        return SCORE * MarginErrors(vectors, labels, NORM).counts(candidates, least)

    of = {
        table: scores(table) for n in range(3) for table in itertools.combinations_with_replacement(rows, n)
    }

    def largest(pairs):
        return max(int(np.ptp(of[tuple(sorted(one))] - of[tuple(sorted(other))])) for one, other in pairs)

    of = {tuple(sorted(table)): value for table, value in of.items()}
    replaced = [((a, c), (b, c)) for a, b, c in itertools.product(rows, repeat=3)]
    added = [((a, c), (c,)) for a, c in itertools.product(rows, repeat=2)] + [((a,), ()) for a in rows]
    assert largest(replaced) == margin_error_range("replace") == 4
    assert largest(added) == margin_error_range("add-remove") == 2
