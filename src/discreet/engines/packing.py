"""Several columns in one: fewer, wider histograms, which cost a pass over the records each.

The code of a pack is c_1 + k_1 c_2 + k_1 k_2 c_3 + ... for columns with k_1, k_2, ... codes. A pass counts
packs; the masses of a column are sums over the codes of its pack, exact because they are integers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discreet.schema.encode import Codes

MOST_CODES = 4096
"""Codes of one pack: their sums, 16 bytes each, stay in the second-level cache."""

_RECORDS_PER_CODE = 8
"""A pack has to be taken apart after the pass; in small tables that must not cost more than it saves."""


@dataclass(frozen=True)
class Packs:
    """Packed columns of one width.

    Parameters
    ----------
    values : array of uint8 or uint16, [pack, record]
        The codes of the packs.
    ends : array of int64
        Where each pack's codes begin in one row of all, and the end of the last.
    margins : array of int64, [packed column, 3]
        The column, where its pack's codes begin, and by how much its code was multiplied; the last column
        of a pack comes first.
    """

    values: npt.NDArray[np.uint8] | npt.NDArray[np.uint16]
    ends: npt.NDArray[np.int64]
    margins: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Place:
    """Where a column went: which width, which pack, and by how much its code was multiplied."""

    wide: bool
    pack: int
    stride: int


def pack(codes: Codes) -> tuple[dict[bool, Packs], tuple[Place, ...]]:
    """Pack columns, at one byte a cell at the most unless a column has more than 256 codes.

    Returns
    -------
    packs : dict
        Narrow packs of one byte under False, wide ones of two bytes under True, where there are any.
    places : tuple of Place
        One a column, in the order of the columns.
    """
    n_records = codes.values.shape[1]
    groups = _groups(codes.n_codes, min(MOST_CODES, n_records // _RECORDS_PER_CODE))
    places: dict[int, Place] = {}
    packs = {}
    for wide in (False, True):
        chosen = [(columns, size) for columns, size in groups if (size > 256) == wide]
        if not chosen:
            continue
        values = np.zeros((len(chosen), n_records), dtype=np.uint16 if wide else np.uint8)
        for row, (columns, _) in enumerate(chosen):
            stride = 1
            for column in columns:
                values[row] += np.multiply(codes.values[column], stride, dtype=values.dtype)
                places[column] = Place(wide, row, stride)
                stride *= codes.n_codes[column]
        ends = np.cumsum([0, *(size for _, size in chosen)], dtype=np.int64)
        margins = [
            (column, ends[row], places[column].stride)
            for row, (columns, _) in enumerate(chosen)
            for column in reversed(columns)
        ]
        packs[wide] = Packs(values, ends, np.array(margins, dtype=np.int64))
    return packs, tuple(places[column] for column in range(len(codes.n_codes)))


def _groups(n_codes: tuple[int, ...], limit: int) -> list[tuple[list[int], int]]:
    """Put columns together, widest first, each into the first group where it fits."""
    groups: list[tuple[list[int], int]] = []
    open_from = 0
    for column in sorted(range(len(n_codes)), key=lambda column: -n_codes[column]):
        for index in range(open_from, len(groups)):
            columns, size = groups[index]
            if size * n_codes[column] <= limit:
                groups[index] = ([*columns, column], size * n_codes[column])
                break
        else:
            groups.append(([column], n_codes[column]))
        # Columns only get narrower, but a group that has no room for two codes has none for any.
        while open_from < len(groups) and groups[open_from][1] * 2 > limit:
            open_from += 1
    return groups
