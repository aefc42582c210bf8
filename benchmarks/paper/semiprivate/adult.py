"""Adult with public data: half of its official test rows without their labels, the other half as test.

`python -m benchmarks.paper.semiprivate.adult [--seeds 10]`

The private table is the official training rows. Every figure is the mean of seeded fits and their standard
deviation (the guarantee of such fits is void, their distribution is the real one). How many points "auto"
takes was settled by fits inside the training rows.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from discreet import BoostedRulesClassifier, PublicLabelClassifier, RegularizedLeaderClassifier
from discreet.datasets import load_adult
from discreet.schema.encode import encode, encode_labels
from discreet.schema.schema import Schema
from discreet.schema.tables import open_table
from discreet.semiprivate.labelling import PublicPoints
from discreet.semiprivate.oracles.base import Oracle
from discreet.semiprivate.oracles.rules import ExactRules
from discreet.semiprivate.oracles.trees import ExactTree
from discreet.semiprivate.points import nearest, separating, witnesses_of
from discreet.testing import SeededSampler, seeded_noise

EPSILONS = (0.1, 0.3, 1.0, 3.0)
DELTA = 1e-5
POINTS = (6, 10, 17, 25, 40, 60)
SMALL = (300, 1_000, 3_000)


@dataclass(frozen=True)
class Split:
    """A private table with labels, a public one without, and a test table."""

    schema: Schema
    X: pd.DataFrame
    y: pd.Series
    public: pd.DataFrame
    test: pd.DataFrame
    truth: pd.Series
    public_truth: pd.Series


def adult() -> Split:
    """Divide the official test rows by one fixed permutation."""
    data = load_adult()
    order = np.random.default_rng(0).permutation(len(data.y_test))
    public, test = np.array_split(order, 2)
    return Split(
        data.schema,
        data.X_train,
        data.y_train,
        data.X_test.iloc[public],
        data.X_test.iloc[test],
        data.y_test.iloc[test],
        data.y_test.iloc[public],
    )


def labels(oracle: Oracle) -> Callable[[Split, float], Any]:
    """RRSPM with an oracle, and a student on the public rows."""
    return lambda data, epsilon: PublicLabelClassifier(epsilon, data.schema, oracle=oracle).fit(
        data.X, data.y, public=data.public
    )


def rules(delta: float, **options: Any) -> Callable[[Split, float], Any]:
    """Boosted rules, which look at no public row."""
    return lambda data, epsilon: BoostedRulesClassifier(epsilon, delta, data.schema, **options).fit(
        data.X, data.y
    )


def leader(delta: float) -> Callable[[Split, float], Any]:
    """The regularised leader, whose geometry is that of the public rows."""
    return lambda data, epsilon: RegularizedLeaderClassifier(epsilon, delta, data.schema).fit(
        data.X, data.y, public=data.public
    )


METHODS: dict[str, Callable[[Split, float], Any]] = {
    "RRSPM, rules": labels(ExactRules()),
    "RRSPM, trees of depth 2": labels(ExactTree(2)),
    "regularised leader, pure": leader(0.0),
    f"regularised leader, delta {DELTA:g}": leader(DELTA),
    "one rule, no public data, pure": rules(0.0, rounds=1),
    "boosted rules, no public data, pure": rules(0.0),
    f"boosted rules, no public data, delta {DELTA:g}": rules(DELTA),
}
"""What is compared; another learner with public data is one more line."""


def accuracy(fit: Callable[[Split, float], Any], data: Split, epsilon: float, seed: int) -> float:
    """Return the accuracy of one fit on the test half."""
    with seeded_noise(seed):
        model = fit(data, epsilon)
    return float((model.predict(data.test) == data.truth).mean())


def compare(data: Split, seeds: int) -> None:
    """Print a line for each method."""
    print("| accuracy, mean (standard deviation) | " + " | ".join(f"{e:g}" for e in EPSILONS) + " |")
    print("|---" * (len(EPSILONS) + 1) + "|")
    for name, fit in METHODS.items():
        cells = []
        for epsilon in EPSILONS:
            found = [accuracy(fit, data, epsilon, seed) for seed in range(seeds)]
            cells.append(f"{np.mean(found):.4f} ({np.std(found, ddof=1):.4f})")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def compare_small(data: Split, seeds: int) -> None:
    """Print a line for each method and number of private rows, drawn anew for each seed."""
    budgets = " | ".join(f"{epsilon:g}" for epsilon in EPSILONS)
    print(f"\n| private rows | accuracy, mean (standard deviation) | {budgets} |")
    print("|---" * (len(EPSILONS) + 2) + "|")
    for n in SMALL:
        for name, fit in METHODS.items():
            cells = []
            for epsilon in EPSILONS:
                found = []
                for seed in range(seeds):
                    rows = np.random.default_rng(seed).permutation(len(data.y))[:n]
                    sample = replace(data, X=data.X.iloc[rows], y=data.y.iloc[rows])
                    found.append(accuracy(fit, sample, epsilon, seed))
                cells.append(f"{np.mean(found):.4f} ({np.std(found, ddof=1):.4f})")
            print(f"| {n:,} | {name} | " + " | ".join(cells) + " |", flush=True)


def compare_points(data: Split, seeds: int) -> None:
    """Print what the choice of points, and their number, does to the labels that public rows get.

    They are compared with the rows' own labels, which no method sees.
    """
    public, private = (encode(open_table(table), data.schema) for table in (data.public, data.X))
    target = data.schema.target
    assert target is not None
    y = encode_labels(data.y, target, len(data.y))
    truth = encode_labels(data.public_truth, target, len(data.public))
    print("\n| public labels at epsilon 1 | points | chosen | random |")
    print("|---|---|---|---|")
    for name, oracle in (("rules", ExactRules()), ("trees of depth 2", ExactTree(2))):
        witnesses = witnesses_of(oracle, data.schema, public)
        greedy = separating(witnesses, max(POINTS))
        for m in (m for m in POINTS if m <= len(greedy)):
            shuffled = [np.random.default_rng(seed).permutation(len(truth))[:m] for seed in range(seeds)]
            cells = []
            for choices in ([greedy[:m]] * seeds, shuffled):
                found = []
                for seed, chosen in enumerate(choices):
                    points = PublicPoints(oracle, data.schema, public, chosen, nearest(witnesses, chosen))
                    minimise = partial(oracle.on(data.schema, points.points).minimise, private, y)
                    released = SeededSampler(seed).labels(minimise, m, 2 * m)
                    found.append((points.label_all(released) == truth).mean())
                cells.append(f"{np.mean(found):.4f} ({np.std(found, ddof=1):.4f})")
            print(f"| {name} | {m} | {cells[0]} | {cells[1]} |", flush=True)


def main() -> None:
    """Print three tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    seeds = parser.parse_args().seeds
    start, data = time.perf_counter(), adult()
    print(f"{len(data.y):,} private rows, {len(data.public):,} public ones, {len(data.truth):,} for test\n")
    compare(data, seeds)
    compare_small(data, seeds)
    compare_points(data, seeds)
    print(f"\n{seeds} seeds, {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
