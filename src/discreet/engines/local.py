"""The engine of one machine: numba kernels over rows, in as many threads as asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from discreet.engines import kernels
from discreet.engines.base import (
    Counts,
    Draw,
    Hypothesis,
    LeafCorrelations,
    LeafMasses,
    LeafVotes,
    LevelWeights,
    Masses,
    Split,
    View,
    check_splits,
    check_votes,
)
from discreet.engines.packing import Packs, pack
from discreet.engines.rows import over_parts, parts_of
from discreet.errors import EngineError
from discreet.schema.encode import Codes

W = TypeVar("W", np.int8, np.uint8)

PackedCodes: TypeAlias = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]

MAX_LEVEL = 2**14
"""A record's state, label and level in one number, fits uint16."""


@dataclass
class LocalLevels:
    """Label and level of every record, two bytes each, and its leaf of the tree that grows, one byte.

    The state of a record is ``label * n_levels + level + max_level``; a record outside the classes keeps
    the one state ``2 * n_levels``, whose weight and sign are 0.
    """

    state: npt.NDArray[np.uint16]
    max_level: int
    leaf: npt.NDArray[np.uint8]
    splits: tuple[Split, ...] = ()
    advanced: int = 0

    @classmethod
    def start(cls, labels: npt.NDArray[np.int8], max_level: int) -> LocalLevels:
        """Put every record at level 0."""
        if not 0 <= max_level < MAX_LEVEL:
            raise EngineError(f"the local engine keeps fewer than {MAX_LEVEL} rounds")
        n_levels = 2 * max_level + 1
        begin = np.array([max_level, n_levels + max_level, 2 * n_levels], dtype=np.uint16)
        return cls(begin[labels], max_level, np.zeros(len(labels), dtype=np.uint8))

    @property
    def n_levels(self) -> int:
        """Levels from -max_level to max_level."""
        return 2 * self.max_level + 1

    @cached_property
    def label_of(self) -> npt.NDArray[np.uint8]:
        """The label, 0 or 1, of each state; that of the state outside the classes does not matter."""
        return np.repeat(np.array([0, 1, 0], np.uint8), [self.n_levels, self.n_levels, 1])

    @cached_property
    def sign_of(self) -> npt.NDArray[np.int8]:
        """The label, -1 or +1, of each state; 0 outside the classes."""
        return np.repeat(np.array([-1, 1, 0], np.int8), [self.n_levels, self.n_levels, 1])


