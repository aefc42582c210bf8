"""Speed against XGBoost in one run: `python benchmarks/speed.py`.

Needs xgboost, and Adult's files for the second line. One thread each, the same codes, warmed up, medians.
Ratios are ours / theirs, smaller is better. XGBoost grows stumps by histograms with its defaults otherwise,
on a QuantileDMatrix that was built beforehand. The last line is beside numpy's product of the same numbers,
in float64, with a vector.

The floor of a round's pass is to read a byte a cell and two a record, and to add once a pack and record.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import xgboost
from threadpoolctl import threadpool_limits

from discreet import Numeric, Schema, Target
from discreet.accounting import ApproxDP
from discreet.boosting.assembly import assemble
from discreet.boosting.features import NORM
from discreet.boosting.halfspaces import GRIDS
from discreet.boosting.loop import boost
from discreet.boosting.options import BoostingOptions
from discreet.boosting.plan import make_plan
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.weak_learners.base import WeakLearner
from discreet.boosting.weak_learners.levelwise_tree import LevelwiseTree
from discreet.boosting.weak_learners.one_rule import OneRule
from discreet.datasets import load_adult
from discreet.engines.base import Direction, View
from discreet.engines.local import LocalEngine
from discreet.engines.vectors import VectorEngine
from discreet.mechanisms.release import Release
from discreet.mechanisms.selection import OpenDPSampler
from discreet.schema.encode import Codes, encode, encode_labels
from discreet.schema.tables import open_table

ROUNDS = 200
STUMPS = {"max_depth": 1, "tree_method": "hist", "nthread": 1, "objective": "binary:logistic"}


def median_seconds(work: Callable[[], object], times: int = 9) -> float:
    """Run once to warm up, then take the median."""
    work()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def one_round() -> tuple[float, float]:
    """Return seconds a round, ours and XGBoost's: a million records, 13 columns of 20 values."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 20, (13, 1_000_000)).astype(np.uint8)
    labels = rng.integers(0, 2, codes.shape[1]).astype(np.int8)
    engine = LocalEngine(Codes(codes, (21,) * 13))
    weights = rng.integers(0, 2**20, (2, 2 * ROUNDS + 1))

    class Split:
        column = 3
        votes = np.where(np.arange(21) < 9, 1, -1).astype(np.int8)

    def ours() -> None:
        levels = engine.open(labels, ROUNDS)
        for _ in range(10):
            engine.masses(levels, weights)
            engine.advance(levels, Split)

    matrix = xgboost.QuantileDMatrix(codes.T.astype(np.float32), labels, max_bin=32, nthread=1)

    def theirs(rounds: int) -> float:
        return median_seconds(lambda: xgboost.train(STUMPS | {"max_bin": 32}, matrix, rounds), 5)

    # The difference leaves out what XGBoost does once a call.
    return median_seconds(ours) / 10, (theirs(25) - theirs(5)) / 20


def a_tree() -> tuple[float, float]:
    """Return seconds a round of trees of depth 2, and of one-rules, at the same size and with noise."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 20, (13, 1_000_000)).astype(np.uint8)
    labels = rng.integers(0, 2, codes.shape[1]).astype(np.int8)
    engine = LocalEngine(Codes(codes, (21,) * 13))
    schema = Schema(
        {f"c{column}": Numeric(0, 20, bins=20) for column in range(13)}, target=Target("y", [0, 1])
    )

    def rounds(learner: WeakLearner[Any]) -> Callable[[], object]:
        measure = MadaBoost(0.1)
        plan = make_plan(
            measure=measure,
            learner=learner,
            rounds=10,
            target=ApproxDP(1, 1e-6),
            adjacency="replace",
            n_records=len(labels),
        )

        def work() -> None:
            view = View(engine, engine.open(labels, plan.rounds))
            boost(range(10), measure, learner, view, plan.rounds, Release(plan.terms, OpenDPSampler()))

        return work

    trees, rules = rounds(LevelwiseTree(schema, 2, "agreement")), rounds(OneRule(schema))
    # In turn, and the shortest of each: a busy machine then disturbs both alike.
    taken = [(median_seconds(trees, 1), median_seconds(rules, 1)) for _ in range(9)]
    fastest_tree, fastest_rule = (min(times) / 10 for times in zip(*taken, strict=True))
    return fastest_tree, fastest_rule


def whole_fits() -> tuple[float, float]:
    """Return seconds for 200 rounds on Adult's codes, ours with OpenDP's noise and the plan."""
    adult = load_adult()
    codes = encode(open_table(adult.X_train), adult.schema)
    labels = encode_labels(adult.y_train, adult.schema.target, len(adult.y_train))
    options = BoostingOptions(0.1, 1e-5, ROUNDS, "auto", "madaboost", "auto", "replace", 10_000)

    def ours() -> None:
        parts = assemble(options, OneRule(adult.schema), len(labels))
        engine = LocalEngine(codes)
        view = View(engine, engine.open(labels, ROUNDS))
        release = Release(parts.plan.terms, OpenDPSampler())
        boost(range(ROUNDS), parts.measure, parts.learner, view, ROUNDS, release)

    matrix = xgboost.QuantileDMatrix(codes.values.T.astype(np.float32), labels, nthread=1)
    return median_seconds(ours), median_seconds(lambda: xgboost.train(STUMPS, matrix, ROUNDS))


def halfspace_round() -> tuple[float, float]:
    """Return seconds of a round on 100,000 vectors of 200 numbers, and of numpy's product with one."""
    rng, most = np.random.default_rng(0), GRIDS["madaboost"].most
    rows = rng.normal(size=(100_000, 200))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    labels = rng.integers(0, 2, len(rows)).astype(np.int8)
    task = VectorEngine(np.trunc(NORM * rows).astype(np.int16), NORM).open(labels, most)
    weights = rng.integers(0, 2**20, (2, 2 * most + 1))
    direction = Direction(rng.integers(-(2**40), 2**40, rows.shape[1]), 2.0**-60)
    vector = rng.normal(size=rows.shape[1])

    def ours() -> None:
        task.weighted_sum(weights)
        task.advance(direction)

    with threadpool_limits(1):
        return median_seconds(ours), median_seconds(lambda: rows @ vector)


def main() -> None:
    """Print the ratio table."""
    trees, rules = a_tree()
    print(
        f"a round of trees of depth 2 / of one-rules: {trees / rules:.2f}, goal 2.5"
        f"    ({trees * 1e3:.1f} ms, {rules * 1e3:.1f} ms)"
    )
    print(f"xgboost {xgboost.__version__}, one thread, medians")
    print("what                                               ours/theirs   goal")
    for name, measure, goal in (
        ("a round at 1,000,000 records x 13 columns", one_round, "0.333"),
        ("200 rounds on Adult, epsilon 0.1, with noise", whole_fits, "0.8"),
        ("a halfspace round, 100,000 x 200, over a product", halfspace_round, "3"),
    ):
        ours, theirs = measure()
        print(f"{name:50} {ours / theirs:11.3f}   {goal}    ({ours * 1e3:.1f} ms, {theirs * 1e3:.1f} ms)")


if __name__ == "__main__":
    main()
