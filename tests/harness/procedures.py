"""What the harness runs: a private procedure with settings small enough to enumerate.

A procedure takes a table of record types and a sampler, and gives back all that it puts out beside the
releases. There are two kinds: the boosting loop over coded records, and a whole fit from a data frame to
what its owner could hand out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from discreet import BoostedRulesClassifier
from discreet.accounting import ApproxDP
from discreet.accounting.adjacency import Adjacency
from discreet.boosting.features import NORM, FeatureMap
from discreet.boosting.loop import boost
from discreet.boosting.plan import Plan, make_plan
from discreet.boosting.resampling import Resampled
from discreet.boosting.stopping import MassBelow
from discreet.engines.base import Direction, View
from discreet.engines.local import LocalEngine
from discreet.engines.vectors import VectorEngine
from discreet.estimators.released_margins import priced_margins, release_margins
from discreet.mechanisms.release import Release, Sampler
from discreet.testing import seeded_noise, use_sampler
from tests.harness.artefacts import artefacts_of
from tests.harness.universes import Table, Universe

EXPECTED = 3
"""A public guess of the number of records, where it is private."""

MOST_LEVEL = 100
"""Of vectors; some records get there."""


class Procedure(Protocol):
    """A private procedure, on one universe, with one budget."""

    @property
    def universe(self) -> Universe:
        """Its record types."""
        ...

    @property
    def adjacency(self) -> Adjacency:
        """Which pairs are neighbours."""
        ...

    def plan_for(self, n: int) -> Plan:
        """Plan for a table of n records; one plan for all where n is private."""
        ...

    def run(self, table: Table, sampler: Sampler) -> Hashable:
        """Perform it on one table, and return its outputs beside the releases."""
        ...


@dataclass(frozen=True, eq=False)
class Loop:
    """The boosting loop over coded records; its hypotheses are its output.

    Parameters
    ----------
    measure, learner, stop : callable
        ``measure(n)``, ``learner(schema)`` and ``stop(n)`` make the parts; where n is private, ``stop`` is
        given one number for all tables.
    draws : int, optional
        Run the weak learner on so many drawn records instead of all.
    coding : str, optional
        Records are vectors of this coding, and not codes.
    """

    measure: Callable[[int], Any]
    learner: Callable[[Any], Any]
    universe: Universe
    adjacency: Adjacency = "replace"
    rounds: int = 1
    epsilon: float = 4.0
    delta: float = 0.0
    stop: Callable[[int], MassBelow] | None = None
    draws: int | None = None
    coding: Any = None
    _plans: dict[int | None, Plan] = field(default_factory=dict, init=False, repr=False)

    def plan_for(self, n: int) -> Plan:
        n_records = n if self.adjacency == "replace" else None
        if n_records not in self._plans:
            self._plans[n_records] = make_plan(
                measure=self.measure(n),
                learner=self._learner(n),
                rounds=self.rounds,
                target=ApproxDP(self.epsilon, self.delta),
                adjacency=self.adjacency,
                n_records=n_records,
                stop=self._stop(n_records),
            )
        return self._plans[n_records]

    def _learner(self, n: int) -> Any:
        base = self.learner(self.universe.schema)
        if self.draws is None:
            return base
        return Resampled(base, self.draws, n, self.measure(n).bounds(self.adjacency, n))

    def _stop(self, n_records: int | None) -> MassBelow | None:
        return None if self.stop is None else self.stop(EXPECTED if n_records is None else n_records)

    def run(self, table: Table, sampler: Sampler) -> Hashable:
        plan = self.plan_for(len(table))
        max_level = plan.rounds if self.coding is None else MOST_LEVEL
        hypotheses = boost(
            range(plan.rounds),
            self.measure(len(table)),
            self._learner(len(table)),
            self._opened(table, max_level),
            max_level,
            Release(plan.terms, sampler),
            self._stop(plan.n_records),
        )
        return tuple(_told(hypothesis) for hypothesis in hypotheses)

    def _opened(self, table: Table, max_level: int) -> Any:
        labels, codes = self.universe.labels(table), self.universe.codes(table)
        if self.coding is None:
            engine = LocalEngine(codes)
            return View(engine, engine.open(labels, max_level))
        features = FeatureMap(self.universe.schema, self.coding)
        return VectorEngine(features.vectors(codes, self.universe.numbers(table)), NORM).open(
            labels, max_level
        )


def _told(hypothesis: Any) -> Hashable:
    if isinstance(hypothesis, Direction):
        return hypothesis.rate, hypothesis.values.tobytes()
    return repr(hypothesis)


@dataclass(frozen=True, eq=False)
class WholeFit:
    """From a data frame to everything that the owner of a model could hand out.

    Parameters
    ----------
    options : dict
        The estimator's, but for its schema.
    estimator : type
        Which one.
    """

    universe: Universe
    options: dict[str, Any]
    estimator: type = BoostedRulesClassifier
    _plans: dict[int | None, Plan] = field(default_factory=dict, init=False, repr=False)

    @property
    def adjacency(self) -> Adjacency:
        return self._estimator().adjacency

    @property
    def public(self) -> dict[str, Any]:
        """What a fit and a plan are given beside the records."""
        return {}

    def plan_for(self, n: int) -> Plan:
        n_records = n if self.adjacency == "replace" else None
        if n_records not in self._plans:
            self._plans[n_records] = self._estimator().plan(n_records, **self.public)
        return self._plans[n_records]

    def run(self, table: Table, sampler: Sampler) -> Hashable:
        with use_sampler(sampler):
            return self._artefacts(table)

    def _artefacts(self, table: Table) -> Hashable:
        return artefacts_of(self._estimator(), *self.universe.frame(table), **self.public)

    def _estimator(self) -> Any:
        return self.estimator(schema=self.universe.schema, **self.options)


@dataclass(frozen=True, eq=False)
class SemiprivateFit(WholeFit):
    """A whole fit with a public record of every tenth type, so that most private ones are unlike them."""

    @property
    def public(self) -> dict[str, Any]:
        return {"public": self.universe.frame(tuple(range(0, len(self.universe.types), 10)))[0]}


@dataclass(frozen=True, eq=False)
class MarginsOf:
    """The release of margins, of one model that does not depend on the table."""

    universe: Universe
    adjacency: Adjacency

    def plan_for(self, n: int) -> Any:
        """Return what is priced; it depends on the budget only."""
        return priced_margins(1.0, 1e-6, self.adjacency)

    def run(self, table: Table, sampler: Sampler) -> Hashable:
        with use_sampler(sampler):
            released = release_margins(
                self._model, *self.universe.frame(table), epsilon=1.0, delta=1e-6, adjacency=self.adjacency
            )
        return released.counts.tobytes(), released.edges.tobytes(), str(released.privacy)

    @cached_property
    def _model(self) -> Any:
        everyone = self.universe.frame(tuple(range(len(self.universe.types))))
        with seeded_noise(0):
            return BoostedRulesClassifier(20.0, schema=self.universe.schema, rounds=9).fit(*everyone)
