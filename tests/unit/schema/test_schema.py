import copy
import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

from discreet.errors import SchemaError
from discreet.schema import Boolean, Categorical, Numeric, Schema, Target

COLUMNS = {
    "age": Numeric(17, 90, bins=4),
    "sex": Categorical(["Female", "Male"]),
    "smoker": Boolean(missing=True),
}


@pytest.mark.parametrize(
    ("classes", "kept"),
    [
        (["<=50K ", ">50K"], ("<=50K", ">50K")),
        (["b", "a"], ("a", "b")),
        ([1, 0], (0, 1)),
        (np.array([1.5, 2.5]), (1.5, 2.5)),
        ([True, False], (False, True)),
        (np.array([False, True]), (False, True)),
    ],
)
def test_classes_are_kept_sorted(classes, kept):
    target = Target("y", classes)
    assert target.classes == kept
    assert [type(c) for c in target.classes] == [type(c) for c in kept]


@pytest.mark.parametrize(
    "classes",
    [
        [],
        ["a"],
        ["a", "a "],
        ["a", ""],
        ["a", 1],
        [True, 1],
        [True, "no"],
        [True, True],
        [0, 0.0],
        ["1", "1.0"],
        [2**53, 2**53 + 1],
        [1, float("nan")],
        [0, 10**400],
        [None, "a"],
        "ab",
        None,
        7,
        range(128),
    ],
)
def test_senseless_classes_are_refused(classes):
    with pytest.raises(SchemaError):
        Target("y", classes)


def test_127_classes_are_the_most():
    assert len(Target("y", range(127)).classes) == 127


@pytest.mark.parametrize("name", ["", None, 3])
def test_target_needs_a_name(name):
    with pytest.raises(SchemaError):
        Target(name, [0, 1])


def test_a_schema_keeps_the_order_of_its_columns():
    schema = Schema(COLUMNS, Target("income", ["low", "high"]))
    assert schema.names == ("age", "sex", "smoker")
    assert dict(schema.columns) == COLUMNS
    assert schema != Schema(dict(reversed(COLUMNS.items())), schema.target)


def test_equality_looks_at_columns_and_target():
    assert Schema(COLUMNS) == Schema(dict(COLUMNS))
    assert Schema(COLUMNS) != Schema(COLUMNS, Target("y", [0, 1]))
    assert Schema(COLUMNS) != Schema({**COLUMNS, "age": Numeric(17, 90, bins=5)})
    assert Schema(COLUMNS) != COLUMNS


def test_a_schema_cannot_be_changed():
    given = dict(COLUMNS)
    schema = Schema(given)
    given["other"] = Boolean()
    assert schema.names == ("age", "sex", "smoker")
    with pytest.raises(TypeError):
        schema.columns["age"] = Boolean()
    with pytest.raises(AttributeError):
        schema._columns = {}
    with pytest.raises(AttributeError):
        del schema._target


def test_copies_are_equal():
    schema = Schema(COLUMNS, Target("y", [0, 1]))
    assert copy.deepcopy(schema) == schema
    assert pickle.loads(pickle.dumps(schema)) == schema

    class Estimator(BaseEstimator):
        def __init__(self, schema=None):
            self.schema = schema

    assert clone(Estimator(schema)).schema == schema


def test_repr_is_readable():
    assert repr(Schema(COLUMNS, Target("y", [0, 1]))) == (
        "Schema({\n"
        "    'age': Numeric(17, 90, cuts=[35.25, 53.5, 71.75]),\n"
        "    'sex': Categorical(['Female', 'Male']),\n"
        "    'smoker': Boolean(missing=True),\n"
        "}, target=Target('y', [0, 1]))"
    )


@pytest.mark.parametrize("columns", [{}, None, [], {"": Boolean()}, {3: Boolean()}])
def test_senseless_columns_are_refused(columns):
    with pytest.raises(SchemaError):
        Schema(columns)


@pytest.mark.parametrize("column", [Boolean, "boolean", None, Categorical(["1", "1.0"])])
def test_errors_name_the_column(column):
    with pytest.raises(SchemaError, match=r"^column 'sex': "):
        Schema({"age": Numeric(0, 1, bins=2), "sex": column})


def test_the_target_is_no_feature():
    with pytest.raises(SchemaError, match="'age'"):
        Schema(COLUMNS, Target("age", [0, 1]))
    with pytest.raises(SchemaError, match="Target"):
        Schema(COLUMNS, "income")


def test_texts_that_no_file_can_hold_are_refused_at_once():
    for make in (
        lambda: Categorical(["\ud800", "q"]),
        lambda: Target("y", ["\ud800", "q"]),
        lambda: Target("\ud800", [0, 1]),
        lambda: Schema({"\ud800": Boolean()}),
    ):
        with pytest.raises(SchemaError, match="UTF-8"):
            make()
