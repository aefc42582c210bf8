"""Exact enumeration: every small table, every neighbour, every outcome, with its probability.

The tables are multisets of at most four records over a few record types. A table's output distribution is
found by running the real code once for every prefix of outcomes, with a sampler that reports the
distribution of the next outcome instead of drawing it. Probabilities are floats whose error is far below
``TOLERANCE``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from discreet import Boolean, Schema, Target
from discreet.accounting import ZCDP, PureDP
from discreet.boosting.loop import boost
from discreet.boosting.plan import Plan
from discreet.engines.base import View
from discreet.engines.local import LocalEngine
from discreet.mechanisms.release import Release
from discreet.schema.encode import Codes
from discreet.testing import enumerate_outcomes

TOLERANCE = 1e-9
ORDERS = (1.01, 1.5, 2.0, 4.0, 16.0, 128.0)


@dataclass(frozen=True, eq=False)
class Universe:
    """A schema, and all record types over it: (codes of the columns, label code)."""

    schema: Schema
    types: tuple[tuple[tuple[int, ...], int], ...]

    def tables(self, n: int) -> list[tuple[int, ...]]:
        return list(itertools.combinations_with_replacement(range(len(self.types)), n))

    def codes(self, table: Sequence[int]) -> Codes:
        rows = np.array([self.types[kind][0] for kind in table], dtype=np.uint8)
        n_codes = tuple(column.n_codes for column in self.schema.columns.values())
        return Codes(np.ascontiguousarray(rows.reshape(len(table), len(n_codes)).T), n_codes)

    def labels(self, table: Sequence[int]) -> np.ndarray:
        return np.array([self.types[kind][1] for kind in table], dtype=np.int8)


def _universe(schema: Schema, codes: Sequence[Sequence[int]], labels: Sequence[int]) -> Universe:
    return Universe(schema, tuple(itertools.product(itertools.product(*codes), labels)))


TARGET = Target("y", [0, 1])
# Eight record types: two yes-or-no columns and a label.
PLAIN = _universe(Schema({"a": Boolean(), "b": Boolean()}, target=TARGET), [(0, 1), (0, 1)], (0, 1))
# Nine record types: a column with missing cells, a label that may lie outside the classes.
RAGGED = _universe(Schema({"a": Boolean(missing=True)}, target=TARGET), [(0, 1, 2)], (0, 1, 2))


def replace_pairs(universe: Universe, n: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    kinds = range(len(universe.types))
    return [
        (tuple(sorted((*rest, one))), tuple(sorted((*rest, other))))
        for rest in universe.tables(n - 1)
        for one, other in itertools.combinations(kinds, 2)
    ]


def add_remove_pairs(universe: Universe, n: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [
        (rest, tuple(sorted((*rest, extra))))
        for rest in universe.tables(n - 1)
        for extra in range(len(universe.types))
    ]


PAIRS = {"replace": replace_pairs, "add-remove": add_remove_pairs}


def boosting_distribution(universe, table, parts) -> tuple[Plan, dict[tuple[int, ...], float]]:
    """Run the loop with the given (measure, learner, plan) on one table, over all outcomes."""
    measure, learner, plan = parts
    engine = LocalEngine(universe.codes(table))

    def run(sampler) -> None:
        view = View(engine, engine.open(universe.labels(table), plan.rounds))
        boost(range(plan.rounds), measure, learner, view, plan.rounds, Release(plan.terms, sampler))

    return plan, enumerate_outcomes(run)


def worst_shares(
    universe: Universe,
    adjacency: str,
    parts_for: Callable[[int], tuple],
    sizes: Sequence[int] = (1, 2, 3, 4),
) -> dict[str, float]:
    """Return, for each kind of claim, the largest share of it that a pair of neighbours reaches.

    ``parts_for(n)`` gives (measure, learner, plan) for a table of n records. A share above 1 is a broken
    promise; an outcome that only one neighbour can produce gives infinity.
    """
    known: dict[tuple[int, ...], tuple[Plan, dict]] = {}

    def distribution(table):
        if table not in known:
            known[table] = boosting_distribution(universe, table, parts_for(len(table)))
        return known[table]

    worst: dict[str, float] = {}
    for n in sizes:
        for one, other in PAIRS[adjacency](universe, n):
            plan, p = distribution(one)
            _, q = distribution(other)
            for kind, share in _shares(plan, p, q).items():
                worst[kind] = max(worst.get(kind, 0.0), share)
    return worst


def _shares(plan: Plan, p: dict, q: dict) -> dict[str, float]:
    if p.keys() != q.keys():
        return {"support": float("inf")}
    P = np.array([p[outcome] for outcome in sorted(p)])
    Q = np.array([q[outcome] for outcome in sorted(q)])
    log_ratio = np.log(P) - np.log(Q)
    if isinstance(plan.loss, PureDP):
        return {"pure": np.abs(log_ratio).max() / plan.loss.epsilon}
    assert isinstance(plan.loss, ZCDP)
    shares = {"zcdp": max(_renyi(P, Q, a) / a for a in ORDERS) / plan.loss.rho}
    shares["zcdp"] = max(shares["zcdp"], max(_renyi(Q, P, a) / a for a in ORDERS) / plan.loss.rho)
    (term,) = plan.terms
    # Ranges do not add up over adaptive rounds (two rounds reach 1.18 times the sum here); rhos do.
    if term.times == 1:
        shares["range"] = np.ptp(log_ratio) / (term.claim.bound / term.scale)
    return shares


def _renyi(P: np.ndarray, Q: np.ndarray, order: float) -> float:
    log_terms = order * np.log(P) + (1 - order) * np.log(Q)
    return float(np.logaddexp.reduce(log_terms) / (order - 1))
