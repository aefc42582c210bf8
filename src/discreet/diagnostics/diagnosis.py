"""Margins, advantages and levels of a fitted vote of rules or trees, on a public table.

Everything here is a function of what was released and of public records: nothing of the training table is
looked at, and no budget is spent. The names are those of Bun, Carmosino, Sorrell 2020.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Protocol

import numpy as np
import numpy.typing as npt

from discreet.diagnostics.public_table import PublicTable
from discreet.errors import InputError, OptionError
from discreet.models.ensemble import RuleEnsemble
from discreet.models.tree_ensemble import TreeEnsemble
from discreet.schema.encode import Codes, encode, encode_labels
from discreet.schema.schema import Schema
from discreet.schema.tables import open_table

Integers = npt.NDArray[np.int64]


class Reweighting(Protocol):
    """What a measure of ``discreet.boosting.reweighting`` offers: weights by label and level."""

    def weights(self, done: int, max_level: int, counts: Callable[[], Integers]) -> Integers:
        """Return the weight for each label and each level from -max_level to max_level."""
        ...


class FittedVote(Protocol):
    """A fitted classifier whose model is a vote of rules or trees."""

    schema_: Schema
    ensemble_: RuleEnsemble | TreeEnsemble


@dataclass(frozen=True, eq=False)
class BadSet:
    """What Pythia plays (Algorithm 8): the records on which the vote is worst.

    Parameters
    ----------
    records : ndarray of int
        Their rows in the public table: every mistake, then the least margins, until they are a share of
        kappa.
    margin : float
        The largest margin among those that were added; 0 if mistakes alone were enough. Every record
        outside has at least this margin.
    """

    records: npt.NDArray[np.intp]
    margin: float


def diagnose(model: FittedVote, table: PublicTable) -> Diagnosis:
    """Look at a fitted model on a public table.

    Parameters
    ----------
    model : fitted BoostedRulesClassifier or BoostedTreesClassifier
        Fitted, or loaded from its file.
    table : PublicTable
        Any other table is refused.

    Examples
    --------
    >>> import numpy as np
    >>> from discreet import BoostedRulesClassifier, Numeric
    >>> from discreet.boosting.reweighting.madaboost import MadaBoost
    >>> X = np.linspace(0, 1, 2000).reshape(-1, 1)
    >>> model = BoostedRulesClassifier(schema=Numeric(0, 1, bins=10), classes=[False, True])
    >>> model = model.fit(X, X[:, 0] > 0.5)
    >>> made_up = PublicTable([[0.2], [0.9]], [False, True], public=True)
    >>> diagnosis = diagnose(model, made_up)
    >>> advantages = diagnosis.advantages(MadaBoost(model.ensemble_.learning_rate))
    """
    if not isinstance(table, PublicTable):
        raise OptionError(
            "diagnose() takes PublicTable(X, y, public=True) and nothing else: what it returns are exact "
            "statistics of the records"
        )
    if not isinstance(model.ensemble_, RuleEnsemble | TreeEnsemble):
        raise OptionError(
            "diagnose() needs a model that keeps its rounds, a vote of rules or trees; a halfspace keeps "
            "their sum"
        )
    target = model.schema_.target
    assert target is not None  # a fitted model's schema has one
    opened = open_table(table.X)
    labels = encode_labels(table.y, target, opened.n_records)
    kept = np.flatnonzero(labels < len(target.classes))
    if not len(kept):
        raise InputError("the public table has no record with a label among the classes")
    codes = encode(opened, model.schema_)
    votes = list(model.ensemble_.votes_by_round(Codes(codes.values[:, kept], codes.n_codes)))
    return Diagnosis(votes, labels[kept], kept)


class Diagnosis:
    """What a vote does on public records; made by `diagnose`.

    Attributes
    ----------
    n_rounds, n_records : int
        How many rules or trees vote, and on how many records.
    """

    def __init__(
        self,
        votes: Sequence[Integers],
        labels: npt.NDArray[np.int8],
        rows: npt.NDArray[np.intp],
    ) -> None:
        self._votes = votes
        self._labels = labels
        self._signs = 2 * labels.astype(np.int64) - 1
        self._rows = rows
        self.n_rounds = len(votes)
        self.n_records = len(labels)

    def advantages(self, measure: Reweighting) -> npt.NDArray[np.float64]:
        """Return the advantage of each round's hypothesis under that round's weights (Definition 11).

        Half the weighted mean of y h(x), on the public records: above zero it beats a guess. Where all
        weights are zero the advantage is nan.

        Parameters
        ----------
        measure : Reweighting
            The measure whose weights to use, such as ``MadaBoost(model.ensemble_.learning_rate)``. A
            projected one projects on the public records.
        """
        found = np.full(self.n_rounds, np.nan)
        for t, (levels, agreement) in enumerate(self._rounds()):
            weights = measure.weights(t, self.n_rounds, partial(self._counted, levels))
            weight = weights[self._labels, levels + self.n_rounds]
            if total := int(weight.sum()):
                found[t] = int(weight @ agreement) / total / 2
        return found

    def level_counts(self, rounds: int | None = None) -> Integers:
        """Count the records by label and level, [label, level + n_rounds], after some rounds or all.

        Parameters
        ----------
        rounds : int, optional
            After how many rounds; all by default.
        """
        return self._counted(self._levels(self.n_rounds if rounds is None else rounds))

    def margins(self) -> npt.NDArray[np.float64]:
        """Return y H(x) of each record: the mean vote for its label, in [-1, 1]."""
        return np.asarray(self._levels(self.n_rounds) / self.n_rounds)

    def margin_histogram(self, bins: int = 20) -> tuple[Integers, npt.NDArray[np.float64]]:
        """Count the records by margin, in bins of equal width over [-1, 1].

        Returns
        -------
        counts : ndarray of int64
            One for each bin.
        edges : ndarray of float64
            One more.
        """
        place = margin_bins(self.n_rounds, bins)[self._levels(self.n_rounds) + self.n_rounds]
        return np.bincount(place, minlength=bins).astype(np.int64), np.linspace(-1, 1, bins + 1)

    def bad_set(self, density: float) -> BadSet:
        """Return Pythia's bad set and margin (Algorithm 8).

        Theorem 20 says of a run with advantage gamma on these very records that the margin is gamma at least.

        Parameters
        ----------
        density : float
            Kappa: how large the set has to be, as a share of the records.
        """
        if not 0 < density < 1:
            raise OptionError("density must be above 0 and below 1")
        levels = self._levels(self.n_rounds)
        worst_first = np.argsort(levels, kind="stable")
        mistakes = int((levels < 0).sum())
        # As a decimal, so that 0.1 of 30 records is 3; while |B| < kappa n one more joins.
        size = max(mistakes, -int(-Fraction(str(density)) * self.n_records // 1))
        margin = levels[worst_first[size - 1]] / self.n_rounds if size > mistakes else 0.0
        return BadSet(self._rows[np.sort(worst_first[:size])], float(margin))

    def _rounds(self) -> Iterator[tuple[Integers, Integers]]:
        """Give, for each round, the levels before it and y h(x) of its hypothesis."""
        levels = np.zeros(self.n_records, dtype=np.int64)
        for votes in self._votes:
            agreement = self._signs * votes
            yield levels, agreement
            levels = levels + agreement

    def _levels(self, rounds: int) -> Integers:
        if not 0 <= rounds <= self.n_rounds:
            raise OptionError(f"rounds must be between 0 and {self.n_rounds}")
        levels = np.zeros(self.n_records, dtype=np.int64)
        for votes in self._votes[:rounds]:
            levels += self._signs * votes
        return levels

    def _counted(self, levels: Integers) -> Integers:
        counts = np.zeros((2, 2 * self.n_rounds + 1), dtype=np.int64)
        np.add.at(counts, (self._labels, levels + self.n_rounds), 1)
        return counts


def margin_bins(rounds: int, bins: int) -> npt.NDArray[np.intp]:
    """Return the bin of each level from -rounds to rounds, in integers; the last bin has both of its ends."""
    up = np.arange(2 * rounds + 1)
    return np.minimum(up * bins // (2 * rounds), bins - 1)
