"""When to stop: as soon as what is left to learn weighs little (PRIVACY.md 6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from discreet.boosting.sensitivity import MassBounds, mass_sensitivity
from discreet.engines.base import LevelWeights, Task
from discreet.mechanisms.claims import Claim, Route
from discreet.mechanisms.release import ThresholdTest

STOP_SHARE = 0.1
"""The part of the budget that goes to the stop test (docs/decisions/0005)."""


@dataclass(frozen=True)
class MassBelow:
    """Stop before the first round in which the summed weights fall below a threshold.

    The first round is always run: no record has lost weight before it. The tests of the other rounds are one
    run of AboveThreshold, paid once.

    Parameters
    ----------
    threshold : int
        In the units of the weights; public.
    sensitivity : int
        How far one record can move the mass.
    budget_share : float
        The part of the budget that goes to the tests.
    """

    threshold: int
    sensitivity: int
    budget_share: float = STOP_SHARE

    @classmethod
    def share_of(cls, n_records: int, share: float, bounds: MassBounds) -> MassBelow:
        """Stop at a share of the full weight of a public number of records."""
        full = n_records * bounds.cap
        return cls(math.floor(Fraction(share) * full), mass_sensitivity(bounds))

    @property
    def claim(self) -> Claim:
        """One run of tests."""
        return Claim("threshold", "change", self.sensitivity, 1, "docs/proofs/smoothboost.md")

    def reached(self, view: Task, weights: LevelWeights, test: ThresholdTest) -> bool:
        """Ask whether the mass is below the threshold."""
        mass = int(np.sum(view.level_counts() * weights))
        return test.above(self.threshold - mass)

    def noise_factor(self, route: Route, releases: int) -> float:
        """Return the noise of the tests as a multiple of that of a selection, bound for bound.

        A selection of range r and scale m r costs epsilon = 1/m, or rho = 1/(8 m^2). A run of tests of bound
        d and scale f m d costs epsilon = 2/(f m), hence rho = 2/(f m)^2. The factor f makes that
        ``budget_share`` of what both cost together.
        """
        odds = self.budget_share / (1 - self.budget_share) * releases
        return 2 / odds if route == "pure" else 4 / math.sqrt(odds)
