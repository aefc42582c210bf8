"""Integer halfspaces by OR-tools' CP-SAT: searched and proven in whole numbers, then computed again.

The solver knows kinds of records, each with a weight: what it costs to label it 1 rather than 0. One stage
minimises the sum of the weights of the kinds labelled 1. Further stages keep that sum, and find the first
labelling of the public points, a block at a time, each read as a binary number and minimised; its blocks are
kept as well.

An answer counts when the solver calls it optimal, and its bound is what we get in Python's whole numbers from
the coefficients alone. That is the solver's claim of a proof, not a proof that we could read.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from discreet.errors import MissingExtra, NotCertified

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

_BLOCK = 30
"""Public points in one stage: their numbers stay far below 2^53."""


@dataclass(frozen=True)
class Task:
    """A minimisation over integer halfspaces.

    Parameters
    ----------
    told : array of bool, [literal, kind]
        Which literals hold for each kind of record.
    weights : list of int
        What it costs to label a kind 1; the sum of their sizes is below 2^53.
    points : list of int
        The kind of each public point.
    bound : int
        Coefficients are whole numbers from -bound to bound.
    """

    told: npt.NDArray[np.bool_]
    weights: list[int]
    points: list[int]
    bound: int


@dataclass(frozen=True)
class Answer:
    """A proven minimiser, and what it says of the public points."""

    coefficients: tuple[int, ...]
    threshold: int
    total: int
    labels: npt.NDArray[np.int8]


def check_installed() -> None:
    """Raise MissingExtra where OR-tools is not installed."""
    try:
        importlib.import_module("ortools.sat.python.cp_model")
    except ImportError:
        raise MissingExtra("IntegerHalfspace over so many literals", "oracles") from None


def solve(task: Task, effort: float) -> Answer:
    """Find the first labelling of least total.

    Raises
    ------
    NotCertified
        A stage ended without a proof.
    """
    search = _Search(task, effort)
    total = search.minimum(range(len(task.weights)), task.weights)
    blocks = [task.points[start : start + _BLOCK] for start in range(0, len(task.points), _BLOCK)]
    for block in blocks:
        search.minimum(block, [2**place for place in reversed(range(len(block)))])
    labels = search.labels()
    return Answer(tuple(search.coefficients), search.threshold, total, np.array(labels, np.int8)[task.points])


class _Search:
    """The model, and the last answer."""

    def __init__(self, task: Task, effort: float) -> None:
        from ortools.sat.python import cp_model

        self._task = task
        self._api = cp_model
        self._model = cp_model.CpModel()
        self._solver = cp_model.CpSolver()
        settings = self._solver.parameters
        # Outcomes must not depend on the load of the machine, nor on the clock.
        settings.num_workers = 1
        settings.random_seed = 0
        settings.max_deterministic_time = effort
        # Known wrong proofs come from rewriting the model beforehand; and linear programs have floats.
        settings.cp_model_presolve = False
        settings.symmetry_level = 0
        settings.linearization_level = 0
        self._build()

    def _build(self) -> None:
        model, task = self._model, self._task
        n_literals, n_kinds = task.told.shape
        reach = task.bound * n_literals
        self._vector = [model.new_int_var(-task.bound, task.bound, f"c{i}") for i in range(n_literals)]
        self._limit = model.new_int_var(-reach, reach + 1, "t")
        self._one = [model.new_bool_var(f"b{kind}") for kind in range(n_kinds)]
        for one, told in zip(self._one, task.told.T, strict=True):
            total = sum(self._vector[literal] for literal in np.flatnonzero(told))
            model.add(total >= self._limit).only_enforce_if(one)
            model.add(total < self._limit).only_enforce_if(one.negated())

    def minimum(self, kinds: range | list[int], weights: list[int]) -> int:
        """Minimise the weight of the kinds labelled 1, and keep it for all that follows."""
        expression: cp_model.LinearExprT = sum(
            weight * self._one[kind] for kind, weight in zip(kinds, weights, strict=True)
        )
        self._model.minimize(expression)
        status = self._solver.solve(self._model)
        if status != self._api.OPTIMAL:
            raise NotCertified("IntegerHalfspace: the solver did not prove its answer within the effort")
        self.coefficients = [self._solver.value(variable) for variable in self._vector]
        self.threshold = self._solver.value(self._limit)
        labels = self.labels()
        least = sum(weight for kind, weight in zip(kinds, weights, strict=True) if labels[kind])
        if least != self._solver.response_proto.inner_objective_lower_bound:
            raise NotCertified("IntegerHalfspace: the solver's bound is not what its answer costs")
        self._model.add(expression <= least)
        return least

    def labels(self) -> list[bool]:
        """Compute again what the last answer says of each kind."""
        sums = np.array(self.coefficients, dtype=np.int64) @ self._task.told
        return [bool(total >= self.threshold) for total in sums]
