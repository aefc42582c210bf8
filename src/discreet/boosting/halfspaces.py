"""The parts of a halfspace learner: HS-StL of Bun, Carmosino and Sorrell, with any measure (5).

A record's level is floor(rate y <Z, x>) for the running sum Z of released vectors, kept between two public
ends. Where they lie is a matter of accuracy alone, since any function of the record and the releases will do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from discreet.boosting.assembly import Assembly, described, measure_for, public_size, weighted
from discreet.boosting.defaults import Settings, signal_of
from discreet.boosting.features import NORM, Coding, FeatureMap
from discreet.boosting.options import Auto, BoostingOptions, Reweighting, auto_or, one_of, real
from discreet.boosting.plan import make_plan
from discreet.boosting.weak_learners.centring import Centring
from discreet.engines.base import Direction
from discreet.errors import PlanError
from discreet.schema.schema import Schema


@dataclass(frozen=True)
class LevelGrid:
    """How finely levels are kept, and how many.

    Parameters
    ----------
    grain : float
        What a level is to the measure, as its learning rate.
    most : int
        Levels are kept between -most and most.
    """

    grain: float
    most: int


# MadaBoost's weights are full below level 0, and nil beyond 443: a level changes a weight by 3%. The
# projected measure follows the records as their margins grow with the rounds: by exp(417) at most, at 10,000
# rounds and the theorem's rate, and 4095 levels are exp(512).
GRIDS: dict[Reweighting, LevelGrid] = {
    "madaboost": LevelGrid(1 / 64, 1023),
    "lazy-bregman": LevelGrid(1 / 8, 4095),
}

CODINGS: tuple[Coding, ...] = ("numeric", "thermometer")

# The total step, twice rounds times learning rate, is what the log odds of a record would be if every round
# moved it as far as it can; the deviation of their noise is the step over the signal.
_STEP_PER_SIGNAL = 1.25
_MOST_STEP = 2500.0
_STEP_PER_ROUND = 12.5
_LEAST_ROUNDS = 20
_DENSITY = 0.3
_LEAST_RATE, _MOST_RATE = 1e-4, 1e4


@dataclass(frozen=True)
class HalfspaceOptions(BoostingOptions):
    """Validated options; the meaning of each is documented at the estimator."""

    coding: Coding | Auto

    @classmethod
    def _checked_fields(cls, options: dict[str, Any]) -> dict[str, Any]:
        rate = auto_or(real, options["learning_rate"], "learning_rate", least=_LEAST_RATE, most=_MOST_RATE)
        return super()._checked_fields(options | {"learning_rate": "auto"}) | {
            "learning_rate": rate,
            "coding": auto_or(lambda value, name: one_of(CODINGS, value, name), options["coding"], "coding"),
        }


@dataclass(frozen=True)
class HalfspaceAssembly(Assembly[Direction]):
    """The parts of one fit, and what turns released vectors into a model."""

    coding: Coding
    unit: float
    """Half the log odds of an inner product of 1, with the sum of all released vectors."""


def assemble_halfspaces(
    options: HalfspaceOptions, schema: Schema, n_records: int | None
) -> HalfspaceAssembly:
    """Settle what is "auto", choose the parts, and make the plan; reads no record.

    One round's vector divided by ``size * cap * NORM`` has norm 1 at most, and so has a record's vector
    divided by ``NORM``: their inner product is the vote of a round, between -1 and 1, whose weight is
    ``learning_rate``. These are public constants only: never the mass, which is private.
    """
    if options.reweighting == "smoothboost":
        raise PlanError(
            "smoothboost counts votes, and a halfspace has margins of any size: use "
            "reweighting='madaboost' or 'lazy-bregman'"
        )
    n_records, size = public_size(options, n_records)
    settings = settle_halfspaces(options, size)
    grid = GRIDS[options.reweighting]
    coding = coding_of(options)
    measure = weighted(options, measure_for(options, replace(settings, learning_rate=grid.grain), n_records))
    cap = measure.bounds(options.adjacency, size).cap
    unit = settings.learning_rate / (size * cap * NORM**2)
    learner = Centring(len(FeatureMap(schema, coding).features), unit / grid.grain)
    plan = make_plan(
        measure=measure,
        learner=learner,
        rounds=settings.rounds,
        target=options.target,
        adjacency=options.adjacency,
        n_records=n_records,
        settings=(*described(options, settings), ("coding", coding)),
    )
    return HalfspaceAssembly(measure, learner, plan, settings.learning_rate, None, grid.most, coding, unit)


def coding_of(options: HalfspaceOptions) -> Coding:
    """Settle the coding."""
    return "numeric" if options.coding == "auto" else options.coding


def settle_halfspaces(options: HalfspaceOptions, n_records: int) -> Settings:
    """Settle every "auto" from the budget and a public number of records (docs/decisions/0007)."""
    step = min(_MOST_STEP, _STEP_PER_SIGNAL * signal_of(options, n_records))
    best_rounds = max(_LEAST_ROUNDS, math.ceil(step / _STEP_PER_ROUND))
    rounds = best_rounds if isinstance(options.rounds, str) else options.rounds
    best = min(_MOST_RATE, max(_LEAST_RATE, step / (2 * rounds)))
    return Settings(
        rounds=rounds,
        learning_rate=best if isinstance(options.learning_rate, str) else options.learning_rate,
        density=_DENSITY if isinstance(options.density, str) else options.density,
    )
