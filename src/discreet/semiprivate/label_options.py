"""The options of a fit that labels public records, checked in one place."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self

from discreet.accounting.adjacency import NEIGHBOURS, Adjacency
from discreet.boosting.options import MAX_EPSILON, MAX_RECORDS, Auto, auto_or, one_of, real, whole
from discreet.mechanisms.labels import MOST_POINTS
from discreet.schema.schema import Schema
from discreet.semiprivate.label_plan import LabelPlan, make_label_plan, most_points
from discreet.semiprivate.oracles.base import Oracle


@dataclass(frozen=True)
class LabelOptions:
    """Validated options; the meaning of each is documented at the estimator."""

    epsilon: float
    points: int | Auto
    adjacency: Adjacency
    expected_records: int

    @classmethod
    def checked(cls, options: dict[str, Any]) -> Self:
        """Check every option, naming the one that is wrong."""
        checks: dict[str, Any] = {
            "epsilon": lambda value, name: real(value, name, above=0, most=MAX_EPSILON),
            "points": lambda value, name: auto_or(whole, value, name, least=1, most=MOST_POINTS),
            "adjacency": lambda value, name: one_of(tuple(NEIGHBOURS), value, name),
            "expected_records": lambda value, name: whole(value, name, least=1, most=MAX_RECORDS),
        }
        return cls(
            **{known.name: checks[known.name](options[known.name], known.name) for known in fields(cls)}
        )

    def most_points(self, n_records: int) -> int:
        """Return how many points are labelled at the most; ``n_records`` counts where it is public."""
        if self.points != "auto":
            return self.points
        expected = self.expected_records if self.adjacency == "add-remove" else n_records
        return most_points(self.epsilon, self.adjacency, expected)

    def plan(
        self, *, points: int, n_records: int | None, n_public: int, oracle: Oracle, schema: Schema
    ) -> LabelPlan:
        """Price the labels of some points."""
        return make_label_plan(
            points=points,
            epsilon=self.epsilon,
            adjacency=self.adjacency,
            n_records=n_records,
            n_public=n_public,
            oracle=oracle,
            schema=schema,
        )
