"""One record replaced changes the codes of no other record, and never raises."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv

from discreet.schema import Boolean, Categorical, Numeric, Schema, Target
from discreet.schema.encode import encode, encode_labels
from discreet.schema.tables import open_table
from tests.unit.schema.odd_cells import Hostile, any_cell, hostile_cells, odd_cells

SCHEMA = Schema(
    {
        "number": Numeric(-5, 5, cuts=[-1, 0, 0.5, 1]),
        "text": Categorical(["a", "1", "0.5", "False", "Yes", "b c"]),
        "numbers": Categorical([0, 1, 0.5, -2]),
        "boolean": Boolean(),
    }
)
TARGETS = [Target("y", ["a", "1", "0"]), Target("y", [0, 1, 2]), Target("y", [True, False])]

plain = st.one_of(
    st.sampled_from([0, 1, 2, 2**53 + 1]),
    st.sampled_from([0.0, 0.5, 1.0, -2.0, 1e300]),
    st.booleans(),
    st.sampled_from(["a", "1", "1.0", "0.50", "yes", "true", "007", "b c", "", "nan"]),
)
# Most real columns have one type, and it is these whose type an odd cell changes.
columns = st.one_of(
    *(
        st.lists(kind, min_size=4, max_size=4)
        for kind in (
            st.sampled_from([0, 1, 2, 2**53 + 1]),
            st.sampled_from([0.0, 0.5, 1.0, -2.0]),
            st.booleans(),
            st.sampled_from(["a", "1", "yes", "b c"]),
            plain,
        )
    )
)


def _codes(X):
    return encode(open_table(X), SCHEMA).values


def _frame_of_lists(rows):
    return pd.DataFrame({name: [row[i] for row in rows] for i, name in enumerate(SCHEMA.names)})


def _frame_of_objects(rows):
    return pl.DataFrame(
        {name: pl.Series([row[i] for row in rows], dtype=pl.Object) for i, name in enumerate(SCHEMA.names)}
    )


def _array_of_objects(rows):
    X = np.empty((len(rows), 4), dtype=object)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            X[i, j] = cell
    return X


def _frame_of_array(rows):
    X = _array_of_objects(rows)
    return pd.DataFrame({name: pd.Series(X[:, j], dtype=object) for j, name in enumerate(SCHEMA.names)})


ENTRIES = [list, _frame_of_objects, _array_of_objects, _frame_of_array]


def _assert_others_kept(codes, rows, odd_row, entry):
    before = codes(entry(rows))
    after = codes(entry([odd_row, *rows[1:]]))
    np.testing.assert_array_equal(before[..., 1:], after[..., 1:])


@settings(deadline=None)
@given(columns, st.lists(any_cell(), min_size=4, max_size=4), st.sampled_from(ENTRIES))
def test_an_odd_record_moves_no_other(cells, odd_row, entry):
    _assert_others_kept(_codes, [[cell] * 4 for cell in cells], odd_row, entry)


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_odd_cell_moves_another_record(entry):
    rows = [[cell] * 4 for cell in (1, 0.5, "a", True)]
    for odd in [*odd_cells(), *hostile_cells()]:
        if type(odd) is Hostile and entry is _frame_of_objects:
            continue  # polars itself refuses it
        _assert_others_kept(_codes, rows, [odd] * 4, entry)


@settings(deadline=None)
@given(columns, st.one_of(plain, st.text(), st.integers(), st.floats(), st.none()))
def test_pandas_may_infer_another_type(cells, odd):
    rows = [[cell] * 4 for cell in cells]
    _assert_others_kept(_codes, rows, [odd] * 4, _frame_of_lists)


def _numpy(rows):
    return np.array(rows)


@settings(deadline=None)
@given(columns, plain)
def test_numpy_may_infer_another_type(cells, odd):
    _assert_others_kept(_codes, [[cell] * 4 for cell in cells], [odd] * 4, _numpy)


READERS = [
    lambda text: pd.read_csv(io.StringIO(text)),
    lambda text: pd.read_csv(io.StringIO(text), dtype_backend="pyarrow"),
    lambda text: pd.read_csv(io.StringIO(text), dtype_backend="numpy_nullable"),
    lambda text: pl.read_csv(io.StringIO(text), infer_schema_length=None),
    lambda text: csv.read_csv(io.BytesIO(text.encode())),
]


def _file(rows):
    lines = [",".join(SCHEMA.names), *(",".join(f'"{cell}"' for cell in row) for row in rows)]
    return "\n".join(lines) + "\n"


@settings(deadline=None)
@given(
    columns,
    st.one_of(plain, st.sampled_from(["x", "NA", "-", "1e5", "1_0", "9999999999999999999"])),
    st.sampled_from(READERS),
)
def test_a_reader_of_files_may_infer_another_type(cells, odd, read):
    _assert_others_kept(_codes, [[cell] * 4 for cell in cells], [odd] * 4, lambda rows: read(_file(rows)))


@settings(deadline=None)
@given(columns, any_cell(), st.sampled_from(TARGETS))
def test_an_odd_label_moves_no_other(cells, odd, target):
    def codes(labels):
        return encode_labels(labels, target, 4)

    for entry in (list, lambda labels: pl.Series(labels, dtype=pl.Object)):
        _assert_others_kept(codes, cells, odd, entry)


@pytest.mark.parametrize("target", TARGETS)
def test_no_odd_label_moves_another(target):
    def codes(labels):
        return encode_labels(labels, target, 4)

    for odd in [*odd_cells(), *hostile_cells()]:
        _assert_others_kept(codes, [1, "a", True, 0.0], odd, list)


def test_an_arrow_column_of_text_has_the_codes_of_its_numbers():
    typed, text = pa.table({"a": [1, 0]}), pa.table({"a": ["1", "odd"]})
    schema = Schema({"a": Categorical(["0", "1"])})
    assert encode(open_table(typed), schema).values.tolist() == [[1, 0]]
    assert encode(open_table(text), schema).values.tolist() == [[1, 2]]


def _undecodable(texts):
    data = [text.encode() if isinstance(text, str) else text for text in texts]
    offsets = np.cumsum([0, *map(len, data)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(data), pa.py_buffer(offsets), pa.py_buffer(b"".join(data)))


@pytest.mark.parametrize(
    "container",
    [
        lambda column: pa.table({"a": column}),
        lambda column: pa.table({"a": column.dictionary_encode()}),
        lambda column: pd.DataFrame({"a": pd.Series(column, dtype=pd.ArrowDtype(pa.string()))}),
    ],
)
def test_a_text_that_does_not_decode_is_a_missing_cell(container):
    """Arrow does not check its texts; the exception of whoever decodes them holds the raw cell."""
    schema = Schema({"a": Categorical(["u", "v"])})
    table = container(_undecodable(["u", b"SECRET\xff", "v"]))
    assert encode(open_table(table), schema).values.tolist() == [[0, 2, 1]]


def test_a_label_that_does_not_decode_is_a_missing_label():
    labels = pa.chunked_array([_undecodable(["u", b"SECRET\xff", "v"])])
    assert encode_labels(labels, Target("y", ["u", "v"]), 3).tolist() == [0, 2, 1]


def test_trailing_nuls_are_no_part_of_a_text():
    """numpy's arrays of text drop them, arrays of objects keep them."""
    schema = Schema({"a": Categorical(["u", "v"])})
    for rows in (np.array([["u\0"], ["v"]]), np.array([["u\0"], [None]], dtype=object)):
        assert encode(open_table(rows), schema).values[0, 0] == 0
