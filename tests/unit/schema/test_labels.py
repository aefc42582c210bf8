import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from sklearn.exceptions import DataConversionWarning

from discreet.errors import InputError
from discreet.schema import Target
from discreet.schema.encode import encode_labels
from tests.unit.schema.odd_cells import hostile_cells, odd_cells

TEXT = Target("y", ["no", "yes"])
LABELS = ["yes", "no", None, "maybe"]
CONTAINERS = [
    LABELS,
    tuple(LABELS),
    np.array(LABELS, dtype=object),
    np.array(["yes", "no", "", "maybe"]),
    pd.Series(LABELS),
    pd.Series(LABELS, index=[3, 3, 1, 0]),
    pd.Series(LABELS, dtype="category"),
    pd.Categorical(LABELS),
    pd.Index(LABELS),
    pd.DataFrame({"y": LABELS}),
    pl.Series(LABELS),
    pl.Series(LABELS, dtype=pl.Categorical),
    pl.DataFrame({"y": LABELS}),
    pa.array(LABELS),
    pa.array(LABELS).dictionary_encode(),
    pa.chunked_array([LABELS[:1], LABELS[1:]]),
    pa.chunked_array([pa.array(LABELS).dictionary_encode()]),
    pa.table({"y": LABELS}),
]


@pytest.mark.parametrize("y", CONTAINERS, ids=lambda y: type(y).__name__)
def test_containers_make_no_difference(y):
    codes = encode_labels(y, TEXT, 4)
    assert codes.dtype == np.int8
    assert codes.tolist() == [1, 0, 2, 2]


@pytest.mark.parametrize(
    ("classes", "y", "expected"),
    [
        ([True, False], [True, False, 1, "no", "x", None], [1, 0, 1, 0, 2, 2]),
        ([False, True], np.array([True, False]), [1, 0]),
        ([1, -1], np.array([1.0, -1.0, 0.0, math.nan]), [1, 0, 2, 2]),
        ([1, -1], ["1", "-1.0", "x"], [1, 0, 2]),
        (["0", "1"], np.array([0, 1, 2]), [0, 1, 2]),
        (["0", "1"], np.array([0.0, 1.0, math.nan]), [0, 1, 2]),
        (["a", "b", "c"], ["c", "a ", "B"], [2, 0, 3]),
        (range(127), [126, 127, 0], [126, 127, 0]),
    ],
)
def test_labels(classes, y, expected):
    assert encode_labels(y, Target("y", classes), len(expected)).tolist() == expected


def test_no_label_raises():
    odd = [*odd_cells(), *hostile_cells(), "yes"]
    codes = encode_labels(odd, TEXT, len(odd))
    assert codes.tolist() == [2] * (len(odd) - 1) + [1]


def test_column_vectors_are_raveled_with_a_warning():
    with pytest.warns(DataConversionWarning):
        assert encode_labels(np.array([["yes"], ["no"]]), TEXT, 2).tolist() == [1, 0]


def test_a_label_in_a_list_is_read_by_itself():
    """Whether the labels are rows must not be decided from all of them: one would move the others."""
    assert encode_labels([["yes"], ["no"], ("yes",)], TEXT, 3).tolist() == [1, 0, 1]
    assert encode_labels([["yes"], ["no"], "yes"], TEXT, 3).tolist() == [1, 0, 1]
    assert encode_labels([["yes"], ["no"], ["yes", "no"]], TEXT, 3).tolist() == [1, 0, 2]
    assert encode_labels([["yes"], ["no"], []], TEXT, 3).tolist() == [1, 0, 2]
    assert encode_labels([[["yes"]]], TEXT, 1).tolist() == [2]


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (None, "requires y to be passed, but the target y is None"),
        (["yes"] * 3, "X and y have different lengths"),
        (np.ones((4, 2)), "y should be a 1d array, got an array of two dimensions"),
        (pd.DataFrame(np.ones((4, 2)), columns=["a", "b"]), "1d array.*two dimensions"),
        (np.ones((4, 1, 1)), "1d array.*two dimensions or more"),
        (np.array(3), "1d array.*no dimension"),
        ("yes", "1d array"),
        (np.ones(4, dtype=complex), "Complex data not supported"),
        (pd.Series([1j] * 4), "Complex data not supported"),
        (pd.Series(pd.date_range("2020", periods=4)), "y holds dates"),
        (pl.Series([[1]] * 4), "y holds lists"),
        (np.array([b"yes"] * 4), "y holds bytes"),
        (pl.LazyFrame({"y": LABELS}), "collect"),
        (scipy.sparse.csr_matrix(np.ones((4, 1))), "sparse"),
    ],
)
def test_refusals(y, words):
    with pytest.raises(InputError, match=words):
        encode_labels(y, TEXT, 4)
