"""Trees: what they say, how they are scored, and what a round of them releases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.accounting import ApproxDP
from discreet.boosting.literals import literals_of
from discreet.boosting.plan import make_plan
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.sensitivity import (
    MassBounds,
    best_first_range,
    leafwise_gini_range,
    leafwise_range,
)
from discreet.boosting.trees import Split, Tree
from discreet.boosting.weak_learners.candidates import Candidates
from discreet.boosting.weak_learners.impurity import impurity
from discreet.boosting.weak_learners.levelwise_tree import LevelwiseTree
from discreet.boosting.weak_learners.splitting import (
    agreement_scores,
    gini_scores,
    improvements,
    label_scores,
    signed_literals,
)
from discreet.boosting.weak_learners.topdown_tree import TopDownTree
from discreet.engines.base import View
from discreet.engines.local import LocalEngine
from discreet.mechanisms.rehearsal import ReplaySampler
from discreet.mechanisms.release import Release
from discreet.schema.encode import Codes, encode
from discreet.schema.tables import open_table
from tests.tables import SCHEMA, people

LITERALS = {str(literal): literal for literal in literals_of(SCHEMA)}
OLD = LITERALS["<= 46.2"]
WOMAN, SMOKER = (next(lit for lit in literals_of(SCHEMA) if lit.column == column) for column in (1, 2))
TREE = Tree((Split(0, OLD), Split(1, SMOKER)), (-1, 1, -1))


def test_a_tree_reads_as_it_votes():
    assert TREE.rules(SCHEMA.names) == [
        ("age <= 46.2", -1),
        ("not age <= 46.2 and smoker = True", 1),
        ("not age <= 46.2 and not smoker = True", -1),
    ]
    assert TREE.drawn(SCHEMA.names).splitlines() == [
        "if age <= 46.2: vote -1",
        "else",
        "    if smoker = True: vote +1",
        "    else: vote -1",
    ]
    assert Tree((), (1,)).rules(SCHEMA.names) == [("always", 1)]
    assert Tree((), (1,)).drawn(SCHEMA.names) == "vote +1"


def test_a_tree_s_leaves_are_those_of_the_engine():
    df, _ = people(200)
    codes = encode(open_table(df), SCHEMA)
    young, smokes = (df["age"] <= 46.2).to_numpy(), df["smoker"].to_numpy()
    expected = np.where(young, 0, np.where(smokes, 1, 2))
    assert TREE.leaves(codes).tolist() == expected.tolist()
    engine = LocalEngine(codes)
    levels = engine.open(np.ones(200, np.int8), 1)
    masses = engine.leaf_masses(levels, np.ones((2, 3), np.int64), TREE.splits)
    assert masses[:, 1, :20].sum(axis=1).tolist() == np.bincount(expected).tolist()


big = st.integers(0, 61).flatmap(lambda bits: st.integers(0, 2**bits - 1))


@given(st.lists(st.tuples(big, big), min_size=1, max_size=20))
def test_the_impurity_is_exact_up_to_2_to_the_62(cells):
    positive, negative = (np.array(masses, dtype=np.int64) for masses in zip(*cells, strict=True))
    exact = [4 * a * b // (a + b) if a + b else 0 for a, b in cells]
    assert impurity(positive, negative).tolist() == exact


@pytest.mark.parametrize("half", [2**61 - 1, 2**60 + 1, 2**53 + 1])
def test_the_impurity_of_a_balanced_cell_is_its_mass(half):
    assert impurity(np.array([half]), np.array([half])).tolist() == [2 * half]


def test_scores_are_their_formulas():
    """On random records, one at a time in spirit."""
    rng = np.random.default_rng(0)
    df, _ = people(60)
    codes = encode(open_table(df), SCHEMA)
    labels, weights = rng.integers(0, 3, 60).astype(np.int8), rng.integers(0, 1000, (2, 1))
    engine, offered = LocalEngine(codes), Candidates.of(SCHEMA)
    levels = engine.open(labels, 0)
    masses = engine.leaf_masses(levels, weights, TREE.splits)
    signed = engine.leaf_correlations(levels, weights, TREE.splits)
    record_weight = np.where(labels < 2, weights[np.minimum(labels, 1), 0], 0)
    for leaf in range(3):
        here = TREE.leaves(codes) == leaf
        against, towards = (int(record_weight[here & (labels == y)].sum()) for y in (0, 1))
        assert label_scores(signed, offered)[leaf].tolist() == [towards - against, against - towards]
        for place, literal in enumerate(offered.literals):
            holds = (codes.values[literal.column] >= literal.first) & (
                codes.values[literal.column] <= literal.last
            )
            (a0, b0), (a1, b1) = (
                (
                    int(record_weight[here & side & (labels == 1)].sum()),
                    int(record_weight[here & side & (labels == 0)].sum()),
                )
                for side in (holds, ~holds)
            )
            score = (a0 - b0) - (a1 - b1)
            assert signed_literals(signed, offered)[leaf, 2 * place : 2 * place + 2].tolist() == [
                score,
                -score,
            ]
            if literal.test != "always":
                phi = [4 * a * b // max(1, a + b) for a, b in ((a0, b0), (a1, b1), (a0 + a1, b0 + b1))]
                assert gini_scores(masses, offered)[leaf, place] == -phi[0] - phi[1]
                assert improvements(masses, offered)[leaf, place] == phi[2] - phi[0] - phi[1]
                assert agreement_scores(signed, offered)[leaf, place] == abs(a0 - b0) + abs(a1 - b1)


def test_ranges_are_those_of_the_paragraphs():
    lazy, mada = MassBounds(8, 3, "replace"), MassBounds(8, 0, "replace")
    adding = MassBounds(8, 0, "add-remove")
    assert best_first_range(lazy) == 8 * 8 + 4 * 3 + 6  # 4.1
    assert best_first_range(adding) == 4 * 8 + 6  # 2.5
    assert leafwise_gini_range(lazy, 16) == 8 * 8 + 4 * 3 + 4 * 16  # 4.2, all leaves round
    assert leafwise_gini_range(mada, 16) == 8 * 8 + 4 * 2  # two of them
    assert leafwise_gini_range(mada, 1) == 8 * 8 + 4
    assert leafwise_gini_range(adding, 16) == 4 * 8 + 4
    assert leafwise_range(lazy) == 4 * 8 + 2 * 3  # 4.3, 4.4
    assert leafwise_range(adding) == 2 * 8


@pytest.mark.parametrize(
    ("learner", "releases"),
    [
        (LevelwiseTree(SCHEMA, 1, "gini"), [("selections", 1)]),
        (LevelwiseTree(SCHEMA, 3, "gini"), [("selections", 2), ("selections", 1)]),
        (LevelwiseTree(SCHEMA, 3, "agreement"), [("selections", 3)]),
        (TopDownTree(SCHEMA, 3), [("selection", 3), ("selections", 1)]),
    ],
    ids=["depth 1", "gini", "agreement", "top-down"],
)
def test_claims(learner, releases):
    claims = learner.claims(MassBounds(8, 0, "replace"))
    assert [(claim.kind, claim.count) for claim in claims] == releases


def grown(learner, outcomes):
    """Grow one tree on four records, with the outcomes of its selections given."""
    plan = make_plan(
        measure=MadaBoost(0.1),
        learner=learner,
        rounds=1,
        target=ApproxDP(1, 0),
        adjacency="replace",
        n_records=4,
    )
    engine = LocalEngine(Codes(np.zeros((3, 4), np.uint8), (20, 3, 3)))
    sampler = ReplaySampler(outcomes)
    view = View(engine, engine.open(np.array([0, 1, 1, 2], np.int8), 1))
    tree = learner.propose(view, np.ones((2, 3), np.int64), Release(plan.terms, sampler))
    return tree, [len(asked.scores) for asked in sampler.asked]


def test_every_leaf_of_a_level_draws_though_it_is_empty():
    """All four records are of one kind: three of the four leaves of the last level hold none."""
    constant = len(LITERALS) - 1
    tree, asked = grown(LevelwiseTree(SCHEMA, 3, "gini"), [0, 0, 0, 1, 2, 2 * constant, 2 * constant + 1])
    n = len(literals_of(SCHEMA))
    assert asked == [n - 1] * 3 + [2 * n] * 4
    # Two leaves were left whole by the constant, two were split.
    assert [split.leaf for split in tree.splits] == [0, 0, 1, 0, 1]
    assert tree.votes == (-1, 1, 1, -1, 1, -1)


def test_best_first_chooses_among_all_leaves():
    n = len(literals_of(SCHEMA)) - 1
    tree, asked = grown(TopDownTree(SCHEMA, 3), [0, n + 1, 2 * n + 2, 0, 1, 1, 0])
    assert asked == [n, 2 * n, 3 * n, 2, 2, 2, 2]
    assert [(split.leaf, split.literal) for split in tree.splits] == [
        (0, literals_of(SCHEMA)[0]),
        (1, literals_of(SCHEMA)[1]),
        (2, literals_of(SCHEMA)[2]),
    ]
    assert tree.votes == (1, -1, -1, 1)
