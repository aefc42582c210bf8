"""Small problems for oracles, and their answers by trying every classifier of an explicit list.

Nothing here uses the code of an oracle, nor its list of literals: questions are read off the schema anew.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from discreet import Boolean, Categorical, Numeric, Schema
from discreet.schema.encode import Codes

SCHEMAS = (
    Schema({"age": Numeric(0, 9, cuts=[2, 5], missing=True), "smoker": Boolean()}),
    Schema({"sex": Categorical(["f", "m"], missing=True), "age": Numeric(0, 9, cuts=[4])}),
    Schema({"a": Boolean(), "b": Boolean(missing=True), "c": Boolean()}),
    Schema({"only": Boolean()}),
)
SIZES = (0, 1, 2, 5, 9, 14)
SCALES = (1, 2, 30, 2**31, 2**62)
ODD_COSTS = (2**63 - 1, -(2**63), 0)


@dataclass(frozen=True)
class Problem:
    """Private cells with labels, public cells with costs; a cell is a place in the schema's grid of codes."""

    schema: Schema
    private: Codes
    labels: np.ndarray
    public: Codes
    costs: np.ndarray


def codes_of(schema, cells):
    """Give the codes of the cells of a grid."""
    n_codes = tuple(column.n_codes for column in schema.columns.values())
    return Codes(np.array(np.unravel_index(np.asarray(cells, np.intp), n_codes), dtype=np.uint8), n_codes)


def cells_of(codes):
    """Invert `codes_of`."""
    return np.ravel_multi_index(tuple(codes.values), codes.n_codes)


def problems(seed, count, schemas=SCHEMAS, sizes=SIZES):
    """Draw problems: buckets, foreign labels, points that are equal, no point, no record, huge costs."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        schema = schemas[rng.integers(len(schemas))]
        grid = int(np.prod([column.n_codes for column in schema.columns.values()]))
        n, m = rng.choice(sizes), rng.choice(SIZES[:-1])
        scale = int(rng.choice(SCALES))
        # Equal sizes, so that there are ties; or any.
        costs = (
            scale * rng.integers(-1, 1, m, endpoint=True)
            if rng.random() < 0.5
            else rng.integers(-scale, scale, m, endpoint=True)
        )
        if m and rng.random() < 0.1:
            costs[rng.integers(m)] = rng.choice(ODD_COSTS)
        yield Problem(
            schema,
            codes_of(schema, rng.integers(grid, size=n)),
            rng.choice(np.array([0, 1, 2], np.int8), n, p=[0.45, 0.45, 0.1]),
            codes_of(schema, rng.integers(grid, size=m)),
            costs,
        )


def questions(schema):
    """List every yes-or-no question of a schema as a function of the codes of one record."""
    yield lambda record: True
    for place, column in enumerate(schema.columns.values()):
        bucket = column.n_codes - 1
        if isinstance(column, Numeric):
            for code in range(len(column.cuts)):
                yield lambda record, place=place, code=code: record[place] <= code
        elif isinstance(column, Boolean):
            yield lambda record, place=place: record[place] == 1
        else:
            for code in range(len(column.values)):
                yield lambda record, place=place, code=code: record[place] == code
        if column.missing:
            yield lambda record, place=place, bucket=bucket: record[place] == bucket


@cache
def answers(which):
    """Ask every question of SCHEMAS[which] for every cell of its grid: [question, cell]."""
    schema = SCHEMAS[which]
    records = list(product(*(range(column.n_codes) for column in schema.columns.values())))
    return np.array([[bool(ask(record)) for record in records] for ask in questions(schema)])


def minimum(problem, classifiers):
    """Try every classifier, [classifier, cell]: return the objective, and the first labelling that has it."""
    private, public = cells_of(problem.private), cells_of(problem.public)
    classified = problem.labels < 2
    errors = (classifiers[:, private] != problem.labels)[:, classified].sum(axis=1).tolist()
    labellings = classifiers[:, public].astype(int).tolist()
    costs = problem.costs.tolist()
    return min(
        (wrong + sum(cost for cost, one in zip(costs, labelling, strict=True) if one), labelling)
        for wrong, labelling in zip(errors, labellings, strict=True)
    )


def objective_of(problem, classifier):
    """Recompute what one classifier, given by its label for every cell, costs on a problem."""
    return minimum(problem, classifier[None, :])


def check(problem, found, classifiers):
    """Compare an oracle's answer with that of trying every classifier."""
    assert (found.objective, found.labels.tolist()) == minimum(problem, classifiers)
    assert type(found.objective) is int
    assert found.labels.dtype == np.int8
