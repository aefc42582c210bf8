"""DP-TopDown: the best split of all leaves, one at a time (4.1; Algorithm 3 of the thesis)."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.boosting.sensitivity import MassBounds, best_first_range, leafwise_range
from discreet.boosting.trees import Split, Tree
from discreet.boosting.weak_learners.candidates import Candidates
from discreet.boosting.weak_learners.splitting import improvements, label_scores
from discreet.engines.base import LevelWeights, View
from discreet.mechanisms.claims import Claim
from discreet.mechanisms.release import Release
from discreet.schema.schema import Schema

PROOF = "docs/proofs/boosted-trees.md"


class TopDownTree:
    """The weak learner that splits where the Gini index improves most, and labels the leaves at the end.

    Parameters
    ----------
    schema : Schema
        The public columns.
    n_splits : int
        How many splits, each one private selection over all pairs of a leaf and a literal.
    """

    def __init__(self, schema: Schema, n_splits: int) -> None:
        self._offered = Candidates.of(schema)
        self._n_splits = n_splits

    @property
    def n_candidates(self) -> int:
        """Every literal in every leaf, before the last split."""
        return self._n_splits * (len(self._offered) - 1)

    def claims(self, bounds: MassBounds) -> tuple[Claim, ...]:
        """Declare the splits, and all labels as one release."""
        return (
            Claim("selection", "range", best_first_range(bounds), self._n_splits, PROOF),
            Claim("selections", "range", leafwise_range(bounds), 1, PROOF),
        )

    def propose(self, view: View[Any], weights: LevelWeights, release: Release) -> Tree:
        """Grow one tree."""
        split_claim, label_claim = release.claims
        literals, log_prior = self._offered.literals[:-1], self._offered.log_prior[:-1]
        splits: tuple[Split, ...] = ()
        for n_leaves in range(1, self._n_splits + 1):
            scores = improvements(view.leaf_masses(weights, splits), self._offered)
            chosen = release.select(split_claim, scores.ravel(), np.tile(log_prior, n_leaves))
            splits += (Split(chosen // len(literals), literals[chosen % len(literals)]),)
        labels = label_scores(view.leaf_correlations(weights, splits), self._offered)
        chosen_labels = release.select_per_leaf(label_claim, labels, np.zeros(2))
        return Tree(splits, tuple(1 - 2 * int(label) for label in chosen_labels))
