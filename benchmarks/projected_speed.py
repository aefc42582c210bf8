"""A fit of 20,000 sparse rows of a million columns, beside scikit-learn's projection and logistic regression.

    python benchmarks/projected_speed.py [--records 20000] [--columns 1000000] [--components 1000] [--repeats
    3]

The two run in turn, after a warm-up, and the medians are compared: a fit of ours, which projects, adds noise
from OpenDP and spends no thread more, against one transform of SparseRandomProjection to as many components
and one LogisticRegression on what comes out. Memory is the peak of the whole process, both contestants in it.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression
from sklearn.random_projection import SparseRandomProjection

from discreet import ProjectedHalfspaceClassifier
from discreet.engines.hinge import HingeEngine
from discreet.engines.projection import NORM
from discreet.halfspaces.projected import projection_of
from discreet.schema.points import open_points

MARGIN, DELTA, A_ROW = 0.2, 1e-6, 100


def source(n: int, d: int, seed: int = 0) -> tuple[sp.csr_array, np.ndarray]:
    """Rows of 100 numbers, one of them in the first column: the label, at about the margin."""
    rng = np.random.default_rng(seed)
    columns = np.column_stack([np.zeros(n, int), rng.integers(1, d, (n, A_ROW - 1))])
    labels = rng.integers(0, 2, n)
    values = rng.normal(size=(n, A_ROW))
    values[:, 0] = (2 * labels - 1) * 2.0
    rows = sp.csr_array((values.ravel(), columns.ravel(), np.arange(0, n * A_ROW + 1, A_ROW)), shape=(n, d))
    rows.sum_duplicates()
    return rows, labels


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("records", 20_000), ("columns", 1_000_000), ("components", 1_000), ("repeats", 3)):
        asked.add_argument(f"--{name}", type=int, default=default)
    options = asked.parse_args()
    rows, labels = source(options.records, options.columns)
    fresh, truth = source(5_000, options.columns, seed=1)
    m = options.components

    def ours(projection: str = "dense") -> ProjectedHalfspaceClassifier:
        model = ProjectedHalfspaceClassifier(
            1.0, DELTA, MARGIN, classes=[0, 1], n_components=m, projection=projection
        )
        return model.fit(rows, labels)

    theirs = SparseRandomProjection(m, random_state=0, dense_output=True).fit(rows)
    regression = LogisticRegression(max_iter=1000)

    def peer() -> None:
        regression.fit(theirs.transform(rows), labels)

    few = slice(0, 200)
    ProjectedHalfspaceClassifier(classes=[0, 1], n_components=8, rounds=1).fit(rows[few], labels[few])
    ProjectedHalfspaceClassifier(classes=[0, 1], n_components=8, rounds=1, projection="sparse").fit(
        rows[few], labels[few]
    )
    taken: dict[str, list[float]] = {}
    for _ in range(options.repeats):
        for name, work in (("dense", ours), ("sparse", lambda: ours("sparse")), ("peer", peer)):
            taken.setdefault(name, []).append(timed(work))
    medians = {name: statistics.median(times) for name, times in taken.items()}

    model = ours()
    accuracy = model.score(fresh, truth)
    theirs_accuracy = regression.score(theirs.transform(fresh), truth)
    print(f"{options.records:,} rows of {A_ROW} numbers, {options.columns:,} columns, m = {m}")
    print(model.plan_.summary)
    for name in ("dense", "sparse"):
        ratio = medians[name] / medians["peer"]
        print(f"fit, {name} matrix: {medians[name]:.2f} s, {ratio:.2f} of the peer (goal 5)")
    print(f"SparseRandomProjection.transform and LogisticRegression.fit: {medians['peer']:.2f} s")
    print(f"accuracy at epsilon 1: {accuracy:.4f}; the peer's, not private: {theirs_accuracy:.4f}")

    # Where the time goes, and the floor of each part.
    projection, _ = projection_of("dense", m, options.columns, 0, False)
    matrix = timed(lambda: projection_of("dense", m, options.columns, 0, False))
    vectors = projection.vectors(open_points(rows))
    projecting = timed(lambda: projection.vectors(open_points(rows)))
    engine = HingeEngine(vectors, labels.astype(np.int8), NORM)
    direction = np.full(m, int(2**16 / m**0.5), dtype=np.int32)
    engine.sum_below(direction, 2**20)
    a_round = statistics.median(timed(lambda: engine.sum_below(direction, 2**20)) for _ in range(20))
    read = statistics.median(timed(lambda: vectors.view(np.int64).sum()) for _ in range(20))
    speed = rows.nnz * m / projecting / 1e9
    print(f"matrix and checksum {matrix:.2f} s; projecting {projecting:.2f} s, {speed:.1f} additions a ns")
    print(f"a round {1e3 * a_round:.1f} ms; to read the vectors once takes {1e3 * read:.1f} ms")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"peak memory {peak:.2f} GB (goal 4)")


if __name__ == "__main__":
    main()
