import enum
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import SchemaError
from discreet.schema.cells import check_told_apart, meaning, number, spelling, truth
from tests.unit.schema.odd_cells import any_cell, hostile_cells


class Colour(enum.StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (True, 1.0),
        (np.True_, 1.0),
        (np.False_, 0.0),
        ("TRUE", 1.0),
        (" false ", 0.0),
        (3, 3.0),
        (np.int8(3), 3.0),
        (np.uint64(2**64 - 1), 2.0**64),
        (np.float32(0.1), 0.10000000149011612),
        (Decimal("0.1"), 0.1),
        (10**400, math.inf),
        (-(10**400), -math.inf),
        (2**53 + 1, 2.0**53),
        (" 1e3\t", 1000.0),
        ("007", 7.0),
        ("-inf", -math.inf),
        ("9" * 6000, math.inf),
        (np.str_("2.5"), 2.5),
        (" a b ", "a b"),
        ("1_000", "1_000"),
        ("0x10", "0x10"),
        ("yes", "yes"),
        (Colour.RED, "red"),
        ("", None),
        ("  ", None),
        ("NaN", None),
        ("-nan", None),
        (None, None),
        (pd.NA, None),
        (pd.NaT, None),
        (math.nan, None),
        (Decimal("NaN"), None),
        (Decimal("sNaN"), None),
        (b"1", None),
        (1j, None),
        (np.timedelta64(1, "s"), None),
        (np.timedelta64(1, "ns"), None),
        (np.datetime64(1, "s"), None),
        (np.array(1), None),
        ([1], None),
    ],
)
def test_meaning(cell, expected):
    read = meaning(cell)
    assert read == expected
    assert type(read) is type(expected)


def test_number_is_nan_for_everything_but_numbers():
    assert number("2") == 2.0
    assert math.isnan(number("abc"))
    assert math.isnan(number(None))


@pytest.mark.parametrize("cell", [True, 1, 1.0, "1", "1.0", " Yes", "T", "y", "TRUE", Decimal(1)])
def test_truth_of_yes(cell):
    assert truth(cell) == 1.0


@pytest.mark.parametrize("cell", [False, 0, -0.0, "0", "0.0", "NO", "f", "n ", "False"])
def test_truth_of_no(cell):
    assert truth(cell) == 0.0


@pytest.mark.parametrize("cell", [2, -1, 0.5, "2", "maybe", None, math.inf, "", [True]])
def test_truth_of_neither(cell):
    assert math.isnan(truth(cell))


@given(any_cell())
def test_no_cell_raises(cell):
    for rule in (number, truth):
        assert type(rule(cell)) is float
    assert type(meaning(cell)) in (float, str, type(None))


def test_hostile_cells_are_read_by_their_true_type():
    read = [meaning(cell) for cell in hostile_cells()]
    assert read == [None, "a", 1.0, 1.0, math.inf, None]


@given(st.floats(allow_nan=False))
def test_a_spelling_means_its_number(value):
    assert meaning(spelling(value)) == value


def test_spelling_has_no_point_for_whole_numbers():
    assert spelling(1.0) == "1"
    assert spelling(-0.0) == "0"
    assert spelling(0.5) == "0.5"


@pytest.mark.parametrize("values", [["1", "1.0"], ["True", "true"], ["1", "true"], ["a", "nan"]])
def test_values_that_cells_cannot_tell_apart_are_refused(values):
    with pytest.raises(SchemaError):
        check_told_apart(values, "category")


def test_values_that_differ_are_fine():
    check_told_apart(["1", "2", "a", "A", "yes", "1_0", "false"], "category")
