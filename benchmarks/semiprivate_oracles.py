"""How long certified oracles take on Adult: `python benchmarks/semiprivate_oracles.py`.

The first records of adult.data are private, the first of adult.test public; a cost is a whole number of the
size of RRSPM's noise at epsilon 1, from a fixed generator. One run each. The last lines show up to which size
integer halfspaces are proven optimal: Adult's first columns only, then all of them.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from discreet import Schema
from discreet.boosting.literals import literals_of
from discreet.datasets import Dataset, load_adult
from discreet.errors import NotCertified
from discreet.schema.encode import encode, encode_labels
from discreet.schema.tables import open_table
from discreet.semiprivate.oracles.base import Oracle
from discreet.semiprivate.oracles.halfspaces import IntegerHalfspace
from discreet.semiprivate.oracles.rules import ExactRules
from discreet.semiprivate.oracles.trees import ExactTree

FULL = Schema.from_toml(Path(__file__).parent / "adult-full.toml")


def line(name: str, oracle: Oracle, adult: Dataset, schema: Schema, n_records: int, n_points: int) -> None:
    """Time one minimisation, and print it."""
    table, y = adult.X_train.iloc[:n_records], adult.y_train.iloc[:n_records]
    private = encode(open_table(table), schema)
    public = encode(open_table(adult.X_test.iloc[:n_points]), schema)
    labels = encode_labels(y, adult.schema.target, len(y))
    costs = np.random.default_rng(0).laplace(0, 2 * n_points, n_points).round().astype(np.int64)
    start = time.perf_counter()
    minimiser = oracle.on(schema, public)
    ready = time.perf_counter()
    try:
        found = str(minimiser.minimise(private, labels, costs).objective)
    except NotCertified:
        found = "refused"
    done = time.perf_counter()
    sizes = f"{len(literals_of(schema)):5d} {len(y):7d} {n_points:6d}"
    print(f"{name:18} {sizes}  {ready - start:8.3f} {done - ready:8.3f}  {found:>9}", flush=True)


def main() -> None:
    """Print the table."""
    adult = load_adult()
    everyone = len(adult.X_train)
    print("oracle             tests records points   prepare minimise  objective")
    for schema in (adult.schema, FULL):
        for n_points in (50, 500):
            line("ExactRules()", ExactRules(), adult, schema, everyone, n_points)
            for depth in (1, 2):
                line(f"ExactTree({depth})", ExactTree(depth), adult, schema, everyone, n_points)
    line("ExactTree(3)", ExactTree(3), adult, adult.schema, everyone, 50)
    line("ExactTree(3)", ExactTree(3), adult, FULL, everyone, 50)
    columns = list(adult.schema.columns.items())
    for n_columns, n_records in (
        (2, everyone),
        (3, everyone),
        (4, 1_000),
        (4, everyone),
        (5, 100),
        (5, 1_000),
        (10, 100),
        (10, 300),
    ):
        schema = Schema(dict(columns[:n_columns]))
        line("IntegerHalfspace()", IntegerHalfspace(), adult, schema, n_records, 50)


if __name__ == "__main__":
    main()
