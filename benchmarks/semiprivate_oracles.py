"""How long certified oracles take on Adult: `python benchmarks/semiprivate_oracles.py`.

The records of adult.data are private, the first of adult.test public; a cost is a whole number of the size of
RRSPM's noise at epsilon 1, from a fixed generator. One run each.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from discreet import Schema
from discreet.boosting.literals import literals_of
from discreet.datasets import Dataset, load_adult
from discreet.schema.encode import Codes, encode, encode_labels
from discreet.schema.tables import open_table
from discreet.semiprivate.oracles.base import Oracle
from discreet.semiprivate.oracles.rules import ExactRules
from discreet.semiprivate.oracles.trees import ExactTree

POINTS = 50
FULL = Schema.from_toml(Path(__file__).parent / "adult-full.toml")


def part(codes: Codes, rows: slice) -> Codes:
    """Return some records."""
    return Codes(codes.values[:, rows], codes.n_codes)


def line(name: str, oracle: Oracle, adult: Dataset, schema: Schema, n_points: int) -> None:
    """Time one minimisation, and print it."""
    private = encode(open_table(adult.X_train), schema)
    public = part(encode(open_table(adult.X_test), schema), slice(n_points))
    labels = encode_labels(adult.y_train, schema.target, len(adult.y_train))
    noise = np.random.default_rng(0).laplace(0, 2 * n_points, n_points)
    start = time.perf_counter()
    minimiser = oracle.on(schema, public)
    ready = time.perf_counter()
    found = minimiser.minimise(private, labels, noise.round().astype(np.int64))
    done = time.perf_counter()
    size = f"{len(literals_of(schema)):5d} {n_points:6d}"
    print(f"{name:14} {size}  {ready - start:8.3f} {done - ready:8.3f}  {found.objective:9d}")


def main() -> None:
    """Print the table."""
    adult = load_adult()
    print("oracle         tests points   prepare minimise  objective")
    for schema in (adult.schema, FULL):
        for n_points in (POINTS, 500):
            line("ExactRules()", ExactRules(), adult, schema, n_points)
            for depth in (1, 2):
                line(f"ExactTree({depth})", ExactTree(depth), adult, schema, n_points)
    line("ExactTree(3)", ExactTree(3), adult, adult.schema, POINTS)


if __name__ == "__main__":
    main()
