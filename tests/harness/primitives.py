"""Neighbour replay of what happens before any score: codes, and the engine's sums."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from discreet.engines.base import Counts, LeafMasses, Masses
from discreet.engines.local import LocalEngine
from discreet.schema.encode import encode, encode_labels
from discreet.schema.tables import open_table
from tests.harness.replay import Broken
from tests.harness.universes import WIDE, Table

CAP = 2**20
ROUNDS = 3


def replay_encoding(rng: np.random.Generator) -> float:
    """Replace one record of a table in some container; return the share of the other codes that moved."""
    n = int(rng.integers(1, 13))
    one = rng.integers(len(WIDE.types), size=n)
    place = int(rng.integers(n))
    other = one.copy()
    other[place] = rng.integers(len(WIDE.types))
    entry = _CONTAINERS[int(rng.integers(len(_CONTAINERS)))]
    here, there = (_coded(tuple(table.tolist()), entry) for table in (one, other))
    moved = np.delete(here != there, place, axis=1)
    if moved.any():
        raise Broken("one record moved the code of another")
    return float(moved.mean()) if moved.size else 0.0


def _coded(table: Table, entry: object) -> np.ndarray:
    """Return the codes of the columns, and of the labels last."""
    rows = [WIDE.types[kind] for kind in table]
    codes = encode(open_table(entry([row[:-1] for row in rows])), WIDE.schema).values
    labels = encode_labels([row[-1] for row in rows], WIDE.schema.target, len(rows))
    return np.vstack([codes.astype(np.int64), labels])


def _array_of_objects(rows: list[tuple[object, ...]]) -> np.ndarray:
    cells = np.empty((len(rows), len(rows[0])), dtype=object)
    for place, row in enumerate(rows):
        for column, cell in enumerate(row):
            cells[place, column] = cell
    return cells


def _frame_of_objects(rows: list[tuple[object, ...]]) -> pd.DataFrame:
    # Column by column, or pandas would infer types, which are facts about the container.
    columns = zip(WIDE.schema.names, _array_of_objects(rows).T, strict=True)
    return pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in columns})


_CONTAINERS = (list, _array_of_objects, _frame_of_objects)


def replay_engine(rng: np.random.Generator) -> float:
    """Replace or remove one record, under the same hypotheses; return the share of its bound that moved."""
    n = int(rng.integers(1, 61))
    one = rng.integers(len(WIDE.types), size=n)
    replaced = bool(rng.integers(2))
    other = rng.permutation(np.append(one[1:], rng.integers(len(WIDE.types), size=int(replaced))))
    weights = rng.integers(0, CAP + 1, (2, 2 * ROUNDS + 1))
    weights[rng.random(weights.shape) < 0.3] = CAP
    steps = [_hypothesis(rng) for _ in range(ROUNDS)]
    splits = [_split(rng, leaves) for leaves in range(1, int(rng.integers(1, 5)))]
    (counts, masses, in_leaves), (other_counts, other_masses, other_in_leaves) = (
        _sums(tuple(table.tolist()), weights, steps, splits, threads)
        for table, threads in ((one, 1), (other, int(rng.integers(1, 4))))
    )
    most = 2 if replaced else 1
    moved = [_moved(counts, other_counts) / most]
    ends = np.cumsum([column.n_codes for column in WIDE.schema.columns.values()])[:-1]
    for here, there in zip(np.split(masses, ends, axis=1), np.split(other_masses, ends, axis=1), strict=True):
        moved.append(_moved(here, there) / (most * CAP))
    by_column = (np.split(part, ends, axis=2) for part in (in_leaves, other_in_leaves))
    moved += [_moved(here, there) / (most * CAP) for here, there in zip(*by_column, strict=True)]
    if max(moved) > 1:
        raise Broken("one record moved a sum by more than its weight")
    return max(moved)


class _Step:
    def __init__(self, column: int, votes: np.ndarray) -> None:
        self.column, self.votes = column, votes


def _hypothesis(rng: np.random.Generator) -> _Step:
    columns = list(WIDE.schema.columns.values())
    column = int(rng.integers(len(columns)))
    return _Step(column, rng.integers(-1, 2, columns[column].n_codes).astype(np.int8))


class _Split(NamedTuple):
    leaf: int
    column: int
    first: int
    last: int


def _split(rng: np.random.Generator, leaves: int) -> _Split:
    columns = list(WIDE.schema.columns.values())
    column = int(rng.integers(len(columns)))
    first, last = sorted(rng.integers(columns[column].n_codes, size=2).tolist())
    return _Split(int(rng.integers(leaves)), column, first, last)


def _sums(
    table: Table, weights: np.ndarray, steps: list[_Step], splits: list[_Split], threads: int
) -> tuple[Counts, Masses, LeafMasses]:
    engine = LocalEngine(WIDE.codes(table), threads)
    levels = engine.open(WIDE.labels(table), ROUNDS)
    for step in steps:
        engine.advance(levels, step)
    return (
        engine.level_counts(levels),
        engine.masses(levels, weights),
        engine.leaf_masses(levels, weights, splits),
    )


def _moved(here: np.ndarray, there: np.ndarray) -> int:
    return int(np.abs(here - there).sum())
