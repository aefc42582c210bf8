"""What an engine does: hold the codes, and answer with exact integers.

An engine sees private records. Whatever it returns is private until a release covered it. It never adds
noise, and every engine returns the same integers for the same table, however the work is divided,
because it only ever adds integers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from discreet.errors import EngineError

Counts: TypeAlias = npt.NDArray[np.int64]
"""[label, level]: how many records. Levels run from -max_level to max_level."""

LevelWeights: TypeAlias = npt.NDArray[np.int64]
"""[label, level]: the integer weight of a record with that label at that level."""

Masses: TypeAlias = npt.NDArray[np.int64]
"""[label, code]: summed weights; the codes of all columns stand one column after the other."""

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


class Hypothesis(Protocol):
    """A function of one record to a small integer vote, which an engine can evaluate."""

    @property
    def column(self) -> int:
        """The column that it looks at."""
        ...

    @property
    def votes(self) -> npt.NDArray[np.int8]:
        """The vote for each code of that column."""
        ...


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

    def advance(self, levels: L, hypothesis: Hypothesis) -> None:
        """Add label times vote to the level of every record, with labels read as -1 and +1."""
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

    def advance(self, hypothesis: Hypothesis) -> None:
        """Move on to the next round; the loop does this, with a released hypothesis."""
        self._engine.advance(self._levels, hypothesis)


def check_votes(votes: npt.NDArray[np.int8], n_codes: int) -> None:
    """Refuse votes that the sensitivity does not cover, or that do not cover the column's codes."""
    if votes.dtype != np.int8 or votes.shape != (n_codes,) or votes.min() < -1 or votes.max() > 1:
        raise EngineError(f"a hypothesis needs a vote of -1, 0 or 1, as int8, for each of {n_codes} codes")
