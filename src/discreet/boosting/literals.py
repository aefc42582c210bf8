"""The tests that a schema offers, and the rules made of them.

Every literal holds for an interval of codes of one column, so one form covers thresholds, categories and
"is missing". The constant holds for every code of the first column.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal as OneOf

import numpy as np
import numpy.typing as npt

from discreet.schema.columns import Boolean, Category, Column, Numeric
from discreet.schema.schema import Schema

Test = OneOf["always", "<=", "=", "is missing"]


@dataclass(frozen=True)
class Literal:
    """A yes-or-no question about one cell, true for the codes ``first`` to ``last`` of its column."""

    column: int
    test: Test
    value: Category | bool | None
    first: int
    last: int

    def __str__(self) -> str:
        if self.value is None:
            return self.test
        shown = f"{self.value:.10g}" if isinstance(self.value, float) else str(self.value)
        return f"{self.test} {shown}"


@dataclass(frozen=True)
class Rule:
    """A hypothesis: votes ``sign`` where its literal holds, and ``-sign`` elsewhere."""

    literal: Literal
    sign: int
    n_codes: int

    @property
    def column(self) -> int:
        """The column that it looks at."""
        return self.literal.column

    @cached_property
    def votes(self) -> npt.NDArray[np.int8]:
        """The vote for each code of the column."""
        votes = np.full(self.n_codes, -self.sign, dtype=np.int8)
        votes[self.literal.first : self.literal.last + 1] = self.sign
        return votes


def literals_of(schema: Schema) -> tuple[Literal, ...]:
    """List every literal of a schema, column by column in its order, and the constant last."""
    listed = [
        literal
        for index, column in enumerate(schema.columns.values())
        for literal in _of_column(index, column)
    ]
    everything = next(iter(schema.columns.values())).n_codes - 1
    return (*listed, Literal(0, "always", None, 0, everything))


def _of_column(index: int, column: Column) -> list[Literal]:
    if isinstance(column, Numeric):
        found = [Literal(index, "<=", cut, 0, code) for code, cut in enumerate(column.cuts)]
    elif isinstance(column, Boolean):
        found = [Literal(index, "=", True, 1, 1)]
    else:
        found = [Literal(index, "=", value, code, code) for code, value in enumerate(column.values)]
    if column.missing:
        bucket = column.n_codes - 1
        found.append(Literal(index, "is missing", None, bucket, bucket))
    return found
