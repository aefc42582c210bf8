"""The oracle of small trees: always the minimum, and always its first labelling."""

from functools import cache

import numpy as np
import pytest

from discreet.errors import OptionError
from discreet.semiprivate.oracles.trees import ExactTree
from tests.oracle_problems import SCHEMAS, answers, check, problems


@cache
def every_tree(which, depth):
    """List what every tree says for every cell: a set of tables, each a binary number, level by level."""
    asked = answers(which)
    n_cells = asked.shape[1]
    full = (1 << n_cells) - 1
    tables = {0, full}
    questions = {int("".join("01"[yes] for yes in row), 2) for row in asked.tolist()}
    for _ in range(depth):
        tables = {
            (yes & question) | (no & ~question & full)
            for question in questions
            for yes in {table & question for table in tables}
            for no in {table & ~question for table in tables}
        }
    return np.array([[table >> place & 1 for place in reversed(range(n_cells))] for table in tables]) == 1


def verdicts(tree, codes):
    return [(tree.votes[leaf] + 1) // 2 for leaf in tree.leaves(codes)]


# At depth 3 trees over the larger grids are too many for a list.
@pytest.mark.parametrize(
    ("depth", "seed", "count"),
    [
        (1, 1, 100),
        (2, 2, 100),
        (3, 3, 100),
        pytest.param(1, 4, 5_000, marks=pytest.mark.slow),
        pytest.param(2, 5, 5_000, marks=pytest.mark.slow),
        pytest.param(3, 6, 5_000, marks=pytest.mark.slow),
    ],
)
def test_it_finds_what_trying_every_tree_finds(depth, seed, count):
    for problem in problems(seed, count, SCHEMAS if depth < 3 else SCHEMAS[1:]):
        found = (
            ExactTree(depth)
            .on(problem.schema, problem.public)
            .minimise(problem.private, problem.labels, problem.costs)
        )
        check(problem, found, every_tree(SCHEMAS.index(problem.schema), depth))
        said = verdicts(found.hypothesis, problem.private)
        wrong = sum(a != b for a, b in zip(said, problem.labels.tolist(), strict=True) if b < 2)
        charged = sum(cost for cost, one in zip(problem.costs.tolist(), found.labels, strict=True) if one)
        assert wrong + charged == found.objective
        assert verdicts(found.hypothesis, problem.public) == found.labels.tolist()


@pytest.mark.parametrize("depth", [0, 5, True, 2.0])
def test_depths_that_are_none_are_refused(depth):
    with pytest.raises(OptionError, match="depth"):
        ExactTree(depth)
