"""The small comparison behind `discreet bench`: the estimators' defaults beside learning without privacy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from discreet.benchmark.learners import LEARNERS, columns_used, open_learner, private_learner
from discreet.benchmark.metrics import Metrics, measured
from discreet.datasets import Dataset

OPEN = "logistic, no privacy"
"""scikit-learn's logistic regression, for scale."""


@dataclass(frozen=True)
class Contest:
    """One learner on one table at one budget, once for each split.

    Attributes
    ----------
    table, learner : str
        Their names.
    epsilon, delta : float
        The guarantee of one fit; infinite and 0 without privacy.
    metrics : tuple of Metrics
        On held-out records, one a split.
    columns : float
        How many columns the models look at, on average.
    seconds : float
        What a fit took, on average.
    """

    table: str
    learner: str
    epsilon: float
    delta: float
    metrics: tuple[Metrics, ...]
    columns: float
    seconds: float


def compare(
    tables: Sequence[Dataset],
    epsilons: Sequence[float],
    delta: float,
    repeats: int,
    told: Callable[[str], object] = lambda what: None,
) -> Iterator[Contest]:
    """Fit every learner and yield what came out, table by table.

    Parameters
    ----------
    tables : sequence of Dataset
        With the publisher's split where there is one; of others a quarter is held out, anew in each repeat.
    epsilons : sequence of float
        The budgets of one fit each.
    delta : float
        The delta of each.
    repeats : int
        How many fits of each kind. Their noise is not seeded, so figures vary a little from run to run.
    told : callable
        Gets a line about what is being done.

    Yields
    ------
    Contest
        One for each table, learner and budget; without privacy there is one budget, infinity.
    """
    told("warming up")
    _warm_up(tables[0])
    for table in tables:
        splits = [_split(table, seed) for seed in range(repeats)]
        told(f"{table.name}: {OPEN}")
        yield _contest(table, OPEN, math.inf, 0.0, splits)
        for epsilon in epsilons:
            for learner in LEARNERS:
                told(f"{table.name}: {learner}, epsilon {epsilon:g}")
                yield _contest(table, learner, epsilon, delta, splits)


def n_contests(n_tables: int, n_epsilons: int) -> int:
    """Count what `compare` will yield."""
    return n_tables * (1 + n_epsilons * len(LEARNERS))


def _split(table: Dataset, seed: int) -> Any:
    from sklearn.model_selection import train_test_split

    if table.n_train is not None:
        return table.X_train, table.X_test, table.y_train, table.y_test
    return train_test_split(table.X, table.y, test_size=0.25, stratify=table.y, random_state=seed)


def _model(table: Dataset, learner: str, epsilon: float, delta: float) -> Any:
    return open_learner() if learner == OPEN else private_learner(learner, epsilon, delta, table.schema)


def _warm_up(table: Dataset) -> None:
    """Load and compile what every later fit finds ready, so that the first one is not timed with it."""
    train_X, _, train_y, _ = _split(table, 0)
    for learner in (OPEN, *LEARNERS):
        _model(table, learner, 1.0, 1e-5).fit(train_X[list(table.schema.names)], train_y)


def _contest(table: Dataset, learner: str, epsilon: float, delta: float, splits: Sequence[Any]) -> Contest:
    metrics, columns, seconds = [], [], []
    positive = table.schema.target.classes[-1] if table.schema.target else None
    names = list(table.schema.names)
    for train_X, test_X, train_y, test_y in splits:
        model = _model(table, learner, epsilon, delta)
        start = time.perf_counter()
        model.fit(train_X[names], train_y)
        seconds.append(time.perf_counter() - start)
        columns.append(len(names) if learner == OPEN else columns_used(model))
        probabilities = model.predict_proba(test_X[names])[:, list(model.classes_).index(positive)]
        metrics.append(measured((test_y == positive).to_numpy(), probabilities))
    repeats = len(splits)
    return Contest(
        table.name, learner, epsilon, delta, tuple(metrics), sum(columns) / repeats, sum(seconds) / repeats
    )
