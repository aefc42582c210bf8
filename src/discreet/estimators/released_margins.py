"""How a model's margins lie on a private table: a histogram with noise, from a budget of its own."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.accounting import ApproxDP
from discreet.accounting.adjacency import NEIGHBOURS, Adjacency
from discreet.boosting.options import MAX_EPSILON, one_of, real, whole
from discreet.boosting.sensitivity import histogram_sensitivity
from discreet.diagnostics.diagnosis import margin_bins
from discreet.engines.local import LocalEngine
from discreet.errors import OptionError
from discreet.estimators.boosted import BoostedClassifier
from discreet.estimators.charging import reserve
from discreet.ledger.ledger import Ledger
from discreet.mechanisms.claims import Claim
from discreet.mechanisms.priced import Priced, Share, priced
from discreet.mechanisms.release import Release
from discreet.mechanisms.source import current_sampler
from discreet.models.ensemble import RuleEnsemble
from discreet.models.statement import PrivacyStatement
from discreet.models.tree_ensemble import TreeEnsemble
from discreet.schema.encode import check_containers, encode, encode_labels
from discreet.schema.tables import open_table

UNIT = 2**33
"""Counts are released in parts of a record, so fine that the noise is nearly a normal one."""

MOST_COUNT = 2**28
"""Larger counts are cut, which brings no two tables further apart: sums stay exact whatever n is."""

MOST_BINS = 1000


@dataclass(frozen=True, eq=False)
class ReleasedMargins:
    """Roughly how many records have which margin.

    Parameters
    ----------
    counts : ndarray of float
        One a bin, with noise: they may be below zero.
    edges : ndarray of float
        One more; the bins have equal width over [-1, 1].
    deviation : float
        The standard deviation of the noise on each count.
    privacy : PrivacyStatement
        What the histogram costs, beside what the model did.
    """

    counts: npt.NDArray[np.float64]
    edges: npt.NDArray[np.float64]
    deviation: float
    privacy: PrivacyStatement


def release_margins(
    model: BoostedClassifier,
    X: Any,
    y: Any,
    *,
    epsilon: float,
    delta: float,
    bins: int = 20,
    adjacency: Adjacency = "replace",
    ledger: Ledger | str | os.PathLike[str] | None = None,
    account: str | None = None,
) -> ReleasedMargins:
    """Release a histogram of margins on a private table, with noise.

    It is a release of its own, and adds to what other releases from the same records cost. For a table that
    is public, ``discreet.diagnostics`` gives exact figures.

    Parameters
    ----------
    model : fitted BoostedRulesClassifier or BoostedTreesClassifier
        Whose margins.
    X, y : table and labels
        Private records. One with a label outside the classes counts in no bin.
    epsilon, delta : float
        The budget of this histogram alone; delta above 0.
    bins : int, default 20
        How many bins over [-1, 1].
    adjacency : {"replace", "add-remove"}, default "replace"
        Which tables count as neighbours.
    ledger : Ledger or path, optional
        The privacy budget that pays for it, before a record is read.
    account : str, optional
        The account of the ledger.

    Examples
    --------
    >>> import numpy as np
    >>> from discreet import BoostedRulesClassifier, Numeric
    >>> X = np.linspace(0, 1, 2000).reshape(-1, 1)
    >>> y = X[:, 0] > 0.5
    >>> model = BoostedRulesClassifier(schema=Numeric(0, 1, bins=10), classes=[False, True]).fit(X, y)
    >>> released = release_margins(model, X, y, epsilon=0.5, delta=1e-6, bins=4)
    >>> len(released.counts)
    4
    """
    bill = priced_margins(epsilon, delta, adjacency)
    (terms,) = bill.terms
    whole(bins, "bins", least=1, most=MOST_BINS)
    hypotheses = _rounds_of(model)
    sampler, void = current_sampler()
    table, target = open_table(X), model.schema_.target
    assert target is not None  # a fitted model's schema has one
    check_containers(table, model.schema_, y)
    what = f"margins of a {type(model).__name__}, {bins} bins"
    spend = reserve(ledger, account, bill.losses, what, adjacency, void)

    # No record was read so far.
    engine = LocalEngine(encode(table, model.schema_))
    levels = engine.open(encode_labels(y, target, table.n_records), len(hypotheses))
    for hypothesis in hypotheses:
        engine.advance(levels, hypothesis)
    per_level = engine.level_counts(levels).sum(axis=0)
    edges = np.linspace(-1, 1, bins + 1)
    histogram = np.bincount(margin_bins(len(hypotheses), bins), per_level, bins).astype(np.int64)
    noisy = Release(bill.terms, sampler).vector(terms.claim, np.minimum(histogram, MOST_COUNT) * UNIT)

    if spend is not None:
        spend.commit()
    return ReleasedMargins(
        noisy / UNIT,
        edges,
        terms.scale / UNIT,
        PrivacyStatement.of(bill.guarantee, bill.loss, adjacency, void, spend),
    )


def priced_margins(epsilon: float, delta: float, adjacency: Adjacency) -> Priced:
    """Return the claim of one histogram, and the noise that a budget pays for."""
    one_of(tuple(NEIGHBOURS), adjacency, "adjacency")
    budget = ApproxDP(
        real(epsilon, "epsilon", above=0, most=MAX_EPSILON), real(delta, "delta", above=0, below=1)
    )
    bound = histogram_sensitivity(adjacency, UNIT)
    claim = Claim("vector", "l2", bound, 1, "docs/proofs/released-margins.md", unit=UNIT)
    return priced(budget, lambda route: [Share(claim, 1)])


def _rounds_of(model: BoostedClassifier) -> tuple[Any, ...]:
    ensemble = getattr(model, "ensemble_", None)
    if isinstance(ensemble, RuleEnsemble):
        return ensemble.rules
    if isinstance(ensemble, TreeEnsemble):
        return ensemble.trees
    raise OptionError("release_margins() needs a fitted model that keeps its rounds: rules or trees")
