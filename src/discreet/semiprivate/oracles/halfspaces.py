"""The class of integer halfspaces: weighted votes of literals against a threshold, minimised with proof."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.boosting.literals import Literal, literals_of
from discreet.errors import NotCertified, OptionError
from discreet.schema.encode import Codes
from discreet.schema.schema import Schema
from discreet.semiprivate.oracles import constraint_solver
from discreet.semiprivate.oracles.base import Certified, Costs, Labels, Minimiser
from discreet.semiprivate.oracles.exact import best_of, holds, whole

MOST_TO_LIST = 2**21
"""Vectors of coefficients, times kinds of records, for which the class is listed: a second, and 100 MB."""

_SOLVER_SAFE = 2**53
"""The solver reports its bound as a float; whole numbers below this are exact."""


@dataclass(frozen=True)
class Formula:
    """Says 1 where the sum of the coefficients of the literals that hold is at least the threshold."""

    literals: tuple[Literal, ...]
    coefficients: tuple[int, ...]
    threshold: int

    def labels(self, codes: Codes) -> npt.NDArray[np.int8]:
        """Return what it says of each record."""
        sums = np.array(self.coefficients, dtype=np.int64) @ holds(self.literals, codes)
        return (sums >= self.threshold).astype(np.int8)


@dataclass(frozen=True)
class IntegerHalfspace:
    """Every integer combination of the schema's literals against a threshold, its coefficients bounded.

    With k literals besides the constant, and K kinds of records that they tell apart, there are
    (2 bound + 1)^k vectors of coefficients. Where (2 bound + 1)^k K is at most 2^21, a public number, the
    whole class is listed and each of it tried: the minimum is always found. Beyond, the extra ``oracles`` is
    needed, and OR-tools' CP-SAT has to prove its answer optimal, in whole numbers; what it found is computed
    again here. Its effort is counted in its own steps and not in seconds, by one thread, so that a proof does
    not depend on how busy the machine is.

    **What a refusal tells.** Without a proof, `NotCertified` is raised. Whether that happens depends on the
    private records and on the noise: it is an output, of one bit, that no guarantee covers, and whoever tries
    again until there is no refusal has released something else than was planned. Where that bit matters, keep
    to a schema whose class is listed (`always_answers`), or to `ExactTree`, which never refuses. The remedy
    for solvers that may fail is that of Neel, Roth and Wu (2019), which is not built.

    Parameters
    ----------
    bound : int, default 1
        Coefficients are whole numbers from -bound to bound.
    effort : float, default 60
        Units of the solver's deterministic time for each stage, a second or two each; more effort, fewer
        refusals. There is one stage for the minimum, and one for every 30 public points.
    """

    bound: int = 1
    effort: float = 60.0

    def __post_init__(self) -> None:
        if isinstance(self.bound, bool) or not isinstance(self.bound, int) or not 1 <= self.bound <= 1000:
            raise OptionError("IntegerHalfspace needs a whole number from 1 to 1000 for bound")
        if not (isinstance(self.effort, int | float) and 0 < self.effort < math.inf):
            raise OptionError("IntegerHalfspace needs a positive number for effort")

    def always_answers(self, schema: Schema) -> bool:
        """Tell whether the class is small enough to be listed: what is listed is never refused."""
        literals = literals_of(schema)[:-1]
        vectors: int = (2 * self.bound + 1) ** len(literals)
        return vectors <= MOST_TO_LIST and vectors * _Kinds(literals, schema).count <= MOST_TO_LIST

    def vc_dimension(self, schema: Schema) -> int:
        """Return the number of weights, with that of the threshold."""
        return len(literals_of(schema))

    def on(self, schema: Schema, public: Codes) -> Minimiser:
        """Prepare for these public points; reads nothing private.

        Raises
        ------
        MissingExtra
            The class cannot be listed, and OR-tools is not installed.
        """
        if self.always_answers(schema):
            return _ListedOnPoints(self, schema, public)
        constraint_solver.check_installed()
        return _SolvedOnPoints(self, schema, public)


class _Kinds:
    """Records that no literal tells apart are of one kind; kinds are numbered by their columns' classes."""

    def __init__(self, literals: tuple[Literal, ...], schema: Schema) -> None:
        self.literals = literals
        self._class_of: list[npt.NDArray[np.intp]] = []
        self._first_codes: list[npt.NDArray[np.intp]] = []
        n_codes = tuple(column.n_codes for column in schema.columns.values())
        for index, size in enumerate(n_codes):
            every_code = Codes(np.tile(np.arange(size, dtype=np.uint16), (len(n_codes), 1)), n_codes)
            told = holds([literal for literal in literals if literal.column == index], every_code)
            _, first, class_of = np.unique(told, axis=1, return_index=True, return_inverse=True)
            self._class_of.append(class_of.ravel())
            self._first_codes.append(first)
        self._n_codes = n_codes
        self._shape = tuple(map(len, self._first_codes))
        self.count = math.prod(self._shape)

    def of(self, codes: Codes) -> npt.NDArray[np.intp]:
        """Return the number of each record's kind."""
        classes = [class_of[column] for class_of, column in zip(self._class_of, codes.values, strict=True)]
        numbers: npt.NDArray[np.intp] = np.ravel_multi_index(tuple(classes), self._shape)
        return numbers

    @cached_property
    def told(self) -> npt.NDArray[np.bool_]:
        """Which literals hold for each kind: [literal, kind]."""
        grid = np.meshgrid(*self._first_codes, indexing="ij")
        return holds(
            self.literals, Codes(np.array([axis.ravel() for axis in grid], np.uint16), self._n_codes)
        )


