"""Points are few, tell the class apart, and depend on public data only."""

import time

import numpy as np
import pytest

from discreet import Boolean, Categorical, Numeric, Schema
from discreet.schema.encode import Codes, encode
from discreet.schema.tables import open_table
from discreet.semiprivate.oracles.rules import ExactRules
from discreet.semiprivate.oracles.trees import ExactTree
from discreet.semiprivate.points import (
    MOST_CONJUNCTIONS,
    MOST_RULES,
    MOST_TREES,
    nearest,
    separating,
    witnesses_of,
)

SCHEMA = Schema({"n": Numeric(0, 1, bins=8), "c": Categorical(["u", "v", "w"]), "b": Boolean(missing=True)})


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    rows = [[rng.random(), rng.choice(["u", "v", "w"]), bool(rng.integers(2))] for _ in range(n)]
    return encode(open_table(rows), SCHEMA)


def test_points_tell_all_rules_apart_that_the_public_table_tells_apart():
    public = table(400)
    witnesses = witnesses_of(ExactRules(), SCHEMA, public)
    chosen = separating(witnesses, 100)
    assert len(np.unique(witnesses[:, chosen], axis=0)) == len(np.unique(witnesses, axis=0))
    # Sixteen literals with their negations: four points at least, and every category once.
    assert 5 <= len(chosen) <= 12
    assert len(set(chosen.tolist())) == len(chosen)


def test_the_first_points_are_the_best_of_all():
    """Each is the one that tells most pairs apart, weighted by how far apart they are: by brute force."""
    witnesses = np.random.default_rng(1).random((7, 30)) < 0.4
    chosen = separating(witnesses, 4).tolist()
    distance = (witnesses[:, None, :] != witnesses[None, :, :]).sum(axis=2)
    alike = np.ones((7, 7), dtype=bool)
    for point in chosen:
        told = [(distance * (alike & (witnesses[:, z][:, None] != witnesses[:, z]))).sum() for z in range(30)]
        assert told[point] == max(told)
        alike &= witnesses[:, point][:, None] == witnesses[:, point]


def test_equal_records_are_taken_once_and_one_point_is_always_taken():
    same = Codes(np.repeat(table(1).values, 5, axis=1), table(1).n_codes)
    chosen = separating(witnesses_of(ExactTree(2), SCHEMA, same), 10)
    assert chosen.tolist() == [0]


@pytest.mark.parametrize("oracle", [ExactRules(), ExactTree(2)])
def test_the_choice_repeats_and_its_beginning_does_not_depend_on_its_length(oracle):
    witnesses = witnesses_of(oracle, SCHEMA, table(300))
    long, short = separating(witnesses, 20), separating(witnesses, 5)
    assert short.tolist() == long[:5].tolist() == separating(witnesses, 5).tolist()


def test_every_record_is_like_itself():
    witnesses = witnesses_of(ExactTree(2), SCHEMA, table(50))
    chosen = separating(witnesses, 8)
    alike = nearest(witnesses, chosen)
    assert (witnesses[:, chosen[alike[chosen]]] == witnesses[:, chosen]).all()


def test_there_are_never_many_witnesses():
    wide = Schema({f"x{i}": Numeric(0, 1, bins=30) for i in range(10)})
    rows = np.random.default_rng(0).random((300, 10))
    public = encode(open_table(rows), wide)
    for oracle, most in ((ExactRules(), MOST_RULES), (ExactTree(3), MOST_CONJUNCTIONS + 2 + MOST_TREES)):
        assert 100 < len(witnesses_of(oracle, wide, public)) <= most


@pytest.mark.slow
def test_eight_thousand_rows_and_150_literals_take_seconds():
    wide = Schema({f"x{i}": Numeric(0, 1, bins=16) for i in range(10)})
    public = encode(open_table(np.random.default_rng(0).random((8_000, 10))), wide)
    start = time.perf_counter()
    for oracle in (ExactRules(), ExactTree(2)):
        witnesses = witnesses_of(oracle, wide, public)
        nearest(witnesses, separating(witnesses, 50))
    assert time.perf_counter() - start < 60
