"""What a weak learner is: claims first, one hypothesis a round afterwards."""

from __future__ import annotations

from typing import Any, Generic, Protocol, TypeVar

from discreet.boosting.sensitivity import MassBounds
from discreet.engines.base import LevelWeights
from discreet.mechanisms.claims import Claim
from discreet.mechanisms.release import Release

H = TypeVar("H", covariant=True)


class WeakLearner(Protocol, Generic[H]):
    """Finds a hypothesis that is right a little more often than wrong, under given weights."""

    @property
    def n_candidates(self) -> int:
        """How many hypotheses compete in one round; public."""
        ...

    def claims(self, bounds: MassBounds) -> tuple[Claim, ...]:
        """Declare what a round releases, before any data is read."""
        ...

    def propose(self, view: Any, weights: LevelWeights, release: Release) -> H:
        """Return the hypothesis of this round; whatever depends on records goes through ``release``.

        ``view`` answers what the learner's engine can: masses over codes, or sums of vectors.
        """
        ...
