"""The label column: its name and its public list of classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from discreet.errors import SchemaError
from discreet.schema.cells import check_told_apart
from discreet.schema.columns import checked_categories, is_writable, plain_scalar

MAX_CLASSES = 127
"""Labels are int8, and one code past the classes stands for every other label."""

Class: TypeAlias = str | int | float | bool


@dataclass(frozen=True, init=False)
class Target:
    """The column to predict, and the classes that it may hold.

    Parameters
    ----------
    name : str
        Name of the label column.
    classes : sequence of str, of numbers, or (False, True)
        The public list of classes, at least two. They are kept in sorted order, as scikit-learn's
        metrics take for granted; of two classes the last is the positive one. A label outside the
        list gives its record weight 0.

    Examples
    --------
    >>> Target("income", ["<=50K", ">50K"])
    Target('income', ['<=50K', '>50K'])
    """

    name: str
    classes: tuple[Class, ...]

    def __init__(self, name: str, classes: Iterable[Class]) -> None:
        object.__setattr__(self, "name", _checked_name(name))
        object.__setattr__(self, "classes", _checked_classes(classes))

    def __repr__(self) -> str:
        return f"Target({self.name!r}, {list(self.classes)!r})"

    @property
    def boolean(self) -> bool:
        """Whether the classes are False and True."""
        return isinstance(self.classes[0], bool)


def _checked_name(name: str) -> str:
    if not isinstance(name, str) or not name or not is_writable(name):
        raise SchemaError("Target needs the name of the label column, a text, not empty, and fit for UTF-8")
    return str(name)


def _checked_classes(classes: Iterable[Class]) -> tuple[Class, ...]:
    if isinstance(classes, str) or not isinstance(classes, Iterable):
        raise SchemaError("Target needs a list of classes")
    listed = tuple(plain_scalar(value) for value in classes)
    if not 2 <= len(listed) <= MAX_CLASSES:
        raise SchemaError(f"Target needs between 2 and {MAX_CLASSES} classes, got {len(listed)}")
    if all(isinstance(value, bool) for value in listed):
        if len(set(listed)) != len(listed):
            raise SchemaError("Target has a class twice")
        return tuple(sorted(listed))
    if any(isinstance(value, bool) for value in listed):
        raise SchemaError("Target needs classes that are all text, all numbers, or False and True")
    checked = checked_categories(listed, "Target")
    check_told_apart(checked, "class")
    return tuple(sorted(checked))
