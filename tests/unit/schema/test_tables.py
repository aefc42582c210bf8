import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from discreet.errors import InputError, SchemaError
from discreet.schema import Boolean, Categorical, Numeric, Schema
from discreet.schema.encode import encode
from discreet.schema.tables import open_table, resolve_schema

DATA = {"a": [1.0, 2.0, 3.0], "b": ["x", "y", "z"]}


class ArrayLike:
    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_keep_their_names(make):
    table = open_table(make(DATA))
    assert (table.n_records, table.names, table.has_names) == (3, ("a", "b"), True)
    assert list(table.cells(0)) == [1.0, 2.0, 3.0]
    assert table.cells(1) == ["x", "y", "z"]


@pytest.mark.parametrize(
    "X",
    [
        np.array([[1, 2], [3, 4], [5, 6]]),
        [[1, 2], [3, 4], [5, 6]],
        ((1, 2), (3, 4), (5, 6)),
        list(np.array([[1, 2], [3, 4], [5, 6]])),
        ArrayLike(np.array([[1, 2], [3, 4], [5, 6]])),
        np.array([[1, 2], [3, 4], [5, 6]], dtype=object),
    ],
)
def test_arrays_get_names(X):
    table = open_table(X)
    assert (table.n_records, table.names, table.has_names) == (3, ("x0", "x1"), False)
    assert list(table.cells(1)) == [2, 4, 6]


def test_no_records_are_a_table_too():
    assert open_table(np.empty((0, 2))).n_records == 0
    assert open_table(pd.DataFrame({"a": []})).n_records == 0


ONE_D = [
    np.arange(3),
    [1, 2, 3],
    ["ab", "cd"],
    [],
    np.float64(3),
    5,
    "text",
    None,
    {"a": [1]},
    pd.Series([1, 2]),
    pl.Series([1, 2]),
    pa.chunked_array([[1, 2]]),
]


@pytest.mark.parametrize("X", ONE_D, ids=lambda X: type(X).__name__)
def test_one_dimension_is_refused(X):
    with pytest.raises(InputError, match="Reshape your data"):
        open_table(X)


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (scipy.sparse.csr_matrix(np.eye(3)), "sparse"),
        (scipy.sparse.coo_array(np.eye(3)), "sparse"),
        (np.ones((2, 2), dtype=complex), "Complex data not supported"),
        (np.ones((2, 2, 2)), "dim 3"),
        (np.ones((3, 0)), r"0 feature\(s\) \(shape=\(, 0\)\) while a minimum of 1 is required"),
        ([[], []], r"0 feature\(s\)"),
        (pd.DataFrame(index=[1, 2]), r"0 feature\(s\)"),
        ([[1, 2], [3]], "different lengths"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "same name"),
        (pa.table([[1], [2]], names=["a", "a"]), "same name"),
        (pd.DataFrame([[1, 2]], columns=["a", 1]), "not text"),
        (pl.LazyFrame({"a": [1]}), "collect"),
        (np.ma.masked_array(np.ones((2, 2)), mask=np.eye(2)), "convert it to an array"),
    ],
)
def test_refusals(X, words):
    with pytest.raises(InputError, match=words):
        open_table(X)


DATES = [datetime.date(2020, 1, 1)] * 2
TIMES = [datetime.datetime(2020, 1, 1)] * 2


