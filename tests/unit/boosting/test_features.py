"""Vectors of records: what coordinates mean, and that no vector is longer than it may be."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Boolean, Categorical, Numeric, Schema
from discreet.boosting.features import NORM, REACH, FeatureMap, Number, shortened
from discreet.schema.encode import encode, encode_numbers
from discreet.schema.tables import open_table
from tests.harness.universes import WIDE

SCHEMA = Schema(
    {
        "age": Numeric(0, 1000, cuts=[20, 40, 60], missing=True),
        "sex": Categorical(["f", "m"]),
        "ill": Boolean(),
    }
)
STEP = NORM // 2  # three columns and the intercept


def vectors(coding, frame, schema):
    table = open_table(frame)
    return FeatureMap(schema, coding).vectors(encode(table, schema), encode_numbers(table, schema))


def records(*rows):
    return pd.DataFrame(rows, columns=["age", "sex", "ill"]).astype(object)


def test_numbers_are_centred_and_scaled_by_the_cuts():
    found = vectors("numeric", records([40, "f", True], [50, "m", False], [None, "x", None]), SCHEMA)
    # age: centre 40, spread 10; "is missing"; two categories; ill; the intercept
    assert found.tolist() == [
        [0, 0, STEP, 0, STEP, STEP],
        [STEP, 0, 0, STEP, 0, STEP],
        [0, STEP, 0, 0, 0, STEP],
    ]


def test_numbers_beyond_the_reach_are_alike():
    found = vectors("numeric", records([60, "x", None], [900, "x", None], [1e308, "x", None]), SCHEMA)
    assert found[0].tolist() == found[1].tolist() == found[2].tolist()
    # reach 2 and the intercept 1: longer than allowed, and shortened
    assert found[0, 0] / found[0, -1] == pytest.approx(REACH, rel=1e-3)
    assert NORM - 3 < np.linalg.norm(found[0].astype(float)) <= NORM


def test_a_thermometer_has_one_unit_of_norm():
    found = vectors("thermometer", records([20, "f", True], [61, "f", True], [None, "f", True]), SCHEMA)
    high = int(STEP / 3**0.5)
    assert found[:, :3].tolist() == [[high, high, high], [-high, -high, -high], [0, 0, 0]]
    assert found[:, 3].tolist() == [0, 0, STEP]


def test_units_are_what_a_one_is():
    for coding in ("numeric", "thermometer"):
        features = FeatureMap(SCHEMA, coding)
        assert len(features.units) == len(features.features)
        assert features.units[-1] == STEP
    assert FeatureMap(SCHEMA, "thermometer").units[0] == int(STEP / 3**0.5)


def test_features_have_names():
    assert [str(feature) for feature in FeatureMap(SCHEMA, "numeric").features] == [
        "per 10 above 40",
        "is missing",
        "= f",
        "= m",
        "= True",
        "always",
    ]


def test_one_cut_leaves_the_bounds_as_the_scale():
    assert Number.of(0, Numeric(0, 8, cuts=[4])).spread == 2.0


@given(st.lists(st.lists(st.integers(-(2**17), 2**17), min_size=5, max_size=5), min_size=1, max_size=5))
def test_no_vector_is_longer_than_allowed(rows):
    found = shortened(np.array(rows, dtype=np.int32)).astype(np.int64)
    assert ((found**2).sum(axis=1) <= NORM**2).all()
    for before, after in zip(rows, found.tolist(), strict=True):
        if sum(value**2 for value in before) <= NORM**2:
            assert after == before


@pytest.mark.parametrize("coding", ["numeric", "thermometer"])
def test_a_vector_does_not_depend_on_other_records(coding):
    every = tuple(range(len(WIDE.types)))
    features = FeatureMap(WIDE.schema, coding)
    together = features.vectors(WIDE.codes(every), WIDE.numbers(every))
    assert ((together.astype(np.int64) ** 2).sum(axis=1) <= NORM**2).all()
    for place in every:
        alone = features.vectors(WIDE.codes((place,)), WIDE.numbers((place,)))
        assert alone[0].tolist() == together[place].tolist()
