"""Trees grown level by level, a private selection in every leaf of a level (4.2 to 4.4)."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from discreet.boosting.literals import Literal as Question
from discreet.boosting.sensitivity import MassBounds, leafwise_gini_range, leafwise_range
from discreet.boosting.trees import Split, Tree
from discreet.boosting.weak_learners.candidates import Candidates
from discreet.boosting.weak_learners.splitting import agreement_scores, gini_scores, signed_literals
from discreet.engines.base import LevelWeights, View
from discreet.mechanisms.claims import Claim
from discreet.mechanisms.release import Release
from discreet.schema.schema import Schema

Criterion = Literal["gini", "agreement"]

PROOF = "docs/proofs/boosted-trees.md"


class LevelwiseTree:
    """The weak learner of trees of a fixed depth.

    All levels but the last choose a split in each leaf. The last chooses a literal and its sign in each leaf,
    a one-rule over the records there; the constant leaves the leaf whole.

    Parameters
    ----------
    schema : Schema
        The public columns.
    depth : int
        How many levels, at least one.
    criterion : {"gini", "agreement"}
        What makes a good split.
    """

    def __init__(self, schema: Schema, depth: int, criterion: Criterion) -> None:
        self._offered = Candidates.of(schema)
        self._depth = depth
        self._criterion = criterion

    @property
    def n_candidates(self) -> int:
        """Every literal and the constant, with their negations."""
        return 2 * len(self._offered)

    def claims(self, bounds: MassBounds) -> tuple[Claim, ...]:
        """Declare the splits of a level and the signed literals of the last, each level one release."""
        last = leafwise_range(bounds)
        if self._criterion == "agreement" or self._depth == 1:
            return (Claim("selections", "range", last, self._depth, PROOF),)
        split = leafwise_gini_range(bounds, n_leaves=2 ** (self._depth - 2))
        return (
            Claim("selections", "range", split, self._depth - 1, PROOF),
            Claim("selections", "range", last, 1, PROOF),
        )

    def propose(self, view: View[Any], weights: LevelWeights, release: Release) -> Tree:
        """Grow one tree."""
        splits: tuple[Split, ...] = ()
        for _ in range(self._depth - 1):
            splits += self._level(view, weights, release, splits)
        scores = signed_literals(view.leaf_correlations(weights, splits), self._offered)
        log_prior = np.repeat(self._offered.log_prior, 2)
        chosen = release.select_per_leaf(release.claims[-1], scores, log_prior)
        return _finished(
            splits, [(self._offered.literals[at // 2], 1 - 2 * (at % 2)) for at in chosen.tolist()]
        )

    def _level(
        self, view: View[Any], weights: LevelWeights, release: Release, splits: tuple[Split, ...]
    ) -> tuple[Split, ...]:
        """Choose a split in each leaf."""
        if self._criterion == "gini":
            scores = gini_scores(view.leaf_masses(weights, splits), self._offered)
        else:
            scores = agreement_scores(view.leaf_correlations(weights, splits), self._offered)
        chosen = release.select_per_leaf(release.claims[0], scores, self._offered.log_prior[:-1])
        return tuple(Split(leaf, self._offered.literals[at]) for leaf, at in enumerate(chosen.tolist()))


def _finished(splits: tuple[Split, ...], rules: list[tuple[Question, int]]) -> Tree:
    """Put a rule into each leaf of a tree."""
    votes = [sign for _, sign in rules]
    for leaf, (literal, sign) in enumerate(rules):
        if literal.test != "always":
            splits += (Split(leaf, literal),)
            votes.append(-sign)
    return Tree(splits, tuple(votes))
