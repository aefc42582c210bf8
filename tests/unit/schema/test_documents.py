import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import SchemaError
from discreet.schema import Boolean, Categorical, Numeric, Schema, Target
from discreet.schema.cells import meaning

WRITTEN = """
[target]
name = "income"
classes = ["<=50K", ">50K"]

[columns.age]
kind = "numeric"
low = 17
high = 90
bins = 4

[columns."hours per week"]
kind = "numeric"
low = 0
high = 1e2
cuts = [20, 40.5]
missing = true

[columns.sex]
kind = "categorical"
values = ["Female", "Male"]

[columns.grade]
kind = "categorical"
values = [1, 2.5]

[columns.smoker]
kind = "boolean"
"""

finite = st.floats(allow_nan=False, allow_infinity=False)
names = st.text(min_size=1)


@st.composite
def numerics(draw):
    cuts = sorted(draw(st.sets(finite, min_size=2, max_size=6)))
    return Numeric(cuts[0], cuts[-1], cuts=cuts, missing=draw(st.booleans()))


def _distinct(values):
    return st.lists(values, min_size=2, max_size=6, unique_by=meaning)


texts = _distinct(st.text(min_size=1).map(str.strip).filter(lambda text: meaning(text) is not None))
numbers = _distinct(st.one_of(st.integers(), finite))
columns = st.one_of(
    numerics(),
    st.builds(Categorical, st.one_of(texts, numbers), missing=st.booleans()),
    st.builds(Boolean, missing=st.booleans()),
)
targets = st.one_of(
    st.none(),
    st.builds(Target, names, st.one_of(texts, numbers, st.just([True, False]))),
)


@st.composite
def schemas(draw):
    target = draw(targets)
    taken = set() if target is None else {target.name}
    named = st.dictionaries(names.filter(lambda n: n not in taken), columns, min_size=1, max_size=4)
    return Schema(draw(named), target)


def _same(a, b):
    # Equality takes 1 for 1.0; the round trip must not even change that, nor a sign of zero.
    return a == b and repr(a.to_dict()) == repr(b.to_dict())


@settings(deadline=None)
@given(schemas())
def test_toml_round_trip_is_exact(schema):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "schema.toml"
        text = schema.to_toml(path)
        assert path.read_bytes().decode() == text == schema.to_toml()
        assert _same(Schema.from_toml(path), schema)
        assert _same(Schema.from_toml(str(path)), schema)


@given(schemas())
def test_json_round_trip_is_exact(schema):
    assert _same(Schema.from_dict(json.loads(json.dumps(schema.to_dict()))), schema)


def test_a_person_can_write_it(tmp_path):
    path = tmp_path / "schema.toml"
    path.write_text(WRITTEN)
    assert Schema.from_toml(path) == Schema(
        {
            "age": Numeric(17, 90, bins=4),
            "hours per week": Numeric(0, 100, cuts=[20, 40.5], missing=True),
            "sex": Categorical(["Female", "Male"]),
            "grade": Categorical([1, 2.5]),
            "smoker": Boolean(),
        },
        Target("income", ["<=50K", ">50K"]),
    )


def test_cuts_are_written_out():
    document = Schema({"age": Numeric(0, 4, bins=4)}).to_dict()
    assert document == {"columns": {"age": {"kind": "numeric", "low": 0, "high": 4, "cuts": [1.0, 2.0, 3.0]}}}


NUMERIC = {"kind": "numeric", "low": 0, "high": 1, "bins": 2}


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ({**NUMERIC, "hihg": 1}, ["hihg"]),
        ({"kind": "numeric", "low": 0, "bins": 2}, ["high"]),
        ({**NUMERIC, "values": ["a"]}, ["values"]),
        ({"kind": "numbers"}, ["kind", "numeric"]),
        ({"low": 0, "high": 1}, ["kind"]),
        ({"kind": ["numeric"]}, ["kind"]),
        ({**NUMERIC, "low": 5}, ["low < high"]),
        ({**NUMERIC, "low": "0"}, ["low"]),
        ({**NUMERIC, "low": True}, ["low"]),
        ({**NUMERIC, "low": float("nan")}, ["low"]),
        ({**NUMERIC, "high": 10**400}, ["high"]),
        ({**NUMERIC, "bins": 2.0}, ["bins"]),
        ({**NUMERIC, "cuts": [0.5]}, ["bins", "cuts"]),
        ({"kind": "numeric", "low": 0, "high": 1, "cuts": 0.5}, ["cuts"]),
        ({"kind": "numeric", "low": 0, "high": 1, "cuts": [2]}, ["cuts"]),
        ({**NUMERIC, "missing": 1}, ["missing"]),
        ({"kind": "categorical", "values": "ab"}, ["values"]),
        ({"kind": "categorical", "values": {"a": 1}}, ["values"]),
        ({"kind": "categorical", "values": ["a", 1]}, ["values"]),
        ({"kind": "categorical", "values": ["1", "1.0"]}, ["'1.0'"]),
        ({"kind": "categorical"}, ["values"]),
        ({"kind": "boolean", "values": [0, 1]}, ["values"]),
        ("boolean", ["keys"]),
    ],
)
def test_errors_name_column_and_key(column, words):
    with pytest.raises(SchemaError) as caught:
        Schema.from_dict({"columns": {"age": column}})
    assert str(caught.value).startswith("column 'age': ")
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize(
    ("document", "word"),
    [
        ({}, "columns"),
        ([], "keys"),
        ({"columns": []}, "columns"),
        ({"columns": {}}, "column"),
        ({"columns": {"a": NUMERIC}, "version": 1}, "version"),
        ({"columns": {"a": NUMERIC}, "target": "y"}, "target"),
        ({"columns": {"a": NUMERIC}, "target": {"name": "y"}}, "classes"),
        ({"columns": {"a": NUMERIC}, "target": {"name": 3, "classes": [0, 1]}}, "name"),
        ({"columns": {"a": NUMERIC}, "target": {"name": "y", "classes": "ab"}}, "classes"),
        ({"columns": {"a": NUMERIC}, "target": {"name": "a", "classes": [0, 1]}}, "target"),
    ],
)
def test_errors_about_the_whole_document(document, word):
    with pytest.raises(SchemaError, match=word):
        Schema.from_dict(document)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[columns]\na = = 3", "TOML, at line 2, column 5"),
        (b"\xff\xfe", "UTF-8"),
        (b"name,diagnosis\nZebulon,flu\n", "TOML"),
        (b"a = " + b"[" * 5000, "TOML"),
    ],
)
def test_unreadable_files_tell_nothing_of_their_content(tmp_path, content, words):
    path = tmp_path / "schema.toml"
    path.write_bytes(content)
    with pytest.raises(SchemaError, match=words) as caught:
        Schema.from_toml(path)
    assert "schema.toml" in str(caught.value)
    assert "Zebulon" not in str(caught.value)
    assert caught.value.__context__ is None


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(SchemaError, match="nowhere"):
        Schema.from_toml(tmp_path / "nowhere.toml")
    schema = Schema({"a": Boolean()})
    with pytest.raises(SchemaError, match="cannot write"):
        schema.to_toml(tmp_path)
    with pytest.raises(SchemaError, match="UTF-8"):
        Schema({"\ud800": Boolean()}).to_toml(tmp_path / "schema.toml")
