"""What a record is to a halfspace: an integer vector of bounded norm, by public rules only (5).

Every column gives one group of features, and the intercept is a group of its own: 1 for every record. With
k groups, all values are multiplied by 1/sqrt(k), so that a typical record has norm 1 at most; the vector of a
record that is longer is shortened to norm 1.

* A category, yes, a bucket that is asked for: 1 where its test holds, 0 elsewhere.
* A number, coded "numeric": (value - centre) / spread, clipped to [-REACH, REACH]; 0 where it is missing.
  Centre is the median of the column's public cuts and spread half their interquartile range, so that wide
  bounds decide nothing.
* A number, coded "thermometer": 1 or -1 for every cut, divided by the root of their number.

Vectors are kept on the grid 2^-GRID_BITS, truncated toward zero.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal as OneOf

import numpy as np
import numpy.typing as npt

from discreet.boosting.literals import Literal, literals_of
from discreet.schema.columns import Numeric
from discreet.schema.encode import Codes
from discreet.schema.schema import Schema

Coding = OneOf["numeric", "thermometer"]

GRID_BITS = 14
"""Coordinates fit int16."""

NORM = 2**GRID_BITS
"""No vector is longer, in grid steps."""

REACH = 2.0
"""Numbers this many spreads from the centre are as good as further ones."""

_BLOCK = 2**14

Vectors = npt.NDArray[np.int16]
"""[record, coordinate], in grid steps."""


@dataclass(frozen=True)
class Number:
    """A coordinate that is a number itself: (value - centre) / spread."""

    column: int
    centre: float
    spread: float

    def __str__(self) -> str:
        return f"per {self.spread:.6g} above {self.centre:.6g}"

    @classmethod
    def of(cls, index: int, column: Numeric) -> Number:
        """Read the scale off the cuts; off the bounds where there are too few cuts for it."""
        low, centre, high = (_quartile(column.cuts, quarters) for quarters in (1, 2, 3))
        spread = (high - low) / 2
        return cls(index, centre, spread if spread > 0 else (column.high - column.low) / 4)

    def scaled(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the coordinate of each value; 0 for nan."""
        with np.errstate(over="ignore"):
            scaled = np.clip((values - self.centre) / self.spread, -REACH, REACH)
        return np.where(np.isnan(values), 0.0, scaled)


Feature = Number | Literal
"""What a coordinate means: a number, or a test; the test "always" is the intercept."""


class FeatureMap:
    """From codes and numbers to vectors.

    Parameters
    ----------
    schema : Schema
        The public columns.
    coding : {"numeric", "thermometer"}
        How numbers are coded.
    """

    def __init__(self, schema: Schema, coding: Coding) -> None:
        *tests, always = literals_of(schema)
        self._step = NORM / math.sqrt(len(schema.columns) + 1)
        self._groups: list[tuple[Number | None, npt.NDArray[np.int32]]] = []
        features: list[Feature] = []
        for index, column in enumerate(schema.columns.values()):
            number = Number.of(index, column) if isinstance(column, Numeric) and coding == "numeric" else None
            kept = [test for test in tests if test.column == index and not (number and test.test == "<=")]
            self._groups.append((number, self._table(kept, column.n_codes)))
            features += [*([number] if number else []), *kept]
        self.features: tuple[Feature, ...] = (*features, always)

    @property
    def units(self) -> npt.NDArray[np.int64]:
        """What a 1 is in each coordinate, in grid steps, before a vector is shortened."""
        units = [
            part
            for number, table in self._groups
            for part in ([[int(self._step)]] if number else []) + [table.max(axis=0, initial=0)]
        ]
        return np.concatenate([*units, [int(self._step)]]).astype(np.int64)

    def vectors(self, codes: Codes, numbers: Mapping[int, npt.NDArray[np.float64]]) -> Vectors:
        """Return the vector of each record, one a row.

        Parameters
        ----------
        codes : Codes
            The coded table.
        numbers : mapping
            The values of each numeric column, clipped to its bounds, by the column's index; nan where
            missing.
        """
        n_records = codes.values.shape[1]
        vectors = np.empty((n_records, len(self.features)), dtype=np.int16)
        # At least one block, so that the path is that of a table with records.
        for start in range(0, max(n_records, 1), _BLOCK):
            rows = slice(start, min(start + _BLOCK, n_records))
            blocks = [np.full((rows.stop - start, 1), int(self._step), dtype=np.int32)]
            for index, (number, table) in reversed(list(enumerate(self._groups))):
                blocks.append(table[codes.values[index, rows]])
                if number is not None:
                    scaled = np.trunc(self._step * number.scaled(numbers[index][rows]))
                    blocks.append(scaled.astype(np.int32)[:, None])
            vectors[rows] = shortened(np.concatenate(blocks[::-1], axis=1))
        return vectors

    def _table(self, tests: list[Literal], n_codes: int) -> npt.NDArray[np.int32]:
        """Return the coordinates of each code of one column; cuts share one unit of norm."""
        cuts = sum(test.test == "<=" for test in tests)
        table = np.zeros((n_codes, len(tests)), dtype=np.int32)
        for place, test in enumerate(tests):
            if test.test == "<=":
                high = int(self._step / math.sqrt(cuts))
                table[:-1, place] = -high  # not the bucket, which fails every test and its opposite
            else:
                high = int(self._step)
            table[test.first : test.last + 1, place] = high
        return table


def _quartile(cuts: tuple[float, ...], quarters: int) -> float:
    """Interpolate between cuts. Model files rely on its last bit, so it is not left to a library."""
    place, rest = divmod(quarters * (len(cuts) - 1), 4)
    if not rest:
        return cuts[place]
    return cuts[place] + (cuts[place + 1] - cuts[place]) * rest / 4


def shortened(vectors: npt.NDArray[np.int32] | npt.NDArray[np.int64]) -> Vectors:
    """Shorten every vector that is longer than ``NORM``; each by itself, in integers.

    With ``root`` the norm rounded up, |u| NORM // root is at most |u| NORM / norm in each coordinate.
    """
    wide = vectors.astype(np.int64)
    squares = (wide * wide).sum(axis=1)
    root = np.sqrt(squares.astype(np.float64)).astype(np.int64)
    root += root * root < squares
    root += root * root < squares
    shorter = np.sign(wide) * (np.abs(wide) * NORM // np.maximum(root, 1)[:, None])
    return np.where((squares > NORM**2)[:, None], shorter, wide).astype(np.int16)
