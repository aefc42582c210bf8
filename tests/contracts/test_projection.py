"""Rows become vectors as Python's integers say: each by itself, in any container, on any threads."""

import hashlib
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.engines.hinge import HingeEngine
from discreet.engines.projection import NORM, Projection
from discreet.errors import EngineError
from discreet.halfspaces.matrices import SignMatrix
from discreet.schema.points import open_points

LARGEST = np.finfo(float).max


def cleaned(value):
    """nan is 0, an infinity the largest number; exactly, as a fraction."""
    value = float(value)
    return Fraction(0) if math.isnan(value) else Fraction(min(max(value, -LARGEST), LARGEST))


def toward_zero(value):
    return int(abs(value)) * (1 if value > 0 else -1)


def ceil_root(square):
    return math.isqrt(square - 1) + 1 if square > 0 else 0


def reference(row, signs, intercept):
    """The vector of one row, in unbounded integers."""
    row = [cleaned(value) for value in row]
    width = len(row) + intercept
    bits = min(40, 61 - (width + 1).bit_length())
    coarse = bits - (62 - (width + 1).bit_length()) // 2
    largest = max(map(abs, row))
    exponent = math.frexp(float(largest))[1]
    if largest == 0 or exponent < -900:
        numbers, constant = [0] * len(row), 1 << bits
    else:
        numbers = [toward_zero(value * Fraction(2) ** (bits - exponent)) for value in row]
        constant = ceil_root(sum((abs(number) >> coarse) ** 2 for number in numbers)) << coarse
    if intercept:
        numbers.append(constant)
    sums = [sum(int(sign) * number for sign, number in zip(line, numbers, strict=True)) for line in signs]
    shift = 24 - max(abs(value) for value in sums).bit_length()
    if any(sums):
        sums = [toward_zero(value * Fraction(2) ** shift) for value in sums]
    root = max(1, ceil_root(sum(value**2 for value in sums)))
    return [toward_zero(Fraction(value * NORM, root)) for value in sums]


def matrix_of(projection):
    """The signs of a projection as a table of -1, 0 and 1."""
    if projection.negative is None:
        return np.eye(projection.width, dtype=int)
    place = np.arange(projection.n_components)

    def bits(words):
        return ((words[:, place // 64] >> (place % 64).astype(np.uint64)) & np.uint64(1)).astype(int).T

    signs = 1 - 2 * bits(projection.negative)
    return signs if projection.present is None else signs * bits(projection.present)


def projection_of(kind, n_components, n_features, intercept, seed=1):
    if kind == "none":
        return Projection(n_features, n_features + intercept, intercept)
    signs = SignMatrix.of(kind, n_components, n_features + intercept, seed)
    return Projection(n_features, n_components, intercept, signs.negative, signs.present)


def numbers(rng, n, d):
    """Rows of all sizes, with much that is odd."""
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-5, 6, (n, d))
    X *= 10.0 ** rng.choice([-305, -280, -30, 0, 200, 300], (n, 1))
    X[rng.random((n, d)) < 0.4] = 0
    odd = rng.random((n, d)) < 0.1
    X[odd] = rng.choice([np.nan, np.inf, -np.inf, -0.0, 1e308, -1e308, 5e-324, 1.0], odd.sum())
    X[rng.random(n) < 0.1] = 0
    return X


KINDS = pytest.mark.parametrize("kind", ["none", "dense", "sparse"])


@KINDS
@pytest.mark.parametrize("intercept", [False, True])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), n=st.sampled_from([1, 5]), d=st.sampled_from([1, 2, 9, 70]))
def test_equal_to_the_reference(kind, intercept, seed, n, d):
    rng = np.random.default_rng(seed)
    X = numbers(rng, n, d)
    projection = projection_of(kind, int(rng.choice([1, 3, 64, 67])), d, intercept, seed)
    vectors = projection.vectors(open_points(X))
    signs = matrix_of(projection)
    assert vectors.tolist() == [reference(row, signs, intercept) for row in X]
    squares = (vectors.astype(np.int64) ** 2).sum(axis=1)
    assert squares.max() <= NORM**2
    weights = rng.integers(-(2**40), 2**40, projection.n_components)
    exact = [sum(int(w) * int(s) for w, s in zip(weights, line, strict=True)) for line in signs.T]
    assert projection.coefficients(weights).tolist() == exact


