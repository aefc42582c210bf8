"""The boosting loop of the papers: weights, a private hypothesis, levels; again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from discreet.boosting.reweighting.base import Measure
from discreet.boosting.stopping import MassBelow
from discreet.boosting.weak_learners.base import WeakLearner
from discreet.engines.base import Task
from discreet.mechanisms.release import Release

H = TypeVar("H")


def boost(
    rounds: Iterable[int],
    measure: Measure,
    learner: WeakLearner[H],
    view: Task,
    max_level: int,
    release: Release,
    stop: MassBelow | None = None,
) -> list[H]:
    """Run the weak learner once for each of ``rounds``, re-weighting in between; ``stop`` may end it early.

    A record's weight depends on its level only, and its level on the released hypotheses only: what one
    round releases is therefore private given the earlier releases, and composition does the rest.
    """
    ensemble: list[H] = []
    test = None if stop is None else release.threshold_test(stop.claim)
    for _ in rounds:
        weights = measure.weights(len(ensemble), max_level, view.level_counts)
        if ensemble and stop is not None and test is not None and stop.reached(view, weights, test):
            break
        hypothesis = learner.propose(view, weights, release)
        view.advance(hypothesis)
        ensemble.append(hypothesis)
    return ensemble
