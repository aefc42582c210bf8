"""The engine of one machine: numba kernels over rows, in as many threads as asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from discreet.engines import kernels
from discreet.engines.base import Counts, Hypothesis, LevelWeights, Masses, check_votes
from discreet.engines.packing import Packs, pack
from discreet.engines.rows import over_parts, parts_of
from discreet.errors import EngineError
from discreet.schema.encode import Codes

MAX_LEVEL = 2**14
"""A record's state, label and level in one number, fits uint16."""


@dataclass
class LocalLevels:
    """Label and level of every record, two bytes each.

    The state of a record is ``label * n_levels + level + max_level``; a record outside the classes keeps
    the one state ``2 * n_levels``, whose weight and sign are 0.
    """

    state: npt.NDArray[np.uint16]
    max_level: int
    advanced: int = 0

    @classmethod
    def start(cls, labels: npt.NDArray[np.int8], max_level: int) -> LocalLevels:
        """Put every record at level 0."""
        if not 0 <= max_level < MAX_LEVEL:
            raise EngineError(f"the local engine keeps fewer than {MAX_LEVEL} rounds")
        n_levels = 2 * max_level + 1
        begin = np.array([max_level, n_levels + max_level, 2 * n_levels], dtype=np.uint16)
        return cls(begin[labels], max_level)

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
        weight_of = np.append(weights.ravel(), 0)
        masses = np.zeros((2, int(self._ends[-1])), dtype=np.int64)
        for packs in self._packs.values():

            def partial(rows: slice, packs: Packs = packs) -> npt.NDArray[np.int64]:
                part = np.zeros(2 * int(packs.ends[-1]), dtype=np.int64)
                values = packs.values[:, rows]
                kernels.add_masses(values, packs.ends, levels.state[rows], weight_of, levels.label_of, part)
                return part

            kernels.add_margins(self._summed(partial), packs.margins, self._ends, masses)
        return masses

    def advance(self, levels: LocalLevels, hypothesis: Hypothesis) -> None:
        """Add label times vote to the level of every record."""
        begin, end = self._ends[hypothesis.column : hypothesis.column + 2]
        check_votes(hypothesis.votes, int(end - begin))
        if levels.advanced >= levels.max_level:
            raise EngineError(f"levels were opened for {levels.max_level} rounds")
        levels.advanced += 1
        place = self._places[hypothesis.column]
        packs = self._packs[place.wide]
        size = int(packs.ends[place.pack + 1] - packs.ends[place.pack])
        votes = hypothesis.votes[np.arange(size) // place.stride % (end - begin)]
        over_parts(
            self._parts,
            lambda rows: kernels.advance(
                packs.values[place.pack, rows], votes, levels.sign_of, levels.state[rows]
            ),
        )

    def _summed(self, partial: Callable[[slice], npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
        return np.asarray(sum(over_parts(self._parts, partial), start=np.int64(0)))
