"""From checked options to the parts of a fit and the plan that binds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from discreet.boosting.defaults import Settings, settle
from discreet.boosting.options import BoostingOptions, Options
from discreet.boosting.plan import Plan, make_plan
from discreet.boosting.reweighting.base import Measure
from discreet.boosting.reweighting.class_weights import ClassWeights
from discreet.boosting.reweighting.lazy_bregman import NEEDS_N, LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.reweighting.smoothboost import SmoothBoost
from discreet.boosting.stopping import MassBelow
from discreet.boosting.weak_learners.base import WeakLearner
from discreet.errors import PlanError

H = TypeVar("H")


@dataclass(frozen=True)
class Assembly(Generic[H]):
    """The parts of one fit."""

    measure: Measure
    learner: WeakLearner[H]
    plan: Plan
    learning_rate: float
    stop: MassBelow | None
    max_level: int


def assemble(options: BoostingOptions, learner: WeakLearner[H], n_records: int | None) -> Assembly[H]:
    """Choose the measure that the options name, settle what is "auto", and make the plan.

    Parameters
    ----------
    options : BoostingOptions
        The checked options.
    learner : WeakLearner
        What proposes a hypothesis a round.
    n_records : int or None
        The number of rows of the container. It is dropped here, before anything could depend on it, if
        the adjacency makes it private.
    """
    n_records, size = public_size(options, n_records)
    settings = settle(options, size)
    measure = weighted(options, measure_for(options, settings, n_records))
    stop = None
    if options.reweighting == "smoothboost":
        # A share of what all records weigh at least in the first round, whatever their classes are.
        lightest = min((weight for _, weight in options.class_weight or ()), default=1.0)
        stop = MassBelow.share_of(size, settings.density * lightest, measure.bounds(options.adjacency, size))
    plan = make_plan(
        measure=measure,
        learner=learner,
        rounds=settings.rounds,
        target=options.target,
        adjacency=options.adjacency,
        n_records=n_records,
        settings=described(options, settings),
        stop=stop,
    )
    return Assembly(measure, learner, plan, settings.learning_rate, stop, plan.rounds)


def public_size(options: Options, n_records: int | None) -> tuple[int | None, int]:
    """Return the number of records, if it is public, and what stands for it in the settings."""
    if options.adjacency == "add-remove":
        return None, options.expected_records
    if n_records == 0:
        raise PlanError("the table has no records")
    return n_records, options.expected_records if n_records is None else n_records


def measure_for(options: BoostingOptions, settings: Settings, n_records: int | None) -> Measure:
    """Make the measure that the options name."""
    if options.reweighting == "madaboost":
        return MadaBoost(settings.learning_rate)
    if options.reweighting == "smoothboost":
        return SmoothBoost(settings.advantage, settings.margin)
    if n_records is None:
        raise PlanError(NEEDS_N)
    return LazyBregman(settings.learning_rate, settings.density, n_records)


def weighted(options: BoostingOptions, measure: Measure) -> Measure:
    """Scale a measure by the class weights, if there are any."""
    if options.class_weight is None:
        return measure
    (_, negative), (_, positive) = options.class_weight
    return ClassWeights(measure, negative, positive)


def described(options: BoostingOptions, settings: Settings) -> tuple[tuple[str, object], ...]:
    """List the settings of the re-weighting for a reader of the plan."""
    listed: tuple[tuple[str, object], ...] = (
        ("reweighting", options.reweighting),
        ("learning_rate", f"{settings.learning_rate:.4g}"),
    )
    if options.reweighting == "smoothboost":
        listed += (("margin", f"{settings.margin:.4g}"),)
    if options.reweighting != "madaboost":
        listed += (("density", f"{settings.density:.4g}"),)
    if options.reweighting == "smoothboost" and options.adjacency == "add-remove":
        listed += (("expected_records", options.expected_records),)
    if options.class_weight is not None:
        listed += (("class_weight", dict(options.class_weight)),)
    return listed
