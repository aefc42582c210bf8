"""The oracle of single rules: always the minimum, and always its first labelling."""

import numpy as np
import pytest

from discreet.semiprivate.oracles.rules import ExactRules
from tests.oracle_problems import SCHEMAS, answers, check, codes_of, minimum, problems


def every_rule(schema):
    asked = answers(SCHEMAS.index(schema))
    return np.concatenate([asked, ~asked])


def solve(problem):
    return (
        ExactRules()
        .on(problem.schema, problem.public)
        .minimise(problem.private, problem.labels, problem.costs)
    )


@pytest.mark.parametrize(("seed", "count"), [(1, 200), pytest.param(2, 5_000, marks=pytest.mark.slow)])
def test_it_finds_what_trying_every_rule_finds(seed, count):
    for problem in problems(seed, count):
        found = solve(problem)
        check(problem, found, every_rule(problem.schema))
        votes = found.hypothesis.votes[problem.public.values[found.hypothesis.column]]
        assert ((votes + 1) // 2).tolist() == found.labels.tolist()


def test_the_problems_have_ties_and_sums_beyond_64_bits():
    drawn = list(problems(1, 200))
    sums = [sum(abs(cost) for cost in problem.costs.tolist()) for problem in drawn]
    assert sum(total >= 2**63 for total in sums) > 10
    assert sum(not len(problem.labels) for problem in drawn) > 10
    assert sum(not len(problem.costs) for problem in drawn) > 10
    tied = 0
    for problem in drawn:
        rules = every_rule(problem.schema)
        each = [minimum(problem, rule[None, :]) for rule in rules]
        least = min(objective for objective, _ in each)
        tied += len({tuple(labelling) for objective, labelling in each if objective == least}) > 1
    assert tied > 30


def test_ties_go_to_the_first_labelling_and_not_to_the_first_rule():
    schema = SCHEMAS[3]
    points = codes_of(schema, [0, 1])
    nobody = codes_of(schema, [])
    found = ExactRules().on(schema, points).minimise(nobody, np.array([], np.int8), np.array([0, 0]))
    assert found.labels.tolist() == [0, 0]
    found = ExactRules().on(schema, points).minimise(nobody, np.array([], np.int8), np.array([-1, -1]))
    assert found.labels.tolist() == [1, 1]
    found = ExactRules().on(schema, points).minimise(nobody, np.array([], np.int8), np.array([-1, 1]))
    assert found.labels.tolist() == [1, 0]
