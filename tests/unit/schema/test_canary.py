"""A secret in the cells appears in no message, and in nothing that hangs on an exception."""

import traceback

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from discreet.errors import DiscreetError
from discreet.schema import Boolean, Categorical, Numeric, Schema, Target
from discreet.schema.encode import encode, encode_labels
from discreet.schema.tables import open_table, resolve_schema
from tests.unit.schema.odd_cells import SECRET, Hostile, HostileText


class HostileArray:
    def __array__(self, dtype=None, copy=None):
        raise ValueError(SECRET)


HOSTILE = np.empty((2, 2, 2), dtype=object)
HOSTILE[:] = Hostile()
CATEGORY = pd.Categorical([SECRET, SECRET])

TABLES = [
    HostileArray(),
    [SECRET, SECRET],
    SECRET,
    {SECRET: [1]},
    {SECRET},
    [[SECRET], [SECRET, 1]],
    [[Hostile()], Hostile()],
    HOSTILE,
    HOSTILE[0, 0],
    HOSTILE[0],
    [[Hostile(), HostileText("a")]],
    np.array([[SECRET.encode()]]),
    np.ma.masked_array([[SECRET]], mask=[[False]]),
    pd.Series([SECRET]),
    pd.DataFrame([[SECRET, 1]], columns=["x0", "x0"]),
    pd.DataFrame([[SECRET, 1]]),
    pd.DataFrame({"x0": pd.to_datetime(["1987-03-01"])}),
    pd.DataFrame({"x0": CATEGORY, "x1": pd.Series([Hostile()] * 2, dtype=object)}),
    pd.DataFrame({"x0": pd.arrays.SparseArray([87.31], fill_value=87.31)}),
    pd.DataFrame({"other": [SECRET]}),
    pl.LazyFrame({"x0": [SECRET]}),
    pl.DataFrame({"x0": [[SECRET]]}),
    pl.DataFrame({"x0": [{SECRET: SECRET}]}),
    pl.DataFrame({"x0": pl.Series([SECRET], dtype=pl.Enum([SECRET]))}),
    pa.table({"x0": [{"a": SECRET}]}),
    pa.table({"x0": [SECRET.encode()]}),
]
SCHEMAS = [
    None,
    Numeric(0, 1, bins=2),
    Categorical(["a", "b"]),
    Boolean(),
    Schema({"x0": Boolean(), "x1": Categorical([0, 1])}),
    Schema({"x0": Numeric(0, 1, bins=2)}),
]
LABELS = [
    *TABLES,
    [SECRET] * 3,
    [Hostile()] * 2,
    HOSTILE[0, 0],
    pd.Series([Hostile()] * 2, dtype=object),
]


def _assert_silent(error):
    assert error.__cause__ is None
    assert error.__context__ is None
    told = "".join(traceback.format_exception_only(error)) + repr(error)
    for secret in (SECRET, "1987", "87.31"):
        assert secret not in told


@pytest.mark.parametrize("place", range(len(TABLES)))
def test_tables(place):
    for schema in SCHEMAS:
        try:
            table = open_table(TABLES[place])
            encode(table, resolve_schema(schema, table))
        except DiscreetError as error:
            _assert_silent(error)
        else:
            assert SECRET not in repr(table)


@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
@pytest.mark.parametrize("place", range(len(LABELS)))
def test_labels(place):
    for classes in (["a", "b"], [0, 1], [False, True]):
        try:
            encode_labels(LABELS[place], Target("y", classes), 2)
        except DiscreetError as error:
            _assert_silent(error)
