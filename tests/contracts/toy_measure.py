"""A measure in one file: full weight until a record was right ``patience`` times, then none."""

from dataclasses import dataclass

import numpy as np

from discreet.boosting.sensitivity import MassBounds


@dataclass(frozen=True)
class FlatThenNothing:
    patience: int

    def bounds(self, adjacency, max_records):
        return MassBounds(cap=1, slack=0, adjacency=adjacency)

    def weights(self, done, max_level, counts):
        levels = np.arange(-max_level, max_level + 1)
        return np.tile((levels < self.patience).astype(np.int64), (2, 1))
