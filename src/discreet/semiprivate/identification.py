"""Made-up records that tell all rules over a schema apart: a universal identification set (Algorithm 5).

Rules look at codes, and every column has finitely many, so such records can be written down from the schema
alone. Then the labels of a rule on them determine the rule, and no public table is needed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.boosting.literals import literals_of
from discreet.errors import PlanError
from discreet.mechanisms.labels import MOST_POINTS
from discreet.schema.encode import Codes
from discreet.schema.schema import Schema
from discreet.semiprivate.oracles.exact import holds
from discreet.semiprivate.points import mixed, separating

MOST_LITERALS = 400

_ROUNDS = 4
"""Every code of the widest column comes up so many times, each time beside other codes of the others."""


def identification_set(schema: Schema) -> Codes:
    """Choose few records that tell all rules over a schema apart; reads no data.

    Raises
    ------
    PlanError
        The schema offers too many tests.
    """
    literals = literals_of(schema)
    if len(literals) > MOST_LITERALS:
        raise PlanError(f"the schema offers {len(literals)} tests; at most {MOST_LITERALS} are told apart")
    pool = _pool(schema)
    held = holds(literals, pool)
    rules = np.concatenate([held, ~held])
    chosen = separating(rules, MOST_POINTS)
    if len(np.unique(rules[:, chosen], axis=0)) < _distinct(schema):
        raise PlanError("no few records tell all tests of this schema apart")
    values: Any = np.ascontiguousarray(pool.values[:, chosen])
    return Codes(values, pool.n_codes)


def _pool(schema: Schema) -> Codes:
    """Write down records in which every code of every column comes up, beside many codes of the others."""
    n_codes = tuple(column.n_codes for column in schema.columns.values())
    places = np.arange(max(_ROUNDS * max(n_codes), 64))
    columns = []
    for column, n in enumerate(n_codes):
        # Each block of n records has every code once, from another one on; which, is mixed by a digest.
        starts = np.array([mixed(column, block) % n for block in range(len(places) // n + 1)])
        columns.append((places + starts[places // n]) % n)
    return Codes(np.array(columns, dtype=np.uint16), n_codes)


def _distinct(schema: Schema) -> int:
    """Count the rules that differ as functions of the codes."""
    found: set[tuple[int, frozenset[int]]] = set()
    sizes = [column.n_codes for column in schema.columns.values()]
    for literal in literals_of(schema):
        everything = frozenset(range(sizes[literal.column]))
        held = frozenset(range(literal.first, literal.last + 1))
        for codes in (held, everything - held):
            # A rule that always says the same looks at no column.
            constant = codes in (everything, frozenset())
            found.add((-1, frozenset({int(bool(codes))})) if constant else (literal.column, codes))
    return len(found)
