"""What the oracles share: which literals hold, numbers that do not overflow, the order of labellings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.boosting.literals import Literal
from discreet.schema.encode import Codes
from discreet.semiprivate.oracles.base import Costs

_SAFE = 2**62
"""Sums and differences of two numbers below it fit int64."""


def holds(literals: Sequence[Literal], codes: Codes) -> npt.NDArray[np.bool_]:
    """Tell which literals hold for which records: [literal, record]."""
    found = np.empty((len(literals), codes.values.shape[1]), dtype=np.bool_)
    for row, literal in zip(found, literals, strict=True):
        column = codes.values[literal.column]
        row[:] = (column >= literal.first) & (column <= literal.last)
    return found


def whole(costs: Costs, n_records: int) -> npt.NDArray[Any]:
    """Return the costs in a type in which no objective overflows: int64, or Python's whole numbers.

    Noise has no largest value. Each cost fits 64 bits, their sum need not.
    """
    plain = [int(cost) for cost in costs]
    fits = sum(map(abs, plain)) + n_records < _SAFE
    return np.array(plain, dtype=np.int64 if fits else object)


def best_of(objectives: npt.NDArray[Any], labellings: npt.NDArray[np.int8]) -> int:
    """Return the row of the first labelling among those of least objective; the first such row, if equal."""
    least = np.flatnonzero(objectives == objectives.min()).tolist()
    # Bytes are compared as labellings are: 0 before 1, the first point first.
    return min(least, key=lambda row: labellings[row].tobytes())


def numbers_of(points: npt.NDArray[np.bool_]) -> list[int]:
    """Read each row of labels as a binary number, the first point its highest bit."""
    n_points = points.shape[1]
    padding = -n_points % 8
    return [int.from_bytes(row.tobytes()) >> padding for row in np.packbits(points, axis=1)]


def labelling_of(number: int, n_points: int) -> npt.NDArray[np.int8]:
    """Return the labelling of which this is the number."""
    return np.array([number >> place & 1 for place in reversed(range(n_points))], dtype=np.int8)
