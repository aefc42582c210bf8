"""Codes: what they are, and that containers and column types make no difference."""

import math
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.schema import Boolean, Categorical, Numeric, Schema
from discreet.schema.encode import encode
from discreet.schema.tables import open_table


def codes(frame, column):
    return encode(open_table(frame), Schema({"a": column})).values[0].tolist()


def of_cells(cells, column):
    return codes([[cell] for cell in cells], column)


NUMERIC = Numeric(0, 10, cuts=[0, 2.5, 10])


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        (-math.inf, 0),
        (-1, 0),
        (-0.0, 0),
        (0, 0),
        (math.nextafter(0, 1), 1),
        (2.5, 1),
        (math.nextafter(2.5, 3), 2),
        (10, 2),
        (11, 2),
        (math.inf, 2),
        ("inf", 2),
        (math.nan, 4),
        (None, 4),
        ("ten", 4),
        ("", 4),
    ],
)
def test_a_cell_passes_a_cut_that_it_does_not_exceed(cell, code):
    assert of_cells([cell], NUMERIC) == [code]


@given(
    st.floats(),
    st.sets(st.floats(-10, 10), min_size=1, max_size=5).map(sorted),
)
def test_a_code_counts_the_cuts_below_the_value(value, cuts):
    column = Numeric(-10, 10, cuts=cuts)
    [code] = codes(np.array([[value]]), column)
    if math.isnan(value):
        assert code == len(cuts) + 1 == column.n_codes - 1
    else:
        clipped = min(max(value, -10), 10)
        assert [clipped <= cut for cut in cuts] == [code <= k for k in range(len(cuts))]


@pytest.mark.parametrize(
    ("values", "cells", "expected"),
    [
        (["b", "a"], ["a", " b ", "A", "c", None, 1], [1, 0, 2, 2, 2, 2]),
        (["1", "2", "x"], [1, 2.0, "1.0", "02", True, "x", 1.5], [0, 1, 0, 1, 0, 2, 3]),
        (["0.5", "True"], [0.5, Decimal("0.50"), True, "TRUE", 1], [0, 0, 1, 1, 1]),
        ([3, 1.5], [1.5, "1.5", 3, "3.0", "x", None, math.inf], [1, 1, 0, 0, 2, 2, 2]),
        ([0, 1], [True, False, -0.0, "true"], [1, 0, 0, 1]),
        (["inf"], [math.inf, 10**400, -math.inf], [0, 0, 1]),
    ],
)
def test_categories(values, cells, expected):
    column = Categorical(values)
    assert of_cells(cells, column) == expected
    assert column.n_codes - 1 == len(values)


def test_booleans():
    cells = [True, 0, "Yes", "f", "1.0", 2, None, "maybe"]
    assert of_cells(cells, Boolean()) == [1, 0, 1, 0, 1, 2, 2, 2]


NUMBERS = [1.0, 2.0, 7.0, None]
NUMBER_COLUMNS = [
    Numeric(0, 5, cuts=[1, 1.5]),
    Categorical([7, 1]),
    Categorical(["2", "one", "1.0"]),
    Boolean(),
]
WORDS = ["a", "b", " a", None, "1", "yes"]
WORD_COLUMNS = [Categorical(["b", "a", "1"]), Categorical([1]), Boolean(), Numeric(0, 1, bins=2)]
TRUTHS = [True, False, None]
TRUTH_COLUMNS = [
    Boolean(),
    Categorical(["True", "False"]),
    Categorical([0, 1]),
    Numeric(0, 1, cuts=[0]),
]
ENUM = pl.Enum(["1", " a", "yes", "b", "a"])


def _number_frames():
    for dtype in (
        *("float64", "float32", "float16", object, "Int64", "UInt8", "Float64", "Float32"),
        *("category", "int64[pyarrow]", "float[pyarrow]"),
        pd.ArrowDtype(pa.decimal128(5, 2)),
    ):
        yield pd.DataFrame({"a": pd.Series(NUMBERS, dtype=dtype)})
    yield pd.DataFrame({"a": pd.Series(NUMBERS, dtype="Float64").astype("string")})
    yield pd.DataFrame({"a": pd.Series([1, 2, 7, None], dtype=object).astype("category")})
    for dtype in (pl.Float32, pl.Int8, pl.UInt64, pl.Int128, pl.Decimal(5, 2), pl.String):
        yield pl.DataFrame({"a": pl.Series(NUMBERS).cast(dtype)})
    yield pl.DataFrame({"a": pl.Series(NUMBERS, dtype=pl.Object)})
    for kind in (pa.float16(), pa.float32(), pa.int8(), pa.uint64(), pa.string()):
        yield pa.table({"a": pa.array(NUMBERS).cast(kind)})
    yield pa.table({"a": pa.array([1, 2, 7, None]).dictionary_encode()})
    yield pa.table({"a": pa.chunked_array([[1, 2], [7, None]])})
    yield np.array([[1], [2], [7], [math.nan]])
    yield np.array([[1], [2], [7], [math.nan]], dtype=np.longdouble)
    yield np.array([[1], ["2"], [np.int8(7)], [pd.NA]], dtype=object)
    yield np.array([["1"], ["2.0"], [" 7"], [""]])
    yield [[True], [Decimal(2)], ["7"], [None]]


