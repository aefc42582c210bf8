"""How components, rounds and step of a projected halfspace decide its error: figures of docs/decisions/0010.

    python benchmarks/projected_settings.py [--seeds 2]

Sources are synthetic and so public, each with a known margin; noise is seeded. One setting is changed at a
time, the others being the automatic ones. A figure is the mean error on fresh rows over all sources, margins,
numbers of records and budgets at which the best setting errs on less than 4 rows of 10.
"""

from __future__ import annotations

import argparse
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import scipy.sparse as sp

from discreet import ProjectedHalfspaceClassifier
from discreet.engines.hinge import HingeEngine
from discreet.engines.projection import NORM
from discreet.halfspaces import defaults
from discreet.halfspaces.descent import descend
from discreet.halfspaces.fit_plan import make_projected_plan
from discreet.halfspaces.options import ProjectedOptions
from discreet.halfspaces.projected import projection_of
from discreet.mechanisms.release import Release
from discreet.schema.points import open_points
from discreet.testing import SeededSampler

D, DELTA, FRESH = 1_500, 1e-6, 2_000
EPSILONS = (0.3, 1.0, 4.0)
Rows = Any
Draw = Callable[[int], tuple[Rows, np.ndarray]]

SETTINGS: dict[str, dict[str, Any]] = {
    "automatic": {},
    **{f"components {m}": {"n_components": m} for m in (64, 128, 256, 1024)},
    "no projection": {"n_components": D},
    **{f"rounds {rounds}": {"rounds": rounds} for rounds in (1, 5, 20, 150)},
    **{f"step x {factor}": {"step": factor} for factor in (0.25, 0.5, 2, 4)},
}


def at_margins(
    rng: np.random.Generator, margin: float, w: np.ndarray, y: np.ndarray, rest: np.ndarray
) -> Rows:
    """Rows of norm 1 at the margin or a little further, in the direction ``rest`` otherwise."""
    rest = rest - np.outer(rest @ w, w)
    rest /= np.linalg.norm(rest, axis=1, keepdims=True)
    far = np.minimum(margin * (1 + np.abs(rng.normal(size=len(y)))), 0.99)
    return (y * far)[:, None] * w + np.sqrt(1 - far**2)[:, None] * rest


def cloud(rng: np.random.Generator, margin: float) -> Draw:
    """Everything but the margin is random: the mean of y x is as good as anything."""
    w = unit(rng.normal(size=D))

    def draw(n: int) -> tuple[Rows, np.ndarray]:
        y = rng.choice([-1, 1], n)
        return at_margins(rng, margin, w, y, rng.normal(size=(n, D))), y

    return draw


def uncentred(rng: np.random.Generator, margin: float) -> Draw:
    """Rows share a mean and few directions, and two thirds are of one class: the mean of y x misleads."""
    w, few = unit(rng.normal(size=D)), rng.normal(size=(20, D)) / np.sqrt(D)
    spread, centre = 1 / np.sqrt(np.arange(1, 21)), np.eye(1, 20)[0]

    def draw(n: int) -> tuple[Rows, np.ndarray]:
        y = np.where(rng.random(n) < 0.35, 1, -1)
        return at_margins(rng, margin, w, y, (rng.normal(size=(n, 20)) * spread + centre) @ few), y

    return draw


def words(rng: np.random.Generator, margin: float) -> Draw:
    """Twelve words a row, by Zipf's law, and of those rows the ones that have the margin."""
    share = 1 / np.arange(10, D + 10)
    share /= share.sum()
    w = unit(rng.normal(size=D) * np.sqrt(share))

    def draw(n: int) -> tuple[Rows, np.ndarray]:
        k = 8 * n
        chosen = rng.choice(D, size=(k, 12), p=share)
        rows = sp.csr_array((np.ones(12 * k), (np.repeat(np.arange(k), 12), chosen.ravel())), shape=(k, D))
        rows.sum_duplicates()
        margins = (rows @ w) / np.sqrt(rows.power(2).sum(axis=1))
        kept = np.flatnonzero(np.abs(margins) >= margin)[:n]
        return rows[kept], np.sign(margins[kept])

    return draw


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def cases(seeds: int) -> Iterator[tuple[tuple[Any, ...], Rows, np.ndarray, Rows, np.ndarray]]:
    sources = [(cloud, 0.05), (cloud, 0.1), (cloud, 0.2), (uncentred, 0.05), (uncentred, 0.1), (words, 0.1)]
    for seed, (source, margin), n in itertools.product(range(seeds), sources, (500, 4_000)):
        draw = source(np.random.default_rng(seed), margin)
        yield (source.__name__, margin, n, seed), *draw(n), *draw(FRESH)


class Projected:
    """A sample and fresh rows, projected once for each number of components."""

    def __init__(self, rows: Rows, labels: np.ndarray, fresh: Rows, truth: np.ndarray) -> None:
        self._rows, self._labels = open_points(rows), (labels > 0).astype(np.int8)
        self._fresh, self._truth = open_points(fresh), truth
        self._vectors: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def error(self, seed: int, epsilon: float, margin: float, step: float = 1.0, **options: Any) -> float:
        """Descend as a fit does, and return the error on fresh rows."""
        asked = ProjectedHalfspaceClassifier(epsilon, DELTA, margin, **options).get_params()
        with patch.object(defaults, "_STEP", step * defaults._STEP):
            plan = make_projected_plan(ProjectedOptions.checked(asked), len(self._labels), D)
        m = plan.n_components
        if m not in self._vectors:
            projection, _ = projection_of(plan.projection, m, D, 0, False)
            self._vectors[m] = projection.vectors(self._rows), projection.vectors(self._fresh)
        sample, fresh = self._vectors[m]
        engine = HingeEngine(sample.copy(), self._labels, NORM)
        weights = descend(range(plan.rounds), plan, engine, Release(plan.terms, SeededSampler(seed)))
        return float(np.mean((fresh.astype(float) @ weights) * self._truth <= 0))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--seeds", type=int, default=2)
    errors: dict[tuple[Any, ...], dict[str, float]] = defaultdict(dict)
    for (source, margin, n, seed), *tables in cases(asked.parse_args().seeds):
        case = Projected(*tables)
        for epsilon, (name, setting) in itertools.product(EPSILONS, SETTINGS.items()):
            found = case.error(seed, epsilon, margin, **setting)
            errors[source, margin, n, seed, epsilon][name] = found
    told = {case: found for case, found in errors.items() if min(found.values()) < 0.4}
    print(f"mean of {len(told)} of {len(errors)} cases")
    names: list[Any] = ["cloud", "uncentred", "words", *EPSILONS]
    print("| setting | all | " + " | ".join(map(str, names)) + " |")
    print("|---" * (len(names) + 2) + "|")
    for setting in SETTINGS:
        means = [np.mean([found[setting] for found in told.values()])]
        means += [
            np.mean([found[setting] for case, found in told.items() if name in (case[0], case[-1])])
            for name in names
        ]
        print(f"| {setting} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |")


if __name__ == "__main__":
    main()