class LocalEngine:
    """Exact aggregates over codes in memory.

    Parameters
    ----------
    codes : Codes
        The encoded table; the engine keeps a packed copy, and not the codes.
    threads : int, default 1
        Rows are divided among this many threads; the result is the same.
    """

    def __init__(self, codes: Codes, threads: int = 1) -> None:
        self._packs, self._places = pack(codes)
        self._n_codes = codes.n_codes
        self._ends = np.cumsum([0, *codes.n_codes])
        self._parts = parts_of(codes.values.shape[1], threads)

    def open(self, labels: npt.NDArray[np.int8], max_level: int) -> LocalLevels:
        """Begin a task: every record at level 0."""
        return LocalLevels.start(labels, max_level)

    def level_counts(self, levels: LocalLevels) -> Counts:
        """Count the records at each label and level."""

        def partial(rows: slice) -> npt.NDArray[np.int64]:
            counts = np.zeros(2 * levels.n_levels + 1, dtype=np.int64)
            kernels.add_counts(levels.state[rows], counts)
            return counts

        return self._summed(partial)[:-1].reshape(2, levels.n_levels)

    def masses(self, levels: LocalLevels, weights: LevelWeights) -> Masses:
        """Sum the weights by label and code, for all columns."""
        return self._masses(levels, weights.ravel(), levels.label_of, (), 2).T

    def leaf_masses(self, levels: LocalLevels, weights: LevelWeights, splits: Sequence[Split]) -> LeafMasses:
        """Sum the weights by leaf, label and code, for all columns."""
        masses = self._masses(levels, weights.ravel(), levels.label_of, splits, 2)
        return masses.T.reshape(-1, 2, len(masses))[: len(splits) + 1]

    def leaf_correlations(
        self, levels: LocalLevels, weights: LevelWeights, splits: Sequence[Split]
    ) -> LeafCorrelations:
        """Sum label times weight by leaf and code, with labels read as -1 and +1."""
        signed = np.concatenate([-weights[0], weights[1]])
        nothing = np.zeros_like(levels.label_of)
        return self._masses(levels, signed, nothing, splits, 1).T[: len(splits) + 1]

    def _masses(
        self,
        levels: LocalLevels,
        weights: npt.NDArray[np.int64],
        label_of: npt.NDArray[np.uint8],
        splits: Sequence[Split],
        n_labels: int,
    ) -> npt.NDArray[np.int64]:
        """Sum the weights by code and cell: leaf and label in one, padded to a power of two."""
        weight_of = np.append(weights, 0)
        n_cells = n_labels << len(splits).bit_length()
        masses = np.zeros((int(self._ends[-1]), n_cells), dtype=np.int64)
        leaf = self._leaves(levels, splits) if splits else None
        for packs in self._packs.values():

            def partial(rows: slice, packs: Packs = packs) -> npt.NDArray[np.int64]:
                part = np.zeros((int(packs.ends[-1]), n_cells), dtype=np.int64)
                kernels.add_masses(
                    packs.values[:, rows],
                    packs.ends,
                    levels.state[rows],
                    None if leaf is None else leaf[rows],
                    weight_of,
                    label_of,
                    n_labels - 1,
                    part,
                )
                return part

            kernels.add_margins(self._summed(partial), packs.margins, self._ends, masses)
        return masses

    def advance(self, levels: LocalLevels, hypothesis: Hypothesis) -> None:
        """Add label times vote to the level of every record."""
        codes, votes = self._votes(levels, hypothesis)
        if levels.advanced >= levels.max_level:
            raise EngineError(f"levels were opened for {levels.max_level} rounds")
        levels.advanced += 1
        over_parts(
            self._parts, lambda rows: kernels.advance(codes[rows], votes, levels.sign_of, levels.state[rows])
        )

    def _votes(self, levels: LocalLevels, hypothesis: Hypothesis) -> tuple[PackedCodes, npt.NDArray[np.int8]]:
        """Return a code for each record, and the vote for each code."""
        if isinstance(hypothesis, LeafVotes):
            check_votes(hypothesis.leaf_votes, len(hypothesis.splits) + 1, "leaves")
            return self._leaves(levels, hypothesis.splits), hypothesis.leaf_votes
        check_votes(hypothesis.votes, self._n_codes[hypothesis.column], "codes")
        return self._packed(hypothesis.column, hypothesis.votes)

    def _packed(self, column: int, table: npt.NDArray[W]) -> tuple[PackedCodes, npt.NDArray[W]]:
        """Return the pack with a column, and a table over the column's codes as one over the pack's."""
        place = self._places[column]
        packs = self._packs[place.wide]
        size = int(packs.ends[place.pack + 1] - packs.ends[place.pack])
        code = np.arange(size) // place.stride % self._n_codes[column]
        return packs.values[place.pack], table[code]

    def _leaves(self, levels: LocalLevels, splits: Sequence[Split]) -> npt.NDArray[np.uint8]:
        """Return the leaf of each record; a tree that has grown is entered where it was left."""
        check_splits(splits, self._n_codes)
        passed = len(levels.splits)
        if tuple(splits[:passed]) != levels.splits:
            passed = 0
            levels.leaf.fill(0)
        for new in range(passed + 1, len(splits) + 1):
            self._divide(levels.leaf, splits[new - 1], new)
        levels.splits = tuple(splits)
        return levels.leaf

    def _divide(self, leaf: npt.NDArray[np.uint8], split: Split, new: int) -> None:
        """Move the records outside a split's interval from its leaf to a new one."""
        step = np.full(self._n_codes[split.column], new - split.leaf, dtype=np.uint8)
        step[split.first : split.last + 1] = 0
        codes, steps = self._packed(split.column, step)
        old = np.uint8(split.leaf)
        over_parts(self._parts, lambda rows: kernels.divide(codes[rows], steps, old, leaf[rows]))

    def sample(
        self, levels: LocalLevels, weights: LevelWeights, total: int, size: int, draw: Draw
    ) -> View[LocalLevels]:
        """Draw records independently, each with probability weight / total, and blanks for the rest."""
        weight_of = np.append(weights.ravel(), 0)
        ends = np.append(np.cumsum(weight_of[levels.state]), total)
        if total < ends[-2:].max():
            raise EngineError("the weights sum to more than their total")
        rows = np.array([draw(ends) for _ in range(size)])
        blank = rows == len(levels.state)
        rows[blank] = 0
        labels = (levels.state[rows] // levels.n_levels).astype(np.int8)
        labels[blank] = 2
        drawn = copy(self)
        drawn._packs = {
            wide: replace(packs, values=packs.values[:, rows]) for wide, packs in self._packs.items()
        }
        drawn._parts = [slice(0, size)]
        return View(drawn, drawn.open(labels, 0))

    def _summed(self, partial: Callable[[slice], npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
        return np.asarray(sum(over_parts(self._parts, partial), start=np.int64(0)))