@pytest.mark.parametrize(
    ("frame", "held"),
    [
        (pd.DataFrame({"admitted": pd.to_datetime(DATES)}), "dates"),
        (pd.DataFrame({"admitted": pd.to_datetime(DATES).tz_localize("UTC")}), "dates"),
        (pd.DataFrame({"admitted": pd.to_timedelta([1, 2])}), "dates or times"),
        (pd.DataFrame({"admitted": pd.period_range("2020", periods=2)}), "unknown type"),
        (pd.DataFrame({"admitted": pd.interval_range(0, 2)}), "unknown type"),
        (pd.DataFrame({"admitted": [1j, 2]}), "Complex data not supported"),
        (pl.DataFrame({"admitted": DATES}), "dates"),
        (pl.DataFrame({"admitted": TIMES}), "dates"),
        (pl.DataFrame({"admitted": [datetime.time(1), datetime.time(2)]}), "times"),
        (pl.DataFrame({"admitted": [datetime.timedelta(1)] * 2}), "times"),
        (pl.DataFrame({"admitted": [[1], [2]]}), "lists"),
        (pl.DataFrame({"admitted": np.ones((2, 2))}), "lists"),
        (pl.DataFrame({"admitted": [{"a": 1}] * 2}), "structures"),
        (pl.DataFrame({"admitted": [b"1", b"2"]}), "bytes"),
        (pa.table({"admitted": pa.array(DATES)}), "dates"),
        (pa.table({"admitted": [[1], [2]]}), "lists"),
        (pa.table({"admitted": [{"a": 1}] * 2}), "structures"),
        (pa.table({"admitted": [b"1", b"2"]}), "bytes"),
    ],
)
def test_column_types_are_refused_by_name_if_used(frame, held):
    with pytest.raises(InputError, match=f"column 'admitted'.*{held}"):
        encode(open_table(frame), Schema({"admitted": Numeric(0, 1, bins=2)}))
    if isinstance(frame, pd.DataFrame):
        wider = frame.assign(a=[0, 1])
    elif isinstance(frame, pl.DataFrame):
        wider = frame.with_columns(a=pl.Series([0, 1]))
    else:
        wider = frame.append_column("a", [[0, 1]])
    assert encode(open_table(wider), Schema({"a": Boolean()})).values.tolist() == [[0, 1]]


@pytest.mark.parametrize("dtype", ["M8[s]", "m8[s]", "S3", "V4"])
def test_array_types_are_refused(dtype):
    table = open_table(np.zeros((2, 2), dtype=dtype))
    with pytest.raises(InputError, match="column 'x0' holds"):
        encode(table, resolve_schema(Boolean(), table))


def test_a_schema_is_resolved_by_name():
    schema = Schema({"b": Categorical(["x"]), "a": Numeric(0, 1, bins=2)})
    assert resolve_schema(schema, open_table(pd.DataFrame({**DATA, "more": 1}))) is schema
    with pytest.raises(InputError, match=r"'c', 'd'$"):
        resolve_schema(Schema(dict.fromkeys(["c", "a", "d"], Boolean())), open_table(pl.DataFrame(DATA)))


def test_a_schema_is_resolved_by_position():
    schema = Schema(dict.fromkeys("abcd", Boolean()))
    assert resolve_schema(schema, open_table(np.ones((2, 4)))) is schema
    with pytest.raises(InputError, match="X has 3 features, but Schema is expecting 4 features as input"):
        resolve_schema(schema, open_table(np.ones((2, 3))))


def test_one_declaration_serves_every_column():
    column = Numeric(0, 1, bins=2)
    resolved = resolve_schema(column, open_table(np.ones((2, 3))))
    assert resolved == Schema({"x0": column, "x1": column, "x2": column})
    assert resolve_schema(column, open_table(pd.DataFrame(DATA))).names == ("a", "b")


def test_only_a_boolean_array_needs_no_schema():
    resolved = resolve_schema(None, open_table(np.eye(2, dtype=bool)))
    assert resolved == Schema({"x0": Boolean(), "x1": Boolean()})
    for X in (np.eye(2), [[True, False]], pd.DataFrame(DATA)):
        with pytest.raises(SchemaError) as caught:
            resolve_schema(None, open_table(X))
        for word in ("Numeric(", "Categorical(", "from_public", "PUBLIC", "from_toml"):
            assert word in str(caught.value)


@pytest.mark.parametrize("schema", [{"a": Boolean()}, Boolean, "schema.toml", 3])
def test_other_schemas_are_refused(schema):
    with pytest.raises(SchemaError, match="schema="):
        resolve_schema(schema, open_table(np.ones((2, 2))))


def test_numbered_columns_are_no_names():
    table = open_table(pd.DataFrame([[1, 2], [3, 4]], columns=[5, 3]))
    assert not table.has_names
    assert table.names == ("x0", "x1")
    assert [list(table.cells(position)) for position in (0, 1)] == [[1, 3], [2, 4]]