FORMATS = ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"]


def every_form(X):
    """The same rows in every container, and in types that hold them without loss."""
    yield "dense", X
    yield "fortran", np.asfortranarray(X)
    yield "strided", np.repeat(X, 2, axis=1)[:, ::2]
    for name in FORMATS:
        yield name, sp.csr_array(X).asformat(name)
        yield f"{name} matrix", sp.csr_matrix(X).asformat(name)
    full = np.indices(X.shape).reshape(2, -1)
    yield "explicit zeros", sp.coo_array((X.ravel(), tuple(full)), shape=X.shape).tocsr()
    halves = np.concatenate([X.ravel() / 2, X.ravel() / 2])
    yield "twice", sp.coo_array((halves, tuple(np.tile(full, 2))), shape=X.shape)
    backwards = sp.csr_array(X)
    for i in range(len(X)):
        part = slice(*backwards.indptr[i : i + 2])
        backwards.indices[part] = backwards.indices[part][::-1]
        backwards.data[part] = backwards.data[part][::-1]
    yield "unsorted", backwards


@KINDS
@pytest.mark.parametrize("intercept", [False, True])
def test_the_same_bits_in_every_container_and_on_any_threads(kind, intercept):
    rng = np.random.default_rng(0)
    X = numbers(rng, 40, 30)
    X[~(np.abs(X) > 1e-290) & np.isfinite(X)] = 0  # half of the smallest numbers is not a number
    projection = projection_of(kind, 20, 30, intercept)
    expected = projection.vectors(open_points(X))
    coefficients = rng.normal(size=projection.width)
    scores = Projection(30, 20, intercept).scores(open_points(X), coefficients)
    for name, form in every_form(X):
        before = form.copy()
        points = open_points(form)
        for threads in (1, 2, 7):
            assert np.array_equal(projection.vectors(points, threads), expected), name
        again = Projection(30, 20, intercept).scores(points, coefficients)
        assert again.tobytes() == scores.tobytes(), name
        if sp.issparse(form):
            assert np.array_equal(form.toarray(), before.toarray(), equal_nan=True)


@KINDS
def test_a_row_is_the_same_whatever_stands_beside_it(kind, monkeypatch):
    rng = np.random.default_rng(1)
    X = numbers(rng, 300, 50)
    projection = projection_of(kind, 24, 50, True)
    together = projection.vectors(open_points(X))
    for i in range(0, 300, 7):
        assert np.array_equal(projection.vectors(open_points(X[[i]]))[0], together[i])
    order = rng.permutation(300)
    assert np.array_equal(projection.vectors(open_points(sp.csr_array(X[order]))), together[order])
    monkeypatch.setattr("discreet.schema.points._SPARSE_ROWS", 7)
    monkeypatch.setattr("discreet.schema.points._DENSE_CELLS", 350)
    for form in (X, sp.csr_array(X)):
        assert np.array_equal(projection.vectors(open_points(form), 3), together)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", "i1", "u2", "i8", "?"])
def test_types_of_numbers(dtype):
    rng = np.random.default_rng(2)
    X = rng.integers(0, 2 if dtype == "?" else 100, (20, 12)).astype(dtype)
    projection = projection_of("dense", 5, 12, False)
    expected = projection.vectors(open_points(X.astype(float)))
    assert np.array_equal(projection.vectors(open_points(X)), expected)
    if dtype not in ("f2", "g"):
        assert np.array_equal(projection.vectors(open_points(sp.csc_array(X))), expected)


