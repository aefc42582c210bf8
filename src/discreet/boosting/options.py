"""The options of a fit, checked in one place."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, Literal, Self

import numpy as np

from discreet.accounting import ApproxDP
from discreet.accounting.adjacency import NEIGHBOURS, Adjacency
from discreet.errors import OptionError

Auto = Literal["auto"]
Reweighting = Literal["madaboost", "lazy-bregman", "smoothboost"]

MAX_EPSILON = 1e6
"""Beyond any meaning; larger ones are slips, and overflow."""

MAX_THREADS = 4096

MAX_RECORDS = 2**40
"""No table in memory has more."""

MAX_ROUNDS = 10_000
"""More rounds than any budget pays for; a record's level fits two bytes."""

REWEIGHTINGS: tuple[Reweighting, ...] = ("madaboost", "lazy-bregman", "smoothboost")

LEAST_CLASS_WEIGHT = 1e-3

ClassWeight = tuple[tuple[Any, float], ...]
"""Pairs of a class and its weight."""


@dataclass(frozen=True)
class Options:
    """Validated options that every fit has; each kind of learner adds its own."""

    epsilon: float
    delta: float
    adjacency: Adjacency
    expected_records: int

    @classmethod
    def checked(cls, options: dict[str, Any]) -> Self:
        """Check every option, naming the one that is wrong."""
        return cls(**cls._checked_fields(options))

    @classmethod
    def _checked_fields(cls, options: dict[str, Any]) -> dict[str, Any]:
        """Return each field, checked; the options of one learner add theirs."""
        return {
            "epsilon": real(options["epsilon"], "epsilon", above=0, most=MAX_EPSILON),
            "delta": real(options["delta"], "delta", least=0, below=1),
            "adjacency": one_of(tuple(NEIGHBOURS), options["adjacency"], "adjacency"),
            "expected_records": whole(
                options["expected_records"], "expected_records", least=1, most=MAX_RECORDS
            ),
        }

    @property
    def in_a_file(self) -> dict[str, Any]:
        """The options as a model file keeps them.

        One that came with a later version is left out while it has its default, so that earlier versions
        read the file.
        """
        return {
            known.name: value
            for known in fields(self)
            if (value := getattr(self, known.name)) != known.default
        }

    @classmethod
    def from_file(cls, kept: dict[str, Any]) -> Self:
        """Read the options of a model file; what is left out has its default."""
        names = {known.name for known in fields(cls)}
        needed = {known.name for known in fields(cls) if known.default is MISSING}
        if not needed <= kept.keys() <= names:
            raise OptionError("an option is missing or unknown")
        return cls.checked(kept)

    @property
    def target(self) -> ApproxDP:
        """The budget."""
        return ApproxDP(self.epsilon, self.delta)


@dataclass(frozen=True)
class BoostingOptions(Options):
    """Validated options; the meaning of each is documented at the estimator."""

    rounds: int | Auto
    learning_rate: float | Auto
    reweighting: Reweighting
    density: float | Auto
    # Options that older model files do not have come with a default.
    class_weight: ClassWeight | None = field(default=None, kw_only=True)

    @classmethod
    def _checked_fields(cls, options: dict[str, Any]) -> dict[str, Any]:
        checked = super()._checked_fields(options) | {
            "rounds": auto_or(whole, options["rounds"], "rounds", least=1, most=MAX_ROUNDS),
            "learning_rate": auto_or(real, options["learning_rate"], "learning_rate", least=1e-4, most=4),
            "reweighting": one_of(REWEIGHTINGS, options["reweighting"], "reweighting"),
            "density": auto_or(real, options["density"], "density", least=1e-4, below=1),
            "class_weight": _class_weight(options.get("class_weight")),
        }
        if checked["density"] != "auto" and checked["reweighting"] == "madaboost":
            raise OptionError("reweighting='madaboost' has no density to choose; leave it at 'auto'")
        return checked

    @property
    def releases(self) -> int:
        """How many releases a round has."""
        return 1

    def for_classes(self, classes: Sequence[Any]) -> Self:
        """Return the options with a class weight for each of these classes, in their order."""
        if self.class_weight is None:
            return self
        declared = dict(self.class_weight)
        if declared.keys() - set(classes):
            raise OptionError("class_weight names something that is not one of the classes")
        return replace(self, class_weight=tuple((label, declared.get(label, 1.0)) for label in classes))


def _class_weight(value: object) -> ClassWeight | None:
    """Check public class weights, given as a mapping, or as pairs the way a model file keeps them."""
    if value is None:
        return None
    if isinstance(value, str):
        raise OptionError(
            "class_weight must be a mapping of constants: weights that follow from how many records each "
            "class has, as 'balanced' ones do, depend on all records, and no noise would cover that"
        )
    try:
        weights = dict(value)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise OptionError("class_weight must map each class to its weight") from None
    return tuple(
        (label, real(weight, "class_weight", least=LEAST_CLASS_WEIGHT, most=1))
        for label, weight in weights.items()
    )


def checked_threads(n_jobs: object) -> int:
    """Turn scikit-learn's ``n_jobs`` into a number of threads."""
    if n_jobs is None:
        return 1
    if n_jobs == -1 and not isinstance(n_jobs, bool):
        return os.cpu_count() or 1
    return whole(n_jobs, "n_jobs", least=1, most=MAX_THREADS)


def auto_or(check: Any, value: object, name: str, **limits: float) -> Any:
    """Let "auto" pass, and check anything else."""
    return "auto" if isinstance(value, str) and value == "auto" else check(value, name, **limits)


def one_of(allowed: tuple[Any, ...], value: object, name: str) -> Any:
    """Check a choice."""
    if not (isinstance(value, str) and value in allowed):
        raise OptionError(f"{name} must be one of {', '.join(map(repr, allowed))}")
    return value


def whole(value: object, name: str, **limits: float) -> int:
    """Check a whole number against limits called above, least, below and most."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise OptionError(f"{name} must be a whole number{_described(limits)}")
    return int(_within(int(value), name, "a whole number", limits))


def checked_n_records(value: object) -> int:
    """Check a number of records that a user gave."""
    return whole(value, "n_records", least=0, most=MAX_RECORDS)


def real(value: object, name: str, **limits: float) -> float:
    """Check a number against limits called above, least, below and most."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise OptionError(f"{name} must be a number{_described(limits)}")
    try:
        plain = float(value)
    except OverflowError:
        plain = math.inf
    return float(_within(plain, name, "a number", limits))


def _within(value: float, name: str, kind: str, limits: dict[str, float]) -> float:
    """Check ``above < value < below`` and ``least <= value <= most``; nan and infinity never pass."""
    inside = (
        (isinstance(value, int) or math.isfinite(value))
        and value > limits.get("above", -math.inf)
        and value >= limits.get("least", -math.inf)
        and value < limits.get("below", math.inf)
        and value <= limits.get("most", math.inf)
    )
    if not inside:
        raise OptionError(f"{name} must be {kind}{_described(limits)}")
    return value


def _described(limits: dict[str, float]) -> str:
    words = {"above": "above", "least": "of at least", "below": "below", "most": "at most"}
    told = [f"{words[limit]} {bound:g}" for limit, bound in limits.items()]
    return f" {' and '.join(told)}" if told else ""
