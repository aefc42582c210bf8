import datetime
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import InputError, SchemaError
from discreet.schema import Boolean, Categorical, Numeric, Schema, Target
from discreet.schema.encode import encode
from discreet.schema.tables import open_table

PUBLIC = {
    "age": [30, 20, None, 50],
    "sex": ["m", "f", "f", " m"],
    "smoker": [True, False, None, True],
    "income": ["low", "high", "low", None],
}
LEARNED = Schema(
    {
        "age": Numeric(20, 50, cuts=[20, 30], missing=True),
        "sex": Categorical(["f", "m"]),
        "smoker": Boolean(missing=True),
    },
    Target("income", ["high", "low"]),
)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_learns_each_kind_from_every_container(make):
    assert Schema.from_public(make(PUBLIC), target="income") == LEARNED


@pytest.mark.parametrize("dtype", ["category", object])
def test_learns_from_other_column_types(dtype):
    frame = pd.DataFrame(PUBLIC).astype({"sex": dtype, "income": dtype, "smoker": "boolean"})
    assert Schema.from_public(frame, target="income") == LEARNED


def test_the_docstring_says_public():
    assert "PUBLIC" in Schema.from_public.__doc__


@settings(deadline=None)
@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=80),
    st.integers(2, 9),
)
def test_cuts_are_values_below_the_largest(values, bins):
    if len(set(values)) == 1:
        return
    column = Schema.from_public(pd.DataFrame({"a": values}), bins=bins).columns["a"]
    assert (column.low, column.high) == (min(values), max(values))
    assert 1 <= len(column.cuts) <= bins - 1
    assert set(column.cuts) <= set(values) - {max(values)}


def test_cuts_are_quantiles():
    column = Schema.from_public(np.arange(1, 101.0)[:, None], bins=4).columns["x0"]
    assert column.cuts == (25, 50, 75)
    skewed = Schema.from_public(np.array([[0.0]] * 3 + [[9.0]] * 97), bins=2).columns["x0"]
    assert skewed.cuts == (0,)
    heavy_top = np.array([*range(10), *[10.0] * 30])[:, None]
    assert Schema.from_public(heavy_top, bins=5).columns["x0"].cuts == (7,)
    heavier_top = np.array([*range(10), *[10.0] * 300])[:, None]
    assert Schema.from_public(heavier_top, bins=5).columns["x0"].cuts == (9,)


def test_infinite_numbers_are_no_bounds():
    column = Schema.from_public(pd.DataFrame({"a": [1, 2, math.inf, -math.inf]})).columns["a"]
    assert column == Numeric(1, 2, cuts=[1])


def test_categories_of_numbers():
    frame = pd.DataFrame({"a": pd.Series([3, 1, 3], dtype="category")})
    assert Schema.from_public(frame).columns["a"] == Categorical([1, 3])


def test_texts_that_mean_the_same_are_one_category():
    frame = pd.DataFrame({"a": ["1", "1.0", "b", "nan"]})
    assert Schema.from_public(frame).columns["a"] == Categorical(["1", "b"], missing=True)


@pytest.mark.parametrize(
    ("labels", "classes"),
    [([1, 0, 1], (0, 1)), ([2.5, 1, None], (1, 2.5)), ([True, False, True], (False, True))],
)
def test_classes(labels, classes):
    frame = pd.DataFrame({"y": labels, "a": [1, 2, 3]})
    target = Schema.from_public(frame, target="y").target
    assert target == Target("y", classes)
    assert [type(c) for c in target.classes] == [type(c) for c in classes]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([f"patient {i}" for i in range(101)], "free text"),
        ([1.0, 1.0], "one value"),
        ([math.nan, math.nan], "no value"),
        ([None, None], "no value"),
        (["", " "], "no value"),
        ([{}, {}], "no value"),
    ],
)
def test_columns_that_cannot_be_learned_are_named(cells, words):
    with pytest.raises(SchemaError, match=f"^column 'note': .*{words}"):
        Schema.from_public(pd.DataFrame({"note": cells}))


def test_100_texts_are_fine():
    frame = pd.DataFrame({"a": [f"t{i}" for i in range(100)]})
    assert Schema.from_public(frame).columns["a"].n_codes == 101


@pytest.mark.parametrize(
    ("options", "words"),
    [({"target": "nowhere"}, "nowhere"), ({"bins": 1}, "bins"), ({"bins": 2.5}, "bins")],
)
def test_options_are_checked(options, words):
    with pytest.raises(SchemaError, match=words):
        Schema.from_public(pd.DataFrame(PUBLIC), **options)


def test_a_target_needs_two_classes():
    with pytest.raises(SchemaError, match=r"column 'y': .*classes"):
        Schema.from_public(pd.DataFrame({"y": ["a", "a"], "x": [1, 2]}), target="y")


def test_refused_column_types_are_named():
    frame = pd.DataFrame({"when": pd.to_datetime([datetime.date(2020, 1, 1)])})
    with pytest.raises(InputError, match="column 'when' holds dates"):
        Schema.from_public(frame)


def test_what_was_learned_encodes_the_public_table():
    frame = pd.DataFrame(PUBLIC)
    codes = encode(open_table(frame), Schema.from_public(frame, target="income"))
    assert codes.values.tolist() == [[1, 0, 3, 2], [1, 0, 0, 1], [1, 0, 2, 1]]