class _ListedOnPoints:
    """The class as a table of what each halfspace says of each kind of record."""

    def __init__(self, oracle: IntegerHalfspace, schema: Schema, public: Codes) -> None:
        self._kinds = _Kinds(literals_of(schema)[:-1], schema)
        self._points = self._kinds.of(public)
        steps = range(-oracle.bound, oracle.bound + 1)
        n_literals = len(self._kinds.literals)
        vectors = np.array(list(itertools.product(steps, repeat=n_literals)), dtype=np.int64)
        sums = vectors @ self._kinds.told
        self._formulas: list[tuple[tuple[int, ...], int]] = []
        rows: list[npt.NDArray[np.bool_]] = []
        seen: set[bytes] = set()
        for threshold in range(int(sums.min()), int(sums.max()) + 2):
            labels = sums >= threshold
            for row, packed in enumerate(map(bytes, np.packbits(labels, axis=1))):
                if packed not in seen:
                    seen.add(packed)
                    rows.append(labels[row])
                    self._formulas.append((tuple(vectors[row].tolist()), threshold))
        self._table = np.array(rows, dtype=np.int8)

    def minimise(self, private: Codes, labels: Labels, costs: Costs) -> Certified:
        """Return the minimum, and of the labellings that attain it the first."""
        prices = whole(costs, len(labels))
        weights = _weights(self._kinds.of(private), labels, self._kinds.count).astype(prices.dtype)
        np.add.at(weights, self._points, prices)
        objectives = self._table.astype(prices.dtype) @ weights + np.count_nonzero(labels == 1)
        labellings = self._table[:, self._points]
        best = best_of(objectives, labellings)
        return Certified(
            labellings[best], int(objectives[best]), Formula(self._kinds.literals, *self._formulas[best])
        )


class _SolvedOnPoints:
    """The class as a problem for the constraint solver."""

    def __init__(self, oracle: IntegerHalfspace, schema: Schema, public: Codes) -> None:
        self._oracle = oracle
        self._literals = literals_of(schema)[:-1]
        self._points = holds(self._literals, public)

    def minimise(self, private: Codes, labels: Labels, costs: Costs) -> Certified:
        """Return the minimum, and of the labellings that attain it the first.

        Raises
        ------
        NotCertified
            The solver did not prove it, or its numbers would be too large for a proof.
        """
        records = holds(self._literals, private)
        together = np.concatenate([records, self._points], axis=1)
        told, kinds = np.unique(together, axis=1, return_inverse=True)
        kinds = kinds.ravel()
        weights = _weights(kinds[: len(labels)], labels, told.shape[1]).astype(object)
        np.add.at(weights, kinds[len(labels) :], costs.astype(object))
        if sum(map(abs, weights)) >= _SOLVER_SAFE:
            raise NotCertified("IntegerHalfspace: these costs are too large for a proof by the solver")
        task = constraint_solver.Task(
            told, weights.tolist(), kinds[len(labels) :].tolist(), self._oracle.bound
        )
        answer = constraint_solver.solve(task, self._oracle.effort)
        return Certified(
            answer.labels,
            int(np.count_nonzero(labels == 1)) + answer.total,
            Formula(self._literals, answer.coefficients, answer.threshold),
        )


def _weights(kinds: npt.NDArray[np.intp], labels: Labels, n_kinds: int) -> npt.NDArray[Any]:
    """Count what it costs to label each kind 1 rather than 0: its labels 0, less its labels 1."""
    negative = np.bincount(kinds[labels == 0], minlength=n_kinds)
    return negative - np.bincount(kinds[labels == 1], minlength=n_kinds)
