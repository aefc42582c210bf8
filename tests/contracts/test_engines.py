"""Every engine returns the integers of a ten-line reference."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.engines.local import MAX_LEVEL, LocalEngine
from discreet.errors import EngineError
from discreet.schema.encode import Codes

ENGINES = {
    "local, 1 thread": lambda codes: LocalEngine(codes, threads=1),
    "local, 2 threads": lambda codes: LocalEngine(codes, threads=2),
    "local, 7 threads": lambda codes: LocalEngine(codes, threads=7),
}


class Reference:
    """The definition, one record at a time in spirit."""

    def __init__(self, codes):
        self.codes, self.n_codes = codes.values, codes.n_codes

    def open(self, labels, max_level):
        self.labels, self.level, self.max_level = labels, np.zeros(len(labels), int), max_level

    def level_counts(self):
        grid = np.zeros((2, 2 * self.max_level + 1), np.int64)
        for label, level in zip(self.labels, self.level, strict=True):
            if label < 2:
                grid[label, level + self.max_level] += 1
        return grid

    def masses(self, weights):
        sums = [np.zeros((2, n), np.int64) for n in self.n_codes]
        for j, label in enumerate(self.labels):
            if label < 2:
                for column, total in enumerate(sums):
                    total[label, self.codes[column, j]] += weights[label, self.level[j] + self.max_level]
        return np.concatenate(sums, axis=1)

    def leaf_masses(self, weights, splits):
        leaves, labels, found = self.leaves(splits), self.labels, []
        for leaf in range(len(splits) + 1):
            self.labels = np.where(leaves == leaf, labels, 2)
            found.append(self.masses(weights))
        self.labels = labels
        return np.stack(found)

    def leaves(self, splits):
        leaves = np.zeros(len(self.labels), int)
        for new, split in enumerate(splits, start=1):
            for j, code in enumerate(self.codes[split.column]):
                if leaves[j] == split.leaf and not split.first <= code <= split.last:
                    leaves[j] = new
        return leaves

    def advance(self, hypothesis):
        sign = np.array([-1, 1, 0])[self.labels]
        if isinstance(hypothesis, Tree):
            self.level += sign * hypothesis.leaf_votes[self.leaves(hypothesis.splits)]
        else:
            self.level += sign * hypothesis.votes[self.codes[hypothesis.column]]


class Vote:
    def __init__(self, column, votes):
        self.column, self.votes = column, np.array(votes, dtype=np.int8)


class Split(NamedTuple):
    leaf: int
    column: int
    first: int
    last: int


class Tree(NamedTuple):
    splits: tuple[Split, ...]
    leaf_votes: np.ndarray


def random_tree(rng, n_codes, n_splits):
    splits = []
    for leaves in range(1, n_splits + 1):
        column = int(rng.integers(len(n_codes)))
        first, last = sorted(rng.integers(n_codes[column], size=2).tolist())
        splits.append(Split(int(rng.integers(leaves)), column, first, last))
    return Tree(tuple(splits), rng.integers(-1, 2, n_splits + 1).astype(np.int8))


@st.composite
def runs(draw):
    n = draw(st.sampled_from([0, 1, 2, 5, 40, 2048, 2049, 5000]))
    n_codes = tuple(draw(st.lists(st.sampled_from([2, 3, 256, 300]), min_size=1, max_size=4)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = np.uint16 if max(n_codes) > 256 else np.uint8
    codes = Codes(np.stack([rng.integers(0, k, n) for k in n_codes]).astype(kind), n_codes)
    rounds = draw(st.integers(1, 4))
    votes = [
        random_tree(rng, n_codes, draw(st.sampled_from([0, 1, 2, 3, 7])))
        if draw(st.booleans())
        else Vote(column := int(rng.integers(len(n_codes))), rng.integers(-1, 2, n_codes[column]))
        for _ in range(rounds)
    ]
    weights = rng.integers(0, 2**30, (rounds + 1, 2, 2 * rounds + 1))
    return codes, rng.integers(0, 3, n).astype(np.int8), votes, weights


@pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES.keys())
@settings(max_examples=25, deadline=None)
@given(run=runs())
def test_equal_to_the_reference(make, run):
    codes, labels, votes, weights = run
    engine, reference = make(codes), Reference(codes)
    levels = engine.open(labels, len(votes))
    reference.open(labels, len(votes))
    for step, vote in enumerate([*votes, None]):
        assert np.array_equal(engine.level_counts(levels), reference.level_counts())
        masses = engine.masses(levels, weights[step])
        assert masses.dtype == np.int64
        assert np.array_equal(masses, reference.masses(weights[step]))
        if isinstance(vote, Tree):
            for grown in {0, len(vote.splits) // 2, len(vote.splits)}:
                in_leaves = reference.leaf_masses(weights[step], vote.splits[:grown])
                found = engine.leaf_masses(levels, weights[step], vote.splits[:grown])
                assert found.dtype == np.int64
                assert np.array_equal(found, in_leaves)
                signed = engine.leaf_correlations(levels, weights[step], vote.splits[:grown])
                assert np.array_equal(signed, in_leaves[:, 1] - in_leaves[:, 0])
        if vote is not None:
            engine.advance(levels, vote)
            reference.advance(vote)


@pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES.keys())
def test_levels_never_leave_their_range(make):
    engine = make(Codes(np.zeros((1, 3), np.uint8), (2,)))
    levels = engine.open(np.array([0, 1, 2], np.int8), 2)
    engine.advance(levels, Vote(0, [1, -1]))
    engine.advance(levels, Vote(0, [1, -1]))
    with pytest.raises(EngineError, match="2 rounds"):
        engine.advance(levels, Vote(0, [1, -1]))
    assert engine.level_counts(levels).tolist() == [[1, 0, 0, 0, 0], [0, 0, 0, 0, 1]]


def test_tasks_share_codes_and_not_levels():
    engine = LocalEngine(Codes(np.array([[0, 1, 1]], np.uint8), (2,)))
    one = engine.open(np.array([1, 1, 0], np.int8), 1)
    two = engine.open(np.array([0, 0, 0], np.int8), 1)
    engine.advance(one, Vote(0, [1, -1]))
    assert engine.level_counts(two).tolist() == [[0, 3, 0], [0, 0, 0]]


@pytest.mark.parametrize("max_level", [-1, MAX_LEVEL])
def test_more_levels_than_the_state_holds_are_refused(max_level):
    engine = LocalEngine(Codes(np.zeros((1, 1), np.uint8), (2,)))
    with pytest.raises(EngineError, match="rounds"):
        engine.open(np.zeros(1, np.int8), max_level)


@pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES.keys())
@pytest.mark.parametrize(
    "votes",
    [[3, 3], [1, -2], [1], [1, -1, 1], np.array([1.0, -1.0])],
    ids=["3", "-2", "short", "long", "float"],
)
def test_votes_beyond_what_the_proof_covers_are_refused(make, votes):
    engine = make(Codes(np.zeros((1, 3), np.uint8), (2,)))
    levels = engine.open(np.array([0, 1, 2], np.int8), 5)
    vote = Vote(0, votes)
    vote.votes = votes if isinstance(votes, np.ndarray) else vote.votes
    with pytest.raises(EngineError, match="vote of -1, 0 or 1"):
        engine.advance(levels, vote)
    assert engine.level_counts(levels).sum() == 2


SPLIT = Split(0, 0, 0, 0)


@pytest.mark.parametrize("make", ENGINES.values(), ids=ENGINES.keys())
@pytest.mark.parametrize(
    "splits",
    [
        [SPLIT._replace(leaf=1)],
        [SPLIT, SPLIT._replace(leaf=-1)],
        [SPLIT._replace(column=1)],
        [SPLIT._replace(last=2)],
        [SPLIT._replace(first=-1)],
        [SPLIT._replace(first=1)],
        [SPLIT] * 128,
    ],
    ids=["leaf", "negative leaf", "column", "last", "first", "empty interval", "too many"],
)
def test_splits_that_are_not_there_are_refused(make, splits):
    engine = make(Codes(np.zeros((1, 3), np.uint8), (2,)))
    levels = engine.open(np.array([0, 1, 2], np.int8), 5)
    with pytest.raises(EngineError, match=r"a (split|tree)"):
        engine.leaf_masses(levels, np.ones((2, 11), np.int64), splits)


def test_a_tree_that_grew_is_entered_where_it_was_left():
    """And one that is not its continuation is entered at its root."""
    codes = Codes(np.array([[0, 1, 0, 1], [0, 0, 1, 1]], np.uint8), (2, 2))
    weights = np.ones((2, 3), np.int64)
    engine = LocalEngine(codes)
    levels = engine.open(np.ones(4, np.int8), 1)
    by_first, by_second = Split(0, 0, 0, 0), Split(0, 1, 0, 0)
    below = Split(1, 1, 0, 0)
    for splits, sizes in (
        ([by_first], [2, 2]),
        ([by_first, below], [2, 1, 1]),
        ([by_second], [2, 2]),
        ([by_second, below], [2, 0, 2]),
        ([by_first, below], [2, 1, 1]),
    ):
        assert engine.leaf_masses(levels, weights, splits)[:, 1, :2].sum(axis=1).tolist() == sizes
