"""A vote of trees: the model itself, and how a person reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from discreet.boosting.trees import Tree
from discreet.models.ensemble import probability_of_votes
from discreet.schema.encode import Codes


@dataclass(frozen=True)
class TreeEnsemble:
    """The released trees in the order of their rounds, and what a vote is worth.

    Parameters
    ----------
    trees : tuple of Tree
        One a round.
    learning_rate : float
        Half the log odds of a vote.
    """

    trees: tuple[Tree, ...]
    learning_rate: float

    def votes(self, codes: Codes) -> npt.NDArray[np.int64]:
        """Add up the votes on each record; exact integers."""
        return np.asarray(sum(self.votes_by_round(codes), start=np.zeros(codes.values.shape[1], np.int64)))

    def votes_by_round(self, codes: Codes) -> Iterator[npt.NDArray[np.int64]]:
        """Yield the votes of one tree after the other on each record."""
        for tree in self.trees:
            yield tree.leaf_votes[tree.leaves(codes)].astype(np.int64)

    def positive_probability(self, votes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Turn votes into probabilities of the last class."""
        return probability_of_votes(votes, self.learning_rate)


def leaf_rules(ensemble: TreeEnsemble, names: Sequence[str], classes: Sequence[object]) -> pd.DataFrame:
    """Return the rule of every leaf with its vote, tree by tree; ``tree`` counts from 1."""
    against, towards = classes
    rows = [
        (number, rule, vote, towards if vote > 0 else against)
        for number, tree in enumerate(ensemble.trees, start=1)
        for rule, vote in tree.rules(names)
    ]
    return pd.DataFrame(rows, columns=["tree", "rule", "votes", "favours"])


def drawn(ensemble: TreeEnsemble, names: Sequence[str]) -> str:
    """Return every tree as nested lines of text."""
    return "\n\n".join(
        f"tree {number}\n{tree.drawn(names)}" for number, tree in enumerate(ensemble.trees, start=1)
    )
