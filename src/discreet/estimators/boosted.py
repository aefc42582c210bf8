"""What the boosted classifiers share: one way from a table to a model with a guarantee."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from discreet.boosting.assembly import Assembly
from discreet.boosting.loop import boost
from discreet.boosting.options import BoostingOptions, checked_threads
from discreet.boosting.plan import Plan
from discreet.engines.base import Task, View
from discreet.engines.local import LocalEngine
from discreet.estimators.charging import reserve
from discreet.estimators.private import refuse_unsupported, warn_of_delta
from discreet.estimators.tabular import TableClassifier
from discreet.mechanisms.release import Release
from discreet.mechanisms.source import current_sampler
from discreet.models.ensemble import Ensemble
from discreet.models.statement import PrivacyStatement
from discreet.schema.encode import check_containers, encode, encode_labels
from discreet.schema.schema import Schema, Target
from discreet.schema.tables import Table, open_table, resolve_schema

# Public fields only: the plan's, which is made before any record is read.
_LOG = logging.getLogger("discreet")
_BAR = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}]"


class BoostedClassifier(TableClassifier):
    """A classifier that boosts a private weak learner; each learner has a face of its own.

    A face has the parameters ``schema``, ``classes``, ``n_jobs``, ``progress``, ``ledger`` and ``account``
    beside those of its options.
    """

    _options_type: ClassVar[type[BoostingOptions]] = BoostingOptions

    @abstractmethod
    def _assemble(self, options: Any, schema: Schema, n_records: int | None) -> Assembly[Any]:
        """Choose the parts of a fit and make its plan; reads no record."""

    @abstractmethod
    def _ensemble(self, hypotheses: Sequence[Any], parts: Any) -> Ensemble:
        """Make the model out of what was released."""

    def _opened(
        self, table: Table, schema: Schema, parts: Any, labels: npt.NDArray[np.int8], threads: int
    ) -> Task:
        """Read the records, and begin a task on them."""
        engine = LocalEngine(encode(table, schema), threads)
        return View(engine, engine.open(labels, parts.max_level))

    def fit(self, X: Any, y: Any = None, **unsupported: Any) -> Self:
        """Learn from a private table.

        Parameters
        ----------
        X : table
            pandas, polars or pyarrow table, or a two-dimensional array. Columns that the schema does not
            name are ignored.
        y : column
            The labels. A label outside the classes gives its record weight 0.

        Returns
        -------
        self
        """
        refuse_unsupported(unsupported)
        options = self._options_type.checked(self.get_params(deep=False))
        threads = checked_threads(self.n_jobs)
        sampler, void = current_sampler()
        table = open_table(X)
        schema, target = self._targeted(resolve_schema(self.schema, table))
        options = options.for_classes(target.classes)
        parts = self._assemble(options, schema, table.n_records)
        plan = parts.plan
        warn_of_delta(plan.guarantee, plan.n_records)
        _LOG.info("fit: %d rounds, %s", plan.rounds, plan.guarantee)
        check_containers(table, schema, y)
        what = f"{type(self).__name__}, {plan.rounds} rounds"
        spend = reserve(self.ledger, self.account, plan.losses, what, plan.adjacency, void)

        # No record was read so far.
        labels = encode_labels(y, target, table.n_records)
        view = self._opened(table, schema, parts, labels, threads)
        rounds = range(plan.rounds)
        hypotheses = boost(
            # Also a disabled bar takes a lock that forked processes share, and one that is killed keeps it.
            tqdm(rounds, desc="rounds", bar_format=_BAR) if self.progress else rounds,
            parts.measure,
            parts.learner,
            view,
            parts.max_level,
            Release(plan.terms, sampler),
            parts.stop,
        )

        if spend is not None:
            spend.commit()
        self.plan_ = plan
        self._set_fitted(
            options,
            schema,
            target,
            self._ensemble(hypotheses, parts),
            PrivacyStatement.of(plan.guarantee, plan.loss, plan.adjacency, void, spend),
            named=table.has_names,
        )
        return self

    def plan(self, n_records: int | None = None) -> Plan:
        """Show what a fit would release, how often, and at what loss; reads no data.

        Parameters
        ----------
        n_records : int, optional
            The public number of records; needed under ``adjacency="replace"``.
        """
        options = self._options_type.checked(self.get_params(deep=False))
        schema, size = self._planned(options.adjacency, n_records)
        if options.class_weight is not None:
            schema, target = self._targeted(schema)
            options = options.for_classes(target.classes)
        return self._assemble(options, schema, size).plan

    def _settled(self, options: BoostingOptions, target: Target) -> BoostingOptions:
        return options.for_classes(target.classes)
