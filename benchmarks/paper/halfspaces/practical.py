"""How many records are enough in practice: the measured rows that `discreet.halfspaces.plan` shows.

    python -m benchmarks.paper.halfspaces.practical [--fits 100]

For each margin the number of records grows until, on each of the two sources on which every record meets the
margin with equality, all but a share of the fits err on at most alpha. Settings are the defaults; every fit
has records, matrix and noise of its own; errors are computed, not sampled.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.paper.halfspaces.sample_size import ALPHA, COLUMNS, DELTA, SOURCES
from benchmarks.paper.halfspaces.sources import PulledSource, SphereSource
from discreet import ProjectedHalfspaceClassifier
from discreet.testing import seeded_noise

BETA, EPSILON = 0.05, 1.0
MARGINS = (0.3, 0.2, 0.1)
FIRST, GROWTH = 0.5, 1.25
"""Records to begin with, in units of 1/(alpha epsilon margin^2), and what the next try has more."""


def error(name: str, margin: float, n: int, seed: int) -> float:
    """Return the error of one fit by default settings."""
    # Not the stream of the seeded noise, which is that of the seed alone.
    random = np.random.default_rng([seed, n])
    pulled = name == "pulled"
    source = PulledSource(COLUMNS, margin) if pulled else SphereSource.random(COLUMNS, margin, random)
    X, y = source.draw(n, random)
    with seeded_noise(seed):
        model = ProjectedHalfspaceClassifier(EPSILON, DELTA, margin, [0, 1], projection_seed=seed)
        return source.error(model.fit(X, y).coef_[0])


def failures(name: str, margin: float, n: int, fits: int) -> int:
    """Count the fits that err on more than alpha; one too many ends the count."""
    failed = 0
    for seed in range(fits):
        failed += error(name, margin, n, seed) > ALPHA
        if failed > BETA * fits:
            break
    return failed


def main() -> None:
    """Print a row for each margin."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("--fits", type=int, default=100)
    fits = asked.parse_args().fits
    print(f"error at most {ALPHA} in all but {BETA:g} of {fits} fits, epsilon {EPSILON:g}, delta {DELTA:g}")
    for margin in MARGINS:
        n = round(FIRST / (ALPHA * EPSILON * margin**2))
        while max(failed := [failures(name, margin, n, fits) for name in SOURCES]) > BETA * fits:
            n = round(GROWTH * n)
        m = ProjectedHalfspaceClassifier(EPSILON, DELTA, margin).plan(n, COLUMNS).n_components
        print(f"margin {margin:g}: n = {n:,}, m = {m:,}; failed on {SOURCES}: {failed}", flush=True)


if __name__ == "__main__":
    main()
