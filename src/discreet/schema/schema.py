"""A schema: what is public about the columns of a table and about its label column."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from discreet.errors import SchemaError
from discreet.schema import documents
from discreet.schema.cells import check_told_apart
from discreet.schema.columns import Boolean, Categorical, Column, Numeric, is_writable
from discreet.schema.target import Target

__all__ = ["Schema", "Target"]


class Schema:
    """The public facts about the columns that a classifier may use.

    Columns of a table that the schema does not name are ignored. A schema cannot be changed.

    Parameters
    ----------
    columns : mapping of str to Numeric, Categorical or Boolean
        The columns; their order is the order of the features.
    target : Target, optional
        The label column.

    Examples
    --------
    >>> Schema({"age": Numeric(17, 90, bins=2), "smoker": Boolean()})
    Schema({
        'age': Numeric(17, 90, cuts=[53.5]),
        'smoker': Boolean(missing=False),
    })
    """

    __slots__ = ("_columns", "_target")
    _columns: dict[str, Column]
    _target: Target | None

    def __init__(self, columns: Mapping[str, Column], target: Target | None = None) -> None:
        object.__setattr__(self, "_columns", _checked_columns(columns))
        object.__setattr__(self, "_target", _checked_target(target, self._columns))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Schema cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Schema cannot be changed")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Schema):
            return NotImplemented
        # The order counts: a table without column names is matched by position.
        return (list(self._columns.items()), self._target) == (
            list(other._columns.items()),
            other._target,
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Schema], tuple[dict[str, Column], Target | None]]:
        # A read-only object with slots cannot restore itself; scikit-learn's clone copies deeply.
        return Schema, (self._columns, self._target)

    def __repr__(self) -> str:
        lines = [f"    {name!r}: {column!r},\n" for name, column in self._columns.items()]
        target = "" if self._target is None else f", target={self._target!r}"
        return "Schema({\n" + "".join(lines) + "}" + target + ")"

    @property
    def columns(self) -> Mapping[str, Column]:
        """The declarations by name, read-only."""
        return MappingProxyType(self._columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(self._columns)

    @property
    def target(self) -> Target | None:
        """The label column, if the schema knows it."""
        return self._target

    def to_dict(self) -> dict[str, Any]:
        """Write the schema as plain dicts, lists, texts and numbers, as JSON knows them."""
        return documents.to_dict(self._columns, self._target)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Schema:
        """Read what `to_dict` or a person wrote; anything unknown in it is refused."""
        return cls(*documents.from_dict(document))

    def to_toml(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the schema as TOML.

        Parameters
        ----------
        path : str or PathLike, optional
            Also write the text to this file.

        Returns
        -------
        str
            The TOML text. Reading it back gives an equal schema, to the last bit of every cut.
        """
        return documents.to_toml(self.to_dict(), path)

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str]) -> Schema:
        """Read a schema from a TOML file.

        Examples
        --------
        A file may look like this (a numeric column may have ``cuts = [...]`` instead of ``bins``)::

            [target]
            name = "income"
            classes = ["<=50K", ">50K"]

            [columns.age]
            kind = "numeric"
            low = 17
            high = 90
            bins = 20

            [columns.sex]
            kind = "categorical"
            values = ["Female", "Male"]

            [columns.smoker]
            kind = "boolean"
            missing = true
        """
        return cls.from_dict(documents.read_toml(path))

    @classmethod
    def from_public(cls, frame: object, *, target: str | None = None, bins: int = 20) -> Schema:
        """Learn a schema from a table that is PUBLIC.

        .. warning::
            The schema shows values of this table: the smallest and largest numbers, quantiles, all
            categories, all classes. **By calling this you declare that the table is public**: a
            census extract anyone can download, last year's published figures, made-up records.
            Never pass the table to be protected, nor a part or a sample of it: no privacy guarantee
            survives that, and nothing can detect it.

        Parameters
        ----------
        frame : data frame or array
            The public table.
        target : str, optional
            The column that holds the labels; its values become the classes, sorted.
        bins : int, default 20
            Numeric columns get at most ``bins - 1`` cuts, at quantiles of the public table.

        Returns
        -------
        Schema
            Numbers become `Numeric`, booleans `Boolean`, text and category types `Categorical`,
            each with ``missing=True`` where the public table has missing cells.
        """
        # Imported late: the door needs Schema itself.
        from discreet.schema.public import learn

        return cls(*learn(frame, target, bins))


def _checked_columns(columns: Mapping[str, Column]) -> dict[str, Column]:
    if not isinstance(columns, Mapping):
        raise SchemaError("Schema needs a mapping from column names to declarations")
    if not columns:
        raise SchemaError("Schema needs at least one column")
    for name, column in columns.items():
        if not isinstance(name, str) or not name or not is_writable(name):
            raise SchemaError("Schema needs column names that are texts, not empty, and fit for UTF-8")
        if not isinstance(column, Numeric | Categorical | Boolean):
            raise SchemaError(
                f"column {name!r}: needs a declaration, Numeric(...), Categorical(...) or Boolean()"
            )
        if isinstance(column, Categorical):
            with documents.about(f"column {name!r}"):
                check_told_apart(column.values, "category")
    return {str(name): column for name, column in columns.items()}


def _checked_target(target: Target | None, columns: Mapping[str, Column]) -> Target | None:
    if target is None:
        return None
    if not isinstance(target, Target):
        raise SchemaError("Schema needs target=Target(name, classes)")
    if target.name in columns:
        raise SchemaError(f"column {target.name!r}: the target cannot be a feature as well")
    return target
