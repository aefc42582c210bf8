"""What the results file says: means over folds, and our defaults paired with each peer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from benchmarks.peers.contestants import ADD_REMOVE, CONTESTANTS, DEFAULTS
from benchmarks.peers.paired import Interval, paired_interval
from benchmarks.peers.results import DONE, Result
from benchmarks.peers.tables import FOLDS
from discreet.benchmark.metrics import mean_and_error

ALONE = {"adult": "discreet rules"}
"""Tables where one of our learners has to stand for all; elsewhere the best of the defaults does."""


@dataclass(frozen=True)
class Row:
    """One contestant on one table at one budget."""

    contestant: str
    epsilon: float
    results: tuple[Result, ...]
    """Those with figures, by fold."""
    failures: tuple[str, ...]
    """Why others have none."""

    def values(self, name: str) -> list[float]:
        """Return a figure of every fold."""
        return [getattr(result, name) for result in self.results]

    def mean(self, name: str) -> float:
        """Return the mean of a figure over the folds."""
        return mean_and_error(self.values(name))[0]

    def error(self, name: str) -> float:
        """Return the standard error of that mean."""
        return mean_and_error(self.values(name))[1]

    @property
    def is_whole(self) -> bool:
        """Whether every fold was run, with figures or without."""
        return len(self.results) + len(self.failures) == FOLDS


Rows = Mapping[tuple[str, float], Row]
"""By contestant and epsilon, of one table."""


def rows_of(results: Iterable[Result]) -> dict[str, Rows]:
    """Sort results by table, contestant and budget; contestants in their order."""
    gathered: dict[str, dict[tuple[str, float], list[Result]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        gathered[result.table][result.contestant, result.epsilon].append(result)
    return {
        table: {
            (contestant.name, epsilon): _row(contestant.name, epsilon, cells[contestant.name, epsilon])
            for contestant in CONTESTANTS
            for epsilon in sorted({epsilon for name, epsilon in cells if name == contestant.name})
        }
        for table, cells in gathered.items()
    }


def _row(contestant: str, epsilon: float, results: list[Result]) -> Row:
    done = sorted((result for result in results if result.outcome == DONE), key=lambda result: result.fold)
    failures = tuple(result.outcome for result in results if result.outcome != DONE)
    return Row(contestant, epsilon, tuple(done), failures)


def representative(table: str, rows: Rows, epsilon: float) -> Row | None:
    """Return the defaults of ours that are compared; where there is a choice, those of the best mean
    accuracy."""
    names = [ALONE[table]] if table in ALONE else [contestant.name for contestant in DEFAULTS]
    found = [rows[name, epsilon] for name in names if (name, epsilon) in rows]
    whole = [row for row in found if len(row.results) == FOLDS]
    # Before all learners were run, there is no best of them.
    return max(whole, key=lambda row: row.mean("accuracy")) if len(whole) == len(names) else None


@dataclass(frozen=True)
class Duel:
    """Our defaults against one private peer: differences, ours minus theirs."""

    ours: Row
    theirs: Row
    accuracy: Interval
    auc: Interval

    @property
    def is_won(self) -> bool:
        """Whether ours is ahead in both means."""
        return self.accuracy.mean > 0 and self.auc.mean > 0


def duels(table: str, rows: Rows, epsilon: float) -> list[Duel]:
    """Pair our defaults with every private peer that was run on all folds.

    A peer that promises add-remove is paired with the same learner of ours under add-remove as well.
    """
    ours = representative(table, rows, epsilon)
    if ours is None:
        return []
    alike = rows.get((f"{ours.contestant}, add/remove", epsilon))
    found = []
    for peer in CONTESTANTS:
        theirs = rows.get((peer.name, epsilon))
        if peer.is_ours or not peer.is_private or theirs is None or len(theirs.results) < FOLDS:
            continue
        found.append(_duel(ours, theirs))
        if peer.adjacency == ADD_REMOVE and alike is not None and len(alike.results) == FOLDS:
            found.append(_duel(alike, theirs))
    return found


def _duel(ours: Row, theirs: Row) -> Duel:
    def paired(name: str) -> Interval:
        return paired_interval(ours.values(name), theirs.values(name))

    return Duel(ours, theirs, paired("accuracy"), paired("auc"))


def failures(rows: Rows) -> Counter[tuple[str, str]]:
    """Count fits without figures, by contestant and reason."""
    return Counter((row.contestant, reason) for row in rows.values() for reason in row.failures)
