"""How many records are enough, as the margin and epsilon shrink? Theorem 2 says 1/(alpha epsilon gamma^2).

    python -m benchmarks.paper.halfspaces.sample_size [--groups 3] [--seeds 6]

The least n whose mean error over a group's seeds is at most alpha, by bisection; for each setting once a
group, with seeds of its own. In 1,000 columns, on the two sources on which every record meets the margin with
equality. As many components as the theorem asks for, up to a constant: 6/gamma^2. Writes
results/sample_size.csv.
"""

from __future__ import annotations

import argparse
import itertools
import math
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.paper.halfspaces.sources import PulledSource, SphereSource
from discreet import ProjectedHalfspaceClassifier
from discreet.testing import seeded_noise

RESULTS = Path(__file__).parent / "results"

ALPHA, DELTA, COLUMNS = 0.1, 1e-6, 1000
SOURCES = ("exact", "pulled")
MARGINS = (0.1, 0.14, 0.2, 0.28, 0.4)
EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0)
HARDLY_PRIVATE = 1000.0
SETTINGS = [
    *((margin, 1.0) for margin in MARGINS),
    *((0.2, epsilon) for epsilon in EPSILONS if epsilon != 1),
    *((margin, HARDLY_PRIVATE) for margin in (0.1, 0.2)),
]

_PRECISION = 1.05


def components(margin: float) -> int:
    """Return m, so that the projection itself misplaces at most one record in a hundred."""
    return min(COLUMNS, math.ceil(6 / margin**2))


def error(name: str, margin: float, epsilon: float, n: int, seed: int) -> float:
    """Return the error of one fit: records, matrix and noise from the seed."""
    # Not the stream of the seeded noise, which is that of the seed alone.
    random = np.random.default_rng([seed, n])
    pulled = name == "pulled"
    source = PulledSource(COLUMNS, margin) if pulled else SphereSource.random(COLUMNS, margin, random)
    X, y = source.draw(n, random)
    with seeded_noise(seed):
        model = ProjectedHalfspaceClassifier(
            epsilon, DELTA, margin, [0, 1], n_components=components(margin), projection_seed=seed
        )
        return source.error(model.fit(X, y).coef_[0])


def least_n(name: str, margin: float, epsilon: float, seeds: range) -> int:
    """Return the least n with mean error at most alpha, but for the precision of the bisection."""

    def enough(n: int) -> bool:
        return bool(np.mean([error(name, margin, epsilon, n, seed) for seed in seeds]) <= ALPHA)

    high = max(8, round(4 / (epsilon * margin**2)))
    while not enough(high):
        high *= 2
    low = high // 2
    while low and enough(low):
        low, high = low // 2, low
    while high > _PRECISION * low and high - low > 1:
        middle = round(math.sqrt(low * high))
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def exponent(part: pd.DataFrame, variable: str) -> tuple[float, float]:
    """Return the exponent of 1/variable in n: mean over the groups' fits, and their standard deviation."""
    slopes = [
        -np.polyfit(np.log(group[variable]), np.log(group.records), 1)[0]
        for _, group in part.groupby("group")
    ]
    return float(np.mean(slopes)), float(np.std(slopes, ddof=1))


def main() -> None:
    """Print and write the least n of every setting and group."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--groups", type=int, default=3)
    parser.add_argument("--seeds", type=int, default=6)
    arguments = parser.parse_args()
    rows = []
    for name, group in itertools.product(SOURCES, range(arguments.groups)):
        seeds = range(group * arguments.seeds, (group + 1) * arguments.seeds)
        for margin, epsilon in SETTINGS:
            n = least_n(name, margin, epsilon, seeds)
            rows.append((name, margin, epsilon, components(margin), group, n))
            print(*rows[-1], flush=True)
        header = ["source", "margin", "epsilon", "components", "group", "records"]
        pd.DataFrame(rows, columns=header).to_csv(RESULTS / "sample_size.csv", index=False)


if __name__ == "__main__":
    main()
