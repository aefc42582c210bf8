"""What an engine does: hold the codes, and answer with exact integers.

An engine sees private records. Whatever it returns is private until a release covered it. It never adds
noise, and every engine returns the same integers for the same table, however the work is divided,
because it only ever adds integers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt

from discreet.errors import EngineError

Counts: TypeAlias = npt.NDArray[np.int64]
"""[label, level]: how many records. Levels run from -max_level to max_level."""

LevelWeights: TypeAlias = npt.NDArray[np.int64]
"""[label, level]: the integer weight of a record with that label at that level."""

Masses: TypeAlias = npt.NDArray[np.int64]
"""[label, code]: summed weights; the codes of all columns stand one column after the other."""

Draw: TypeAlias = Callable[[npt.NDArray[np.int64]], int]
"""Chooses place i with probability (ends[i] - ends[i - 1]) / ends[-1]."""

LeafMasses: TypeAlias = npt.NDArray[np.int64]
"""[leaf, label, code]: summed weights of the records that a tree sends to each leaf."""

LeafCorrelations: TypeAlias = npt.NDArray[np.int64]
"""[leaf, code]: the same, those of the first label subtracted from those of the last."""

MAX_LEAVES = 128
"""A leaf fits one byte, with room."""

L = TypeVar("L")


@dataclass(frozen=True, eq=False)
class Direction:
    """A hypothesis on records that are vectors: the inner product with a released vector.

    Parameters
    ----------
    values : array of int64
        The vector.
    rate : float
        Levels a unit of inner product; public.
    """

    values: npt.NDArray[np.int64]
    rate: float


class CodeVotes(Protocol):
    """A vote for each code of one column."""

    @property
    def column(self) -> int:
        """The column that it looks at."""
        ...

    @property
    def votes(self) -> npt.NDArray[np.int8]:
        """The vote for each code of that column."""
        ...


class Split(Protocol):
    """Divides a leaf by an interval of codes of one column.

    Records inside the interval stay in ``leaf``; the others move to a new leaf, numbered next.
    """

    @property
    def leaf(self) -> int:
        """The leaf that is divided."""
        ...

    @property
    def column(self) -> int:
        """The column that it looks at."""
        ...

    @property
    def first(self) -> int:
        """The first code of the interval."""
        ...

    @property
    def last(self) -> int:
        """The last code of the interval."""
        ...


@runtime_checkable
class LeafVotes(Protocol):
    """A tree, as it grew: splits in their order, beginning with one leaf, and a vote for each leaf."""

    @property
    def splits(self) -> Sequence[Split]:
        """The splits."""
        ...

    @property
    def leaf_votes(self) -> npt.NDArray[np.int8]:
        """The vote of each leaf."""
        ...


Hypothesis: TypeAlias = CodeVotes | LeafVotes
"""A function of one record to a small integer vote, which an engine can evaluate."""


class Task(Protocol):
    """One task's records as the boosting loop sees them."""

    def level_counts(self) -> Counts:
        """Count the records at each label and level."""
        ...

    def advance(self, hypothesis: Any) -> None:
        """Move every record to its level after a released hypothesis."""
        ...


class Engine(Protocol[L]):
    """Exact aggregates over coded records.

    The type parameter is the engine's own per-record state: the label and the level of every record.
    """

    def open(self, labels: npt.NDArray[np.int8], max_level: int) -> L:
        """Begin a task: every record at level 0. Labels are 0, 1, or 2 for a record of weight 0."""
        ...

    def level_counts(self, levels: L) -> Counts:
        """Count the records at each label and level."""
        ...

    def masses(self, levels: L, weights: LevelWeights) -> Masses:
        """Sum the weights by label and code, for all columns."""
        ...

    def leaf_masses(self, levels: L, weights: LevelWeights, splits: Sequence[Split]) -> LeafMasses:
        """Sum the weights by leaf, label and code, for all columns."""
        ...

    def leaf_correlations(
        self, levels: L, weights: LevelWeights, splits: Sequence[Split]
    ) -> LeafCorrelations:
        """Sum label times weight by leaf and code, with labels read as -1 and +1: half the work."""
        ...

    def advance(self, levels: L, hypothesis: Hypothesis) -> None:
        """Add label times vote to the level of every record, with labels read as -1 and +1."""
        ...

    def sample(self, levels: L, weights: LevelWeights, total: int, size: int, draw: Draw) -> View[L]:
        """Draw records independently, each with probability weight / total, and blanks for the rest.

        Parameters
        ----------
        levels : L
            The state of the task.
        weights : LevelWeights
            The weight for each label and level.
        total : int
            At least the sum of all weights.
        size : int
            How many draws.
        draw : callable
            Where the choice is made; an engine has no randomness of its own.

        Returns
        -------
        View
            Of a table of ``size`` records, all at level 0; a blank has weight 0.
        """
        ...


class View(Generic[L]):
    """One task's records as a weak learner may ask about them: aggregates, never rows.

    Parameters
    ----------
    engine : Engine
        Holds the records.
    levels : L
        The engine's state for this task.
    """

    def __init__(self, engine: Engine[L], levels: L) -> None:
        self._engine = engine
        self._levels = levels

    def level_counts(self) -> Counts:
        """Count the records at each label and level."""
        return self._engine.level_counts(self._levels)

    def masses(self, weights: LevelWeights) -> Masses:
        """Sum the weights by label and code."""
        return self._engine.masses(self._levels, weights)

    def sample(self, weights: LevelWeights, total: int, size: int, draw: Draw) -> View[L]:
        """Draw records with probability weight / total each, and blanks for the rest."""
        return self._engine.sample(self._levels, weights, total, size, draw)

    def leaf_masses(self, weights: LevelWeights, splits: Sequence[Split]) -> LeafMasses:
        """Sum the weights by leaf, label and code."""
        return self._engine.leaf_masses(self._levels, weights, splits)

    def leaf_correlations(self, weights: LevelWeights, splits: Sequence[Split]) -> LeafCorrelations:
        """Sum label times weight by leaf and code."""
        return self._engine.leaf_correlations(self._levels, weights, splits)

    def advance(self, hypothesis: Hypothesis) -> None:
        """Move on to the next round; the loop does this, with a released hypothesis."""
        self._engine.advance(self._levels, hypothesis)


def check_votes(votes: npt.NDArray[np.int8], n_cells: int, cells: str) -> None:
    """Refuse votes that the sensitivity does not cover, or that do not cover all codes or leaves."""
    if votes.dtype != np.int8 or votes.shape != (n_cells,) or votes.min() < -1 or votes.max() > 1:
        raise EngineError(f"a hypothesis needs a vote of -1, 0 or 1, as int8, for each of {n_cells} {cells}")


def check_splits(splits: Sequence[Split], n_codes: Sequence[int]) -> None:
    """Refuse splits of leaves, columns or codes that are not there."""
    if len(splits) >= MAX_LEAVES:
        raise EngineError(f"a tree has at most {MAX_LEAVES} leaves")
    for leaves, split in enumerate(splits, start=1):
        if not (0 <= split.leaf < leaves and 0 <= split.column < len(n_codes)):
            raise EngineError("a split needs a leaf that is there, and a column")
        if not 0 <= split.first <= split.last < n_codes[split.column]:
            raise EngineError("a split needs an interval of its column's codes")