def test_zero_rows_stay_zero_unless_lifted():
    X = np.zeros((2, 9))
    assert not projection_of("dense", 4, 9, False).vectors(open_points(X)).any()
    lifted = projection_of("dense", 4, 9, True).vectors(open_points(X))
    assert (np.abs(lifted) == NORM // 2).all()


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_inner_products_survive(kind):
    """Johnson and Lindenstrauss: errors of inner products have a deviation of about 1/sqrt(m), 0.029 here.

    The matrix is fixed, so there is no false alarm.
    """
    rng = np.random.default_rng(3)
    d, m, n = 3_000, 1_200, 60
    X = rng.normal(size=(n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    X[n // 2 :] = 0.6 * X[: n // 2] + 0.8 * X[n // 2 :]
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    vectors = projection_of(kind, m, d, False).vectors(open_points(X)) / NORM
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(n), abs=2e-3)
    error = vectors @ vectors.T - X @ X.T
    assert np.sqrt(np.mean(error**2)) < 1.2 / math.sqrt(m)
    assert np.abs(error).max() < 5 / math.sqrt(m)


def test_matrices_are_functions_of_their_seed():
    one, same, other = (SignMatrix.of("dense", 70, 1_000, seed) for seed in (5, 5, 6))
    assert one.checksum == same.checksum != other.checksum
    share = matrix_of(Projection(1_000, 70, False, one.negative)).mean()
    assert abs(share) < 0.02
    sparse = SignMatrix.of("sparse", 70, 1_024, 5)
    entries = matrix_of(Projection(1_024, 70, False, sparse.negative, sparse.present))
    assert abs((entries != 0).mean() - 2**-5) < 0.004
    assert abs(entries.sum()) < 4 * math.sqrt((entries != 0).sum())


def test_the_stream_of_matrices_never_changes():
    """What model files rely on: these digests are for ever."""
    matrices = [SignMatrix.of(kind, 65, 100, 7) for kind in ("dense", "sparse")]
    assert [matrix.checksum[7:15] for matrix in matrices] == ["f11b1dc7", "c1899f80"]
    words = [m.negative.tobytes() + (b"" if m.present is None else m.present.tobytes()) for m in matrices]
    assert [hashlib.sha256(each).hexdigest()[:8] for each in words] == ["5da04c30", "59c0d95f"]


class TestHinge:
    @pytest.mark.parametrize("threads", [1, 2, 7])
    @settings(max_examples=10, deadline=None)
    @given(
        seed=st.integers(0, 2**32),
        n=st.sampled_from([0, 1, 5, 60]),
        m=st.sampled_from([1, 2, 9, 33]),
    )
    def test_equal_to_the_reference(self, threads, seed, n, m):
        rng = np.random.default_rng(seed)
        vectors = rng.normal(size=(n, m))
        vectors *= NORM * rng.choice([1, 0.3, 0], (n, 1)) / np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors = np.trunc(vectors).astype(np.int16)
        labels = rng.integers(0, 3, n).astype(np.int8)
        direction = np.trunc(rng.normal(size=m) * 2**16 / (3 * math.sqrt(m))).astype(np.int32)
        least = int(rng.choice([-(2**40), 0, 1, 10**8, 2**40]))
        engine = HingeEngine(vectors.copy(), labels, NORM, threads)
        sums = [0] * m
        for vector, label in zip(vectors.tolist(), labels.tolist(), strict=True):
            signed = [value * (-1, 1, 0)[label] for value in vector]
            if sum(v * int(w) for v, w in zip(signed, direction, strict=True)) < least:
                sums = [total + value for total, value in zip(sums, signed, strict=True)]
        assert engine.sum_below(direction, least).tolist() == sums

    def test_the_largest_sums_and_products(self):
        n = 2**17 + 3
        engine = HingeEngine(np.full((n, 1), NORM, np.int16), np.ones(n, np.int8), NORM)
        assert engine.sum_below(np.array([2**16], np.int32), 2**30 + 1).tolist() == [n * NORM]
        assert engine.sum_below(np.array([2**16], np.int32), 2**30).tolist() == [0]

    @pytest.mark.parametrize("direction", [[2**17], [0, 0]])
    def test_directions_that_do_not_fit_are_refused(self, direction):
        engine = HingeEngine(np.zeros((3, 1), np.int16), np.zeros(3, np.int8), NORM)
        with pytest.raises(EngineError, match="32 bits"):
            engine.sum_below(np.array(direction, np.int32), 1)
