"""The options of a perturbed leader, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from discreet.accounting import ApproxDP
from discreet.accounting.adjacency import NEIGHBOURS, Adjacency
from discreet.boosting.options import MAX_EPSILON, MAX_RECORDS, Auto, auto_or, one_of, real, whole
from discreet.mechanisms.labels import MOST_POINTS
from discreet.mechanisms.perturbations import MOST_PERTURBATIONS

LEAST_STRENGTH, MOST_STRENGTH = 2.0**7, 2.0**32
"""Within these an error weighs between 1 and 2^30 steps of the costs' grid."""

MOST_RUNS = MOST_PERTURBATIONS // MOST_POINTS


@dataclass(frozen=True)
class PerturbedOptions:
    """Validated options; the meaning of each is documented at the estimator."""

    epsilon: float
    delta: float
    points: int
    strength: float | Auto
    runs: int
    adjacency: Adjacency
    expected_records: int

    @classmethod
    def checked(cls, options: Mapping[str, Any]) -> Self:
        """Check every option, naming the one that is wrong."""
        checks: dict[str, Any] = {
            "epsilon": lambda value, name: real(value, name, above=0, most=MAX_EPSILON),
            "delta": lambda value, name: real(value, name, above=0, below=1),
            "points": lambda value, name: whole(value, name, least=1, most=MOST_POINTS),
            "strength": lambda value, name: auto_or(
                real, value, name, least=LEAST_STRENGTH, most=MOST_STRENGTH
            ),
            "runs": lambda value, name: whole(value, name, least=1, most=MOST_RUNS),
            "adjacency": lambda value, name: one_of(tuple(NEIGHBOURS), value, name),
            "expected_records": lambda value, name: whole(value, name, least=1, most=MAX_RECORDS),
        }
        return cls(
            **{known.name: checks[known.name](options[known.name], known.name) for known in fields(cls)}
        )

    @property
    def target(self) -> ApproxDP:
        """The budget."""
        return ApproxDP(self.epsilon, self.delta)
