"""What a measure is: a stateless rule from a record's level to its weight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from discreet.accounting.adjacency import Adjacency
from discreet.boosting.sensitivity import MassBounds
from discreet.engines.base import Counts, LevelWeights


class Measure(Protocol):
    """Gives every record an integer weight that depends on its level only (DESIGN, decision 3).

    ``weights`` may call ``counts``, whose answer is private; then its own answer is private too, and its
    effect on others' weights must be covered by the slack that ``bounds`` declares.
    """

    def bounds(self, adjacency: Adjacency, max_records: int) -> MassBounds:
        """Declare the cap and the slack, or refuse the adjacency with a PlanError."""
        ...

    def weights(self, done: int, max_level: int, counts: Callable[[], Counts]) -> LevelWeights:
        """Return the weight for each label and each level from -max_level to max_level.

        Parameters
        ----------
        done : int
            How many hypotheses were released so far.
        max_level : int
            No record's level is further from 0.
        counts : callable
            Returns the private counts of records by label and level.
        """
        ...
