"""How many records a projected halfspace takes: the measured rows that `discreet.halfspaces.plan` shows.

    python benchmarks/projected_records.py [--fits 100]

For each margin the number of records grows until all but a share ``beta`` of the fits, with the automatic
settings, err on at most ``alpha`` of fresh rows, on each of two synthetic sources (`projected_settings`). A
fit has a sample of its own from 12,000 rows of the source, and seeded noise; the fresh rows are 3,000 others.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np
from projected_settings import DELTA, D, cloud, uncentred

from discreet import ProjectedHalfspaceClassifier
from discreet.engines.hinge import HingeEngine
from discreet.engines.projection import NORM
from discreet.halfspaces.descent import descend
from discreet.halfspaces.projected import projection_of
from discreet.mechanisms.release import Release
from discreet.schema.points import open_points
from discreet.testing import SeededSampler

ALPHA, BETA, EPSILON = 0.1, 0.05, 1.0
MARGINS = (0.3, 0.2, 0.1, 0.05)
SIZES = (200, 300, 400, 600, 800, 1_200, 1_600, 2_400, 3_200, 4_800, 6_400)
KEPT, FRESH = 12_000, 3_000


class Source:
    """Rows of a source, projected once."""

    def __init__(self, draw: object, margin: float) -> None:
        rows, self.labels = draw(np.random.default_rng(7), margin)(KEPT + FRESH)  # type: ignore[operator]
        self.model = ProjectedHalfspaceClassifier(EPSILON, DELTA, margin)
        self.components = self.model.plan(KEPT, D).n_components
        projection, _ = projection_of("dense", self.components, D, 0, False)
        self.vectors = projection.vectors(open_points(rows))

    def error(self, n: int, seed: int) -> float:
        """Descend on a sample as a fit does; return the error on fresh rows."""
        plan = self.model.plan(n, D)
        sample = np.random.default_rng(seed).choice(KEPT, n, replace=False)
        engine = HingeEngine(self.vectors[sample], (self.labels[sample] > 0).astype(np.int8), NORM)
        weights = descend(range(plan.rounds), plan, engine, Release(plan.terms, SeededSampler(seed)))
        return float(np.mean((self.vectors[KEPT:].astype(float) @ weights) * self.labels[KEPT:] <= 0))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--fits", type=int, default=100)
    fits = asked.parse_args().fits
    print(f"error at most {ALPHA} in all but {BETA:g} of {fits} fits, epsilon {EPSILON:g}, delta {DELTA:g}")
    for margin in MARGINS:
        sources = [Source(draw, margin) for draw in (cloud, uncentred)]
        for n in SIZES:
            failed = [0, 0]
            for seed, (place, source) in itertools.product(range(fits), enumerate(sources)):
                failed[place] += source.error(n, seed) > ALPHA
            print(f"margin {margin}: n = {n:,}, m = {sources[0].components} fails in {failed}", flush=True)
            if max(failed) <= BETA * fits:
                break


if __name__ == "__main__":
    main()
