"""The options of a regularised leader, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Self

from discreet.accounting import ApproxDP
from discreet.accounting.adjacency import NEIGHBOURS, Adjacency
from discreet.boosting.features import Coding
from discreet.boosting.options import MAX_EPSILON, MAX_RECORDS, Auto, auto_or, one_of, real, whole
from discreet.errors import OptionError

Bound = Literal["leverage", "values"]
"""Which of the two stability bounds the class of functions is made for."""

BOUNDS: tuple[Bound, ...] = ("leverage", "values")

CODINGS: tuple[Coding, ...] = ("thermometer", "numeric")
"""The first one offers more directions."""


@dataclass(frozen=True)
class LeaderOptions:
    """Validated options; the meaning of each is documented at the estimator."""

    epsilon: float
    delta: float
    coding: Coding | Auto
    bound: Bound
    strength: float | Auto
    ridge: float | Auto
    adjacency: Adjacency
    expected_records: int

    @classmethod
    def checked(cls, options: Mapping[str, Any]) -> Self:
        """Check every option, naming the one that is wrong."""
        return cls(
            epsilon=real(options["epsilon"], "epsilon", above=0, most=MAX_EPSILON),
            delta=real(options["delta"], "delta", least=0, below=1),
            coding=auto_or(_a_coding, options["coding"], "coding"),
            bound=one_of(BOUNDS, options["bound"], "bound"),
            strength=auto_or(real, options["strength"], "strength", least=1e-3, most=1e12),
            ridge=auto_or(real, options["ridge"], "ridge", least=1e-6, most=1e3),
            adjacency=one_of(tuple(NEIGHBOURS), options["adjacency"], "adjacency"),
            expected_records=whole(
                options["expected_records"], "expected_records", least=1, most=MAX_RECORDS
            ),
        )

    @property
    def in_a_file(self) -> dict[str, Any]:
        """The options as a model file keeps them."""
        return dict(vars(self))

    @classmethod
    def from_file(cls, kept: dict[str, Any]) -> Self:
        """Read the options of a model file."""
        if kept.keys() != {known.name for known in fields(cls)}:
            raise OptionError("an option is missing or unknown")
        return cls.checked(kept)

    @property
    def target(self) -> ApproxDP:
        """The budget."""
        return ApproxDP(self.epsilon, self.delta)


def _a_coding(value: object, name: str) -> Coding:
    checked: Coding = one_of(CODINGS, value, name)
    return checked