def _word_frames():
    for dtype in (
        object,
        "str",
        "string",
        "category",
        "string[pyarrow]",
        pd.ArrowDtype(pa.string()),
    ):
        yield pd.DataFrame({"a": pd.Series(WORDS, dtype=dtype)})
    yield pd.DataFrame({"a": pd.Series(WORDS, dtype=pd.ArrowDtype(_dictionary(WORDS).type))})
    for dtype in (pl.String, pl.Categorical, ENUM, pl.Object):
        yield pl.DataFrame({"a": pl.Series(WORDS, dtype=dtype)})
    yield pa.table({"a": WORDS})
    yield pa.table({"a": pa.array(WORDS, pa.large_string())})
    yield pa.table({"a": _dictionary(WORDS)})
    yield np.array(WORDS, dtype=object)[:, None]
    yield np.array([[word or ""] for word in WORDS])
    yield np.array([[word or ""] for word in WORDS], dtype=np.dtypes.StringDType())


def _dictionary(values):
    return pa.array(values).dictionary_encode()


def _truth_frames():
    for dtype in (object, "boolean", "category", "bool[pyarrow]", "float64", "Int64"):
        yield pd.DataFrame({"a": pd.Series(TRUTHS, dtype=dtype)})
    yield pl.DataFrame({"a": TRUTHS})
    yield pa.table({"a": TRUTHS})
    yield np.array(TRUTHS, dtype=object)[:, None]
    yield np.array([[1.0], [0.0], [math.nan]])
    yield pd.DataFrame({"a": ["true", "FALSE", None]})


@pytest.mark.parametrize(
    ("cells", "frames", "columns"),
    [
        (NUMBERS, _number_frames, NUMBER_COLUMNS),
        (WORDS, _word_frames, WORD_COLUMNS),
        (TRUTHS, _truth_frames, TRUTH_COLUMNS),
    ],
)
def test_containers_and_column_types_make_no_difference(cells, frames, columns):
    for column in columns:
        expected = of_cells(cells, column)
        assert len(set(expected)) > 1
        for place, frame in enumerate(frames()):
            assert codes(frame, column) == expected, (place, type(frame), column)


@pytest.mark.parametrize("column", [Boolean(), Numeric(0, 1, bins=2), Categorical(["a"])])
def test_columns_without_a_type_are_missing(column):
    for frame in (
        pd.DataFrame({"a": [None, None]}),
        pd.DataFrame({"a": pd.Series([None, None], dtype=pd.ArrowDtype(pa.null()))}),
        pl.DataFrame({"a": [None, None]}),
        pa.table({"a": pa.nulls(2)}),
    ):
        assert codes(frame, column) == [column.n_codes - 1] * 2


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.int64, np.uint64, np.float32])
@pytest.mark.parametrize("column", [*NUMBER_COLUMNS, Categorical(["x"])])
def test_the_fast_way_agrees_with_single_cells(dtype, column):
    cells = np.array([0, 1, 2, 7, 1], dtype=dtype)
    assert codes(cells[:, None], column) == of_cells(cells.tolist(), column)
    assert codes(pd.DataFrame({"a": cells}), column) == of_cells(cells.tolist(), column)


def test_float32_means_its_float64():
    assert codes(np.array([[0.1]], dtype=np.float32), Numeric(0, 1, cuts=[0.1])) == [1]
    assert codes(np.array([[0.1]]), Numeric(0, 1, cuts=[0.1])) == [0]


def test_extended_precision_beyond_the_floats_is_infinite():
    cells = np.array([["1e4000"], ["-1e4000"], ["1"]]).astype(np.longdouble)
    assert codes(cells, Numeric(0, 10, cuts=[0, 5, 10])) == [2, 0, 1]


def test_large_whole_numbers_mean_their_float_everywhere():
    column = Categorical([str(2**53)])
    assert codes(pd.DataFrame({"a": [2**53 + 1, 5]}), column) == [0, 1]
    assert codes(pd.DataFrame({"a": [2**53 + 1, None]}), column) == [0, 1]
    assert codes(pd.DataFrame({"a": [str(2**53 + 1), "x"]}), column) == [0, 1]


def test_shape_and_dtype():
    X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    small = encode(open_table(X), Schema({"a": Boolean(), "b": Categorical(range(255))}))
    assert small.values.dtype == np.uint8
    assert small.values.flags.c_contiguous
    assert small.values.tolist() == [[0, 1, 1], [1, 0, 1]]
    assert small.n_codes == (3, 256)
    large = encode(open_table(X), Schema({"a": Boolean(), "b": Numeric(0, 1, bins=256)}))
    assert large.values.dtype == np.uint16
    assert large.n_codes == (3, 257)
    assert large.values.tolist() == [[0, 1, 1], [255, 0, 255]]


def test_columns_follow_the_schema_not_the_table():
    frame = pd.DataFrame({"b": [1, 0], "unused": [object(), 3], "a": [0, 0]})
    assert encode(open_table(frame), Schema({"a": Boolean(), "b": Boolean()})).values.tolist() == [
        [0, 0],
        [1, 0],
    ]


def test_the_table_is_left_as_it_was():
    X = np.array([[-5.0, math.nan], [50.0, 1.0]])
    before = X.copy()
    encode(open_table(X), Schema(dict.fromkeys("ab", NUMERIC)))
    np.testing.assert_array_equal(X, before)


def test_no_records():
    column = Categorical(["a"])
    assert codes(np.empty((0, 1)), column) == []
    assert codes(pd.DataFrame({"a": []}), column) == []
    assert codes(np.empty((0, 1), dtype=object), column) == []
