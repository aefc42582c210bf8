"""A weak learner in one file: which way does one given column point?"""

from dataclasses import dataclass

import numpy as np

from discreet.boosting.sensitivity import correlation_range
from discreet.mechanisms.claims import Claim


@dataclass(frozen=True)
class Direction:
    column: int
    votes: np.ndarray


@dataclass(frozen=True)
class OneColumn:
    column: int
    n_codes: int

    @property
    def n_candidates(self):
        return 2

    def claims(self, bounds):
        return (Claim("selection", "range", correlation_range(bounds), 1, "PRIVACY.md 2.2"),)

    def propose(self, view, weights, release):
        start = self.column * self.n_codes
        positive = view.masses(weights)[:, start : start + self.n_codes]
        score = (positive[1] - positive[0]) @ np.array([-1, 1, 0])
        (claim,) = release.claims
        sign = 1 - 2 * release.select(claim, np.array([score, -score]), np.zeros(2))
        return Direction(self.column, np.array([-sign, sign, 0], dtype=np.int8))
