"""The written form of a schema: plain dicts, as in a model file, and TOML, as people write it."""

from __future__ import annotations

import contextlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import tomli_w

from discreet.errors import SchemaError
from discreet.schema.columns import Boolean, Categorical, Column, Numeric
from discreet.schema.target import Target


class _Kind(NamedTuple):
    build: type[Numeric | Categorical | Boolean]
    required: frozenset[str]
    optional: frozenset[str]


_KINDS = {
    "numeric": _Kind(Numeric, frozenset({"low", "high"}), frozenset({"bins", "cuts", "missing"})),
    "categorical": _Kind(Categorical, frozenset({"values"}), frozenset({"missing"})),
    "boolean": _Kind(Boolean, frozenset(), frozenset({"missing"})),
}

_NUMBER = ((int, float), "a number")
_LIST = ((list, tuple), "a list")
_TEXT = ((str,), "a text")
_FORMS: dict[str, tuple[tuple[type, ...], str]] = {
    "low": _NUMBER,
    "high": _NUMBER,
    "bins": ((int,), "a whole number"),
    "cuts": _LIST,
    "values": _LIST,
    "missing": ((bool,), "true or false"),
    "name": _TEXT,
    "classes": _LIST,
}


@contextlib.contextmanager
def about(subject: str) -> Iterator[None]:
    """Put the name of a column in front of the message of every SchemaError raised inside."""
    try:
        yield
    except SchemaError as error:
        message = str(error)
    else:
        return
    raise SchemaError(f"{subject}: {message}")


def to_dict(columns: Mapping[str, Column], target: Target | None) -> dict[str, Any]:
    """Write the parts of a schema as a plain document."""
    document: dict[str, Any] = {}
    if target is not None:
        document["target"] = {"name": target.name, "classes": list(target.classes)}
    document["columns"] = {name: _column_to_dict(column) for name, column in columns.items()}
    return document


def from_dict(document: Mapping[str, Any]) -> tuple[dict[str, Column], Target | None]:
    """Read the parts of a schema from a plain document, strictly."""
    with about("schema"):
        _check_keys(document, frozenset({"columns"}), frozenset({"target"}))
        if not isinstance(document["columns"], Mapping):
            raise SchemaError("key 'columns' needs a table for each column")
    columns: dict[str, Column] = {}
    for name, fields in document["columns"].items():
        with about(f"column {name!r}"):
            columns[name] = _column_from_dict(fields)
    target = None
    if document.get("target") is not None:
        with about("target"):
            _check_keys(document["target"], frozenset({"name", "classes"}), frozenset())
            _check_forms(document["target"])
            target = Target(**document["target"])
    return columns, target


def to_toml(document: dict[str, Any], path: str | os.PathLike[str] | None) -> str:
    """Write a document as TOML text, and to a file if asked."""
    text = tomli_w.dumps(document)
    if path is None:
        return text
    problem = None
    try:
        # Bytes, because text mode would rewrite line ends on some systems.
        Path(path).write_bytes(text.encode("utf-8"))
    except OSError as error:
        problem = error.strerror
    if problem is not None:
        raise SchemaError(f"cannot write the schema to {os.fspath(path)!r}: {problem}")
    return text


def read_toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a TOML file; every problem with the file is a SchemaError."""
    try:
        return tomllib.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except OSError as error:
        problem = error.strerror
    except UnicodeDecodeError:
        problem = "it is not UTF-8 text"
    except (ValueError, RecursionError) as error:
        # tomllib's own error, or that of an integer of thousands of digits. Only the place is told:
        # somebody may have named the wrong file, a table of records.
        place = re.search(r"at line \d+, column \d+", str(error))
        problem = "it is not valid TOML" + (f", {place.group()}" if place else "")
    raise SchemaError(f"cannot read a schema from {os.fspath(path)!r}: {problem}")


def _column_to_dict(column: Column) -> dict[str, Any]:
    fields: dict[str, Any]
    if isinstance(column, Numeric):
        fields = {
            "kind": "numeric",
            "low": column.low,
            "high": column.high,
            "cuts": list(column.cuts),
        }
    elif isinstance(column, Categorical):
        fields = {"kind": "categorical", "values": list(column.values)}
    else:
        fields = {"kind": "boolean"}
    return {**fields, "missing": True} if column.missing else fields


def _column_from_dict(document: Mapping[str, Any]) -> Column:
    if not isinstance(document, Mapping):
        raise SchemaError("needs a table of keys")
    fields = dict(document)
    name = fields.pop("kind", None)
    if not isinstance(name, str) or name not in _KINDS:
        raise SchemaError(f"key 'kind' needs one of {', '.join(map(repr, _KINDS))}")
    kind = _KINDS[name]
    _check_keys(fields, kind.required, kind.optional)
    _check_forms(fields)
    return kind.build(**fields)


def _check_keys(document: Mapping[str, Any], required: frozenset[str], optional: frozenset[str]) -> None:
    if not isinstance(document, Mapping):
        raise SchemaError("needs a table of keys")
    for key in document:
        if key not in required | optional:
            known = ", ".join(map(repr, sorted(required | optional)))
            raise SchemaError(f"unknown key {key!r}, known are {known}")
    for key in sorted(required):
        if key not in document:
            raise SchemaError(f"key {key!r} is missing")


def _check_forms(fields: Mapping[str, Any]) -> None:
    for key, value in fields.items():
        types, form = _FORMS[key]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise SchemaError(f"key {key!r} needs {form}")
