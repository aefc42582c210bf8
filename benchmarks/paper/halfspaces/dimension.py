"""Test error from 100 columns to 100,000, and to 1,000,000 sparse ones: does the dimension matter?

    python -m benchmarks.paper.halfspaces.dimension [--seeds 10] [--sources exact spread pulled text]

Writes results/dimension.csv, one line a fit; `figures` makes the table and the plot of it. Seeded, so that
the figures repeat.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchmarks.paper.halfspaces.peers import objective_perturbation, unprojected_descent
from benchmarks.paper.halfspaces.sources import PulledSource, Source, SphereSource, TextSource
from discreet import ProjectedHalfspaceClassifier
from discreet.testing import seeded_noise

RESULTS = Path(__file__).parent / "results"

MARGIN, EPSILON, DELTA = 0.2, 1.0, 1e-6
RECORDS = (500, 2000)
REGULARISATIONS = (0.01, 0.1, 1.0)

# Name, numbers of columns, components: the same for all, and fewer than the columns. A text has 100 words.
SETTINGS = {
    "exact": ((100, 1000, 10_000, 100_000), 99),
    "spread": ((100, 1000, 10_000, 100_000), 99),
    "pulled": ((100, 1000, 10_000, 100_000), 99),
    "text": ((1000, 10_000, 100_000, 1_000_000), 256),
}


def source_of(name: str, n_features: int, random: np.random.Generator) -> Source:
    """Make a source of margin 0.2."""
    if name == "text":
        return TextSource(n_features)
    if name == "pulled":
        return PulledSource(n_features, MARGIN)
    return SphereSource.random(n_features, MARGIN, random, spread=name == "spread")


def projected(X: Any, y: npt.NDArray[np.int64], components: int, seed: int) -> npt.NDArray[np.float64]:
    """Fit the library's classifier; a seed gives its noise, and another matrix."""
    with seeded_noise(seed):
        model = ProjectedHalfspaceClassifier(
            EPSILON, DELTA, MARGIN, [0, 1], n_components=components, projection_seed=seed
        )
        return np.asarray(model.fit(X, y).coef_[0])


def errors(name: str, n: int, n_features: int, components: int, seed: int) -> Iterator[tuple[str, float]]:
    """Return the error of each learner on the same records; objective perturbation at each strength."""
    random = np.random.default_rng([seed, n, n_features])
    source = source_of(name, n_features, random)
    X, y = source.draw(n, random)
    learners: dict[str, Callable[[], npt.NDArray[np.floating]]] = {
        "projected": lambda: projected(X, y, components, seed),
        "without projection": lambda: unprojected_descent(X, y, MARGIN, EPSILON, DELTA, random),
    }
    for strength in REGULARISATIONS:
        learners[f"objective perturbation, {strength:g}"] = lambda strength=strength: objective_perturbation(
            X, y, strength, EPSILON, random
        )
    for learner, learn in learners.items():
        yield learner, source.error(learn())


def main() -> None:
    """Print a line for each fit, and write all of them after every number of columns."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sources", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    arguments = parser.parse_args()
    path = RESULTS / "dimension.csv"
    for name in arguments.sources:
        # Other sources' lines stay.
        earlier = pd.read_csv(path).query("source != @name") if path.exists() else None
        columns, components = SETTINGS[name]
        rows = []
        for n_features in columns:
            for n, seed in itertools.product(RECORDS, range(arguments.seeds)):
                for learner, error in errors(name, n, n_features, components, seed):
                    rows.append((name, n, n_features, components, learner, seed, error))
                    print(*rows[-1], flush=True)
            header = ["source", "records", "columns", "components", "learner", "seed", "error"]
            pd.concat([earlier, pd.DataFrame(rows, columns=header)]).to_csv(
                path, index=False, float_format="%.6g"
            )


if __name__ == "__main__":
    main()
