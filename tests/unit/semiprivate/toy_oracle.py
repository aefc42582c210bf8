"""The slowest oracle there is: it tries every classifier of a list on everything."""

import itertools
from dataclasses import dataclass

import numpy as np

from discreet.boosting.literals import literals_of
from discreet.semiprivate.oracles.base import Certified


@dataclass(frozen=True)
class Rows:
    """One row a classifier: its label of every public point, and of every combination of codes."""

    classifiers: list
    public: np.ndarray

    def minimise(self, private, labels, costs):
        rows = private.values.T.tolist()
        best = None
        for classifier, on_public in zip(self.classifiers, self.public, strict=True):
            errors = sum(
                label in (0, 1) and classifier(row) != label
                for row, label in zip(rows, labels.tolist(), strict=True)
            )
            objective = errors + sum(int(c) * int(v) for c, v in zip(costs, on_public, strict=True))
            found = objective, tuple(on_public.tolist())
            if best is None or found < best[0]:
                best = found, classifier
        (objective, first), classifier = best
        return Certified(np.array(first, dtype=np.int8), objective, classifier)


class ListedOracle:
    """Minimises over the classifiers that ``listed(schema)`` makes: functions of a record's codes."""

    def __init__(self, listed):
        self.listed = listed

    def on(self, schema, public):
        classifiers = self.listed(schema)
        points = public.values.T.tolist()
        table = [[classifier(point) for point in points] for classifier in classifiers]
        return Rows(classifiers, np.array(table, dtype=np.int8).reshape(len(table), len(points)))


def every_rule(schema):
    """Literals and constants, and their opposites."""

    def rule(literal, yes):
        return lambda codes: int((literal.first <= codes[literal.column] <= literal.last) == yes)

    return [rule(literal, yes) for literal in literals_of(schema) for yes in (True, False)]


def every_function(schema):
    """All functions of the codes, buckets aside."""
    cells = list(itertools.product(*(range(c.n_codes - 1) for c in schema.columns.values())))

    def function(answers):
        return lambda codes: answers.get(tuple(codes), 0)

    return [
        function(dict(zip(cells, answers, strict=True)))
        for answers in itertools.product((0, 1), repeat=len(cells))
    ]
