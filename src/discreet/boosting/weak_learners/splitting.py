"""Scores of splits, leaf by leaf: pure functions of exact aggregates."""

from __future__ import annotations

import numpy as np

from discreet.boosting.weak_learners.candidates import Candidates
from discreet.boosting.weak_learners.correlation import Sums, sides
from discreet.boosting.weak_learners.impurity import impurity
from discreet.engines.base import LeafCorrelations, LeafMasses


def gini_scores(masses: LeafMasses, candidates: Candidates) -> Sums:
    """Return -(phi(side 0) + phi(side 1)) for each leaf and each literal but the constant (4.2)."""
    inside, outside = _literal_sides(masses, candidates)
    return -(impurity(inside[:, 1], inside[:, 0]) + impurity(outside[:, 1], outside[:, 0]))


def improvements(masses: LeafMasses, candidates: Candidates) -> Sums:
    """Return phi(leaf) - phi(side 0) - phi(side 1) for each leaf and each literal but the constant (4.1)."""
    negative, positive = (_totals(masses[:, label], candidates) for label in (0, 1))
    return impurity(positive, negative)[:, None] + gini_scores(masses, candidates)


def agreement_scores(signed: LeafCorrelations, candidates: Candidates) -> Sums:
    """Return |a0 - b0| + |a1 - b1| for each leaf and each literal but the constant (4.3)."""
    inside, outside = _literal_sides(signed, candidates)
    return np.abs(inside) + np.abs(outside)


def signed_literals(signed: LeafCorrelations, candidates: Candidates) -> Sums:
    """Return the correlation of each literal, then of its negation, and so on, in each leaf (4.4)."""
    inside, outside = sides(signed, candidates.first, candidates.last, int(candidates.n_codes[0]))
    score = inside - outside
    return np.stack([score, -score], axis=-1).reshape(len(score), -1)


def label_scores(signed: LeafCorrelations, candidates: Candidates) -> Sums:
    """Return the correlation of the votes +1 and -1 in each leaf (4.4)."""
    total = _totals(signed, candidates)
    return np.stack([total, -total], axis=-1)


def _literal_sides(sums: Sums, candidates: Candidates) -> tuple[Sums, Sums]:
    """Divide sums by every literal but the constant, which divides nothing."""
    return sides(sums, candidates.first[:-1], candidates.last[:-1], int(candidates.n_codes[0]))


def _totals(sums: Sums, candidates: Candidates) -> Sums:
    """Add up the codes of the first column, which hold every record once."""
    return np.asarray(sums[..., : int(candidates.n_codes[0])].sum(axis=-1))
