"""A source of records with a margin, and random label noise: what Theorem 25 learns from."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discreet import Boolean, Schema, Target


@dataclass(frozen=True)
class MarginSource:
    """The label is the majority of a few yes-or-no columns, never by fewer than ``lead`` votes.

    On every record exactly (relevant + lead)/2 of the relevant columns vote for the label: no record is
    easier than another. The irrelevant columns are fair coins.

    Parameters
    ----------
    relevant, lead : int
        How many columns vote, and by how many votes the label leads; both odd.
    irrelevant : int
        How many do not.
    """

    relevant: int = 9
    lead: int = 3
    irrelevant: int = 11

    @property
    def rule_margin(self) -> float:
        """The margin of the majority as a mean of rules: lead/relevant.

        Under any weighting of the records some rule has at least this correlation with the label.
        """
        return self.lead / self.relevant

    @property
    def halfspace_margin(self) -> float:
        """The margin of the majority as a halfspace, with columns -1 and +1 scaled to the unit ball."""
        return self.lead / math.sqrt(self.relevant * (self.relevant + self.irrelevant))

    @property
    def schema(self) -> Schema:
        """What is public: the columns and the classes."""
        names = [f"x{column}" for column in range(self.relevant + self.irrelevant)]
        return Schema(dict.fromkeys(names, Boolean()), target=Target("y", [False, True]))

    def draw(
        self, n: int, noise_rate: float, random: np.random.Generator
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Return records, labels each flipped with probability ``noise_rate``, and the true labels."""
        truth = random.random(n) < 0.5
        order = random.random((n, self.relevant)).argsort(axis=1)
        agrees = order < (self.relevant + self.lead) // 2
        records = np.hstack([agrees == truth[:, None], random.random((n, self.irrelevant)) < 0.5])
        return records, truth ^ (random.random(n) < noise_rate), truth
