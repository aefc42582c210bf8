"""The results file: a line a fit, only ever appended, so that a run that was broken off goes on where it
was."""

from __future__ import annotations

import csv
import threading
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from discreet.benchmark.metrics import METRICS

DONE = "done"


@dataclass(frozen=True)
class Result:
    """One fit: what it was, and what came of it.

    `outcome` is "done", or why there are no figures; these are then nan. `fold` is the seed as well.
    """

    table: str
    contestant: str
    epsilon: float
    delta: float
    adjacency: str
    fold: int
    outcome: str
    accuracy: float
    auc: float
    log_loss: float
    brier: float
    columns_used: float
    seconds: float
    n_train: int
    n_test: int
    software: str
    machine: str

    @property
    def key(self) -> tuple[str, str, float, int]:
        """What makes it this fit and no other."""
        return self.table, self.contestant, self.epsilon, self.fold


_FIELDS = {field.name: {"float": float, "int": int, "str": str}[str(field.type)] for field in fields(Result)}
_ROUNDED = (*METRICS, "seconds")


class ResultsFile:
    """Results on disk.

    Parameters
    ----------
    path : Path
        A CSV file, made where it is absent. A last line that was not written whole is dropped.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = _whole_lines(path.read_text() if path.exists() else "")
        path.write_text(whole or ",".join(_FIELDS) + "\n")
        self._keys = {result.key for result in read_results(path)}

    def __contains__(self, key: tuple[str, str, float, int]) -> bool:
        return key in self._keys

    def append(self, result: Result) -> None:
        """Write one more line, at once and whole."""
        cells = asdict(result)
        for name in _ROUNDED:
            cells[name] = f"{cells[name]:.6g}"
        with self._lock, self._path.open("a", newline="") as file:
            csv.DictWriter(file, list(_FIELDS), lineterminator="\n").writerow(cells)
            self._keys.add(result.key)


def read_results(path: Path) -> list[Result]:
    """Read every line of a results file."""
    with path.open(newline="") as file:
        return [
            Result(**{name: kind(line[name]) for name, kind in _FIELDS.items()})
            for line in csv.DictReader(file)
        ]


def _whole_lines(text: str) -> str:
    return text[: text.rfind("\n") + 1]
