"""What a fit takes: memory, and threads that share a fitted model."""

import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import cloudpickle
import numpy as np
import pytest

from discreet import BoostedRulesClassifier
from discreet.engines.local import LocalEngine
from discreet.schema.encode import Codes
from tests.tables import SCHEMA, people


class Split:
    column = 0
    votes = np.array([1] * 10 + [-1] * 11, dtype=np.int8)


@pytest.mark.parametrize("threads", [1, 2])
def test_memory_beyond_the_codes_is_a_byte_a_cell_and_twelve_a_row(threads):
    n, columns = 400_000, 13
    rng = np.random.default_rng(0)
    codes = Codes(rng.integers(0, 20, (columns, n)).astype(np.uint8), (21,) * columns)
    labels = rng.integers(0, 3, n).astype(np.int8)
    weights = rng.integers(0, 2**20, (2, 41))

    def work(codes, labels):
        engine = LocalEngine(codes, threads)
        levels = engine.open(labels, 20)
        for _ in range(3):
            engine.level_counts(levels)
            engine.masses(levels, weights)
            engine.advance(levels, Split)

    work(Codes(codes.values[:, :100], codes.n_codes), labels[:100])  # numba loads its kernels
    work(Codes(codes.values[:, :9000], codes.n_codes), labels[:9000])  # those for wide packs, too
    tracemalloc.start()
    try:
        work(codes, labels)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= n * columns + 12 * n + 500_000  # and half a megabyte for tables


def test_a_fitted_model_serves_many_threads():
    df, y = people(2_000)
    model = BoostedRulesClassifier(schema=SCHEMA).fit(df, y)
    expected = model.predict_proba(df)
    model.ensemble_.__dict__.pop("_tables")  # made anew on first use, by whichever thread comes first
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(lambda _: model.predict_proba(df), range(64)))
    assert all(np.array_equal(result, expected) for result in results)


def test_cloudpickle_carries_no_private_state():
    sizes = []
    for n in (500, 50_000):
        df, y = people(n)
        model = BoostedRulesClassifier(schema=SCHEMA, rounds=5).fit(df, y)
        pickled = cloudpickle.dumps(model)
        assert np.array_equal(cloudpickle.loads(pickled).predict_proba(df), model.predict_proba(df))
        sizes.append(len(pickled))
    # A hundred times the records, the same size but for the rules that were chosen: none is inside.
    assert abs(sizes[0] - sizes[1]) < 500
