"""The engine of one machine: numba kernels over rows, in as many threads as asked for."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from discreet.engines import kernels
from discreet.engines.base import Counts, Hypothesis, LevelWeights, Masses, check_votes
from discreet.errors import EngineError
from discreet.schema.encode import Codes

T = TypeVar("T")

MAX_LEVEL = 2**14
"""A record's state, label and level in one number, fits uint16."""


@dataclass
class LocalLevels:
    """Label and level of every record, two bytes each.

    The state of a record is ``label * n_levels + level + max_level``; a record outside the classes keeps
    the one state ``2 * n_levels``, whose weight is 0.
    """

    state: npt.NDArray[np.uint16]
    max_level: int
    advanced: int = 0

    @property
    def n_levels(self) -> int:
        """Levels from -max_level to max_level."""
        return 2 * self.max_level + 1


class LocalEngine:
    """Exact aggregates over codes in memory.

    Parameters
    ----------
    codes : Codes
        The encoded table.
    threads : int, default 1
        Rows are divided among this many threads; the result is the same.
    """

    def __init__(self, codes: Codes, threads: int = 1) -> None:
        self._codes = codes.values
        self._offsets = np.concatenate([[0], np.cumsum(codes.n_codes)]).astype(np.int64)
        n = self._codes.shape[1]
        self._parts = [slice(n * i // threads, n * (i + 1) // threads) for i in range(threads)]

    def open(self, labels: npt.NDArray[np.int8], max_level: int) -> LocalLevels:
        """Begin a task: every record at level 0."""
        if not 0 <= max_level < MAX_LEVEL:
            raise EngineError(f"the local engine keeps fewer than {MAX_LEVEL} rounds")
        n_levels = 2 * max_level + 1
        start = np.array([max_level, n_levels + max_level, 2 * n_levels], dtype=np.uint16)
        return LocalLevels(start[labels], max_level)

    def level_counts(self, levels: LocalLevels) -> Counts:
        """Count the records at each label and level."""

        def partial(rows: slice) -> npt.NDArray[np.int64]:
            counts = np.zeros(2 * levels.n_levels + 1, dtype=np.int64)
            kernels.add_counts(levels.state[rows], counts)
            return counts

        return self._summed(partial)[:-1].reshape(2, levels.n_levels)

    def masses(self, levels: LocalLevels, weights: LevelWeights) -> Masses:
        """Sum the weights by label and code, for all columns."""
        of_state = np.append(weights.ravel(), 0)

        def partial(rows: slice) -> Masses:
            sums = np.zeros((int(self._offsets[-1]), 2), dtype=np.int64)
            kernels.add_masses(
                self._codes[:, rows],
                self._offsets,
                levels.state[rows],
                of_state,
                levels.n_levels,
                sums,
            )
            return sums

        return np.ascontiguousarray(self._summed(partial).T)

    def advance(self, levels: LocalLevels, hypothesis: Hypothesis) -> None:
        """Add label times vote to the level of every record."""
        n_codes = int(np.diff(self._offsets)[hypothesis.column])
        check_votes(hypothesis.votes, n_codes)
        if levels.advanced >= levels.max_level:
            raise EngineError(f"levels were opened for {levels.max_level} rounds")
        levels.advanced += 1
        self._over_rows(
            lambda rows: kernels.advance(
                self._codes[hypothesis.column, rows],
                hypothesis.votes,
                levels.state[rows],
                levels.n_levels,
            )
        )

    def _summed(self, partial: Callable[[slice], npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
        return np.asarray(sum(self._over_rows(partial), start=np.int64(0)))

    def _over_rows(self, work: Callable[[slice], T]) -> list[T]:
        if len(self._parts) == 1:
            return [work(self._parts[0])]
        with ThreadPoolExecutor(len(self._parts)) as pool:
            return list(pool.map(work, self._parts))
