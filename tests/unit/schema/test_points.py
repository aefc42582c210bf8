"""What a sparse row becomes depends on that row alone, however it is written down."""

import numpy as np
import pytest
import scipy.sparse as sp

from discreet.errors import InputError
from discreet.schema.points import open_points

WIDTH = 6


def row_by_row(X):
    """Return the first row as it is read."""
    ((_, chunk),) = open_points(X).chunks()
    first = slice(chunk.bounds[0], chunk.bounds[1])
    return chunk.values[first].tolist(), chunk.columns[first].tolist()


def written(numbers, other_columns, make):
    """Write one row with many numbers in column 0 above another row, in a format."""
    columns = [0] * len(numbers) + [1, *other_columns]
    values = [*numbers, 1.0, *([1.0] * len(other_columns))]
    rows = [0] * (len(numbers) + 1) + [1] * len(other_columns)
    return make(np.array(values), np.array(rows), np.array(columns))


def as_coo(values, rows, columns):
    return sp.coo_array((values, (rows, columns)), shape=(2, WIDTH))


def as_csr(values, rows, columns):
    ends = np.searchsorted(rows, [0, 1, 2])
    return sp.csr_array((values, columns, ends), shape=(2, WIDTH))


def as_bsr(values, rows, columns):
    ends = np.searchsorted(rows, [0, 1, 2])
    return sp.bsr_array((values.reshape(-1, 1, 1), columns, ends), shape=(2, WIDTH))


@pytest.mark.parametrize("make", [as_coo, as_csr, as_bsr])
def test_repeated_numbers_add_up_alike_whatever_the_other_row_is(make):
    """scipy sorts all rows or none, and not stably: sums of floats then depend on another record."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        numbers = rng.permutation([1e17, -1e17] * 5 + list(range(1, 11))).astype(float)
        seen = {
            str(row_by_row(written(numbers, other, make)))
            for other in ([0, 1], [1, 0], [1, 1], [], [5, 4, 3, 2, 1, 0])
        }
        assert len(seen) == 1


@pytest.mark.parametrize("make", [as_coo, as_csr, as_bsr])
def test_repeated_numbers_add_up_in_the_order_in_which_they_stand(make):
    values, columns = row_by_row(written([1e17, 1.0, -1e17], [], make))
    assert values == [(1e17 + 1.0) - 1e17, 1.0]
    assert columns == [0, 1]


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, bool])
def test_every_format_is_read_as_the_same_rows(kind, dtype):
    dense = np.random.default_rng(1).integers(0, 2, (7, 5)).astype(dtype)
    read = np.zeros((7, 5))
    for rows, chunk in open_points(sp.coo_array(dense).asformat(kind)).chunks():
        for place, row in enumerate(range(rows.start, rows.stop)):
            inside = slice(chunk.bounds[place], chunk.bounds[place + 1])
            read[row, chunk.columns[inside]] = chunk.values[inside]
    assert (read == dense).all()


def test_the_matrix_is_left_as_it_was():
    X = as_csr(np.array([1.0, 2.0, 3.0]), np.array([0, 0, 0]), np.array([3, 1, 1]))
    row_by_row(X)
    assert X.indices.tolist() == [3, 1, 1]
    assert X.data.tolist() == [1.0, 2.0, 3.0]


def damaged(kind, place):
    """Return a matrix of some format, one column of which lies outside."""
    rng = np.random.default_rng(0)
    X = sp.coo_array(np.where(rng.random((30, 50)) < 0.2, rng.random((30, 50)), 0)).asformat(kind)
    if kind == "coo":
        X.coords[1][3] = place
    elif kind == "lil":
        X.rows[3][0] = place
    elif kind == "dok":
        X._dict[(3, place)] = 1.0
    else:
        X.indices[3] = place
    return X


@pytest.mark.parametrize("place", [60, 5_000, -1, -100_000, 5 * 10**8])
@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "lil", "dok"])
def test_damaged_matrices_are_refused_before_scipy_follows_their_indices(kind, place):
    with pytest.raises(InputError, match="damaged sparse matrix"):
        list(open_points(damaged(kind, place)).chunks())


def test_numbers_beyond_the_floats_warn_of_nothing():
    """A warning would tell one table from its neighbour."""
    numbers = np.array([np.longdouble("1e4000"), 1.0, 1.0])
    ((_, chunk),) = open_points(as_csr(numbers, np.array([0, 0, 1]), np.array([1, 0, 0]))).chunks()
    assert chunk.values.tolist() == [1.0, np.inf, 1.0]
