"""Run this library and its peers on the same rows: `python -m benchmarks.peers.run --help`.

Every fit is a line in results/results.csv. A run that is broken off goes on where it was; a line that should
be run again is deleted by hand. `python -m benchmarks.peers.report` then writes tables and figures.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import platform
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from benchmarks.peers.contestants import CONTESTANTS, Contestant
from benchmarks.peers.environments import EnvironmentFailed, default_cache, python_of
from benchmarks.peers.handover import hand_over
from benchmarks.peers.results import DONE, Result, ResultsFile
from benchmarks.peers.tables import FOLDS, TABLES, folds
from benchmarks.peers.worker import PeerFailed, Worker
from discreet.benchmark.metrics import METRICS, measured

EPSILONS = (0.1, 1.0, 0.05, 0.5, 3.0)
FIRST = 2
"""So many budgets are run on every table before the others are begun."""

RESULTS = Path(__file__).with_name("results")
_NO_FIGURES = dict.fromkeys((*METRICS, "columns_used", "seconds"), math.nan)


@dataclass(frozen=True)
class Batch:
    """What one process of a peer does: some budgets on one table, every fold."""

    table: str
    contestant: Contestant
    cells: tuple[tuple[float, int], ...]
    """Budget and fold of each fit."""


def batches(
    tables: Sequence[str], contestants: Sequence[Contestant], epsilons: Sequence[float], done: ResultsFile
) -> Iterator[Batch]:
    """Yield what is still to be done, the most wanted first."""
    for tier, open_budget in ((epsilons[:FIRST], [math.inf]), (epsilons[FIRST:], [])):
        for table, contestant in itertools.product(tables, contestants):
            # Without privacy there is one budget, and it is run with the first.
            budgets = tier if contestant.is_private else open_budget
            cells = tuple(
                (epsilon, fold)
                for epsilon in budgets
                for fold in range(FOLDS)
                if (table, contestant.name, epsilon, fold) not in done
            )
            if cells:
                yield Batch(table, contestant, cells)


class Splits:
    """The rows of every fold, written once into a folder for all peers."""

    def __init__(self, tables: Iterable[str], folder: Path) -> None:
        self._of = {table: list(_written(table, folder)) for table in tables}

    def __call__(self, table: str, fold: int) -> tuple[Path, np.ndarray]:
        """Return the file with the rows, and the test labels."""
        return self._of[table][fold]


def _written(table: str, folder: Path) -> Iterator[tuple[Path, np.ndarray]]:
    loaded = TABLES[table]()
    if loaded.n_train is not None:
        # The publisher's split, with ten seeds.
        train, test = next(folds(loaded))
        path = folder / f"{table}.npz"
        yield from [(path, hand_over(loaded, train, test, path))] * FOLDS
        return
    for fold, (train, test) in enumerate(folds(loaded)):
        path = folder / f"{table}-{fold}.npz"
        yield path, hand_over(loaded, train, test, path)


def run_batch(batch: Batch, splits: Splits, python: Path, limit: float, out: ResultsFile, bar: Any) -> None:
    """Fit, measure and write down every cell of a batch."""
    with Worker(python, batch.contestant.script, limit) as worker:
        # A failure shows again, and is written down, at the first cell.
        with suppress(PeerFailed):
            _ask(worker, batch, splits, *batch.cells[0], warm_up=True)
        for epsilon, fold in batch.cells:
            out.append(_fitted(worker, batch, splits, epsilon, fold))
            bar.update()


def _fitted(worker: Worker, batch: Batch, splits: Splits, epsilon: float, fold: int) -> Result:
    try:
        answer, scores = _ask(worker, batch, splits, epsilon, fold)
        metrics = measured(splits(batch.table, fold)[1], scores)
    except (PeerFailed, ValueError) as error:
        return _result(batch, splits, epsilon, fold, str(error), "", _NO_FIGURES)
    figures = {name: getattr(metrics, name) for name in METRICS}
    figures |= {name: answer[name] for name in ("columns_used", "seconds")}
    return _result(batch, splits, epsilon, fold, DONE, answer["software"], figures)


def _ask(
    worker: Worker, batch: Batch, splits: Splits, epsilon: float, fold: int, warm_up: bool = False
) -> tuple[dict[str, Any], np.ndarray]:
    rows, _ = splits(batch.table, fold)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "scores.npy"
        answer = worker.ask(
            rows=str(rows),
            out=str(out),
            # JSON knows no infinity; what is not private does not read its budget.
            epsilon=epsilon if math.isfinite(epsilon) else 0.0,
            delta=batch.contestant.delta,
            seed=fold,
            settings=batch.contestant.settings,
            warm_up=warm_up,
        )
        return answer, np.empty(0) if warm_up else np.load(out, allow_pickle=False)


def _result(
    batch: Batch,
    splits: Splits,
    epsilon: float,
    fold: int,
    outcome: str,
    software: str,
    figures: dict[str, float],
) -> Result:
    rows, positive = splits(batch.table, fold)
    with np.load(rows, allow_pickle=False) as file:
        n_train = len(file["y"])
    return Result(
        table=batch.table,
        contestant=batch.contestant.name,
        epsilon=epsilon,
        delta=batch.contestant.delta,
        adjacency=batch.contestant.adjacency,
        fold=fold,
        outcome=outcome,
        n_train=n_train,
        n_test=len(positive),
        software=software,
        machine=machine(),
        **figures,
    )


@cache
def machine() -> str:
    """Tell the processor and the number of its cores; nothing that names the machine."""
    model = platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    names = [contestant.name for contestant in CONTESTANTS]
    parser.add_argument("--table", choices=TABLES, action="append", help="instead of all")
    parser.add_argument("--contestant", choices=names, action="append", help="instead of all")
    parser.add_argument("--epsilon", type=float, action="append", help=f"instead of {EPSILONS}")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once, of one thread each")
    parser.add_argument("--limit", type=float, default=900, help="seconds after which a fit is given up")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="folder for environments, rows")
    parser.add_argument("--results", type=Path, default=RESULTS / "results.csv")
    return parser.parse_args()


def main() -> None:
    """Run what is not yet in the results file."""
    options = _options()
    chosen = [c for c in CONTESTANTS if c.name in (options.contestant or [c.name])]
    out = ResultsFile(options.results)
    left = list(batches(options.table or list(TABLES), chosen, options.epsilon or EPSILONS, out))
    options.cache.mkdir(parents=True, exist_ok=True)
    pythons = dict(_environments({batch.contestant.environment for batch in left}, options.cache))
    left = [batch for batch in left if batch.contestant.environment in pythons]
    with (
        tempfile.TemporaryDirectory(dir=options.cache) as folder,
        tqdm(total=sum(len(batch.cells) for batch in left), unit="fit") as bar,
        ThreadPoolExecutor(options.jobs) as pool,
    ):
        splits = Splits({batch.table for batch in left}, Path(folder))
        running = [
            pool.submit(
                run_batch, batch, splits, pythons[batch.contestant.environment], options.limit, out, bar
            )
            for batch in left
        ]
        for future in running:
            future.result()


def _environments(names: Iterable[str], cache: Path) -> Iterator[tuple[str, Path]]:
    """Yield what could be made, and say what could not: its peers are left out."""
    for name in names:
        try:
            yield name, python_of(name, cache)
        except EnvironmentFailed as error:
            print(f"environment {name}: {error}")


if __name__ == "__main__":
    main()
