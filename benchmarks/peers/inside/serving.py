"""What every peer shares: jobs come as lines of JSON, rows in one file, probabilities go out in another.

A peer is a script in this folder. It runs in an environment of its own (environments.py), so this module
needs nothing but numpy, of any version. A peer stays alive from job to job, and a first, small fit that is
not timed loads and compiles what every later one finds ready.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

WARM_UP_ROWS = 500


@dataclass(frozen=True)
class Job:
    """One fit.

    `columns` are what is public: a list of name, kind, and low, high, cuts or values. In `X` and `X_test` a
    numeric column is the number itself, clipped to its bounds (nan where missing), a categorical one the
    place in `values` (-1 for anything else), a boolean one 0 or 1 (-1 for anything else). `y` is 1 for the
    positive class.
    """

    columns: list[dict[str, Any]]
    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    epsilon: float
    delta: float
    seed: int
    settings: dict[str, Any]


@dataclass(frozen=True)
class Fitted:
    """What a fit leaves: how to score rows, and how many columns that looks at."""

    score: Callable[[np.ndarray], np.ndarray]
    columns_used: int


Fit = Callable[[Job], Fitted]


def serve(fit: Fit, packages: Sequence[str]) -> None:
    """Answer jobs from standard input until it ends; `packages` are those whose versions are told."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # What a library prints must not be taken for an answer.
    warnings.simplefilter("ignore")
    told = ", ".join(f"{name} {version(name)}" for name in packages)
    software = f"Python {platform.python_version()}, {told}"
    for line in sys.stdin:
        try:
            answer = {"software": software, **_answer(fit, json.loads(line))}
        except Exception as error:
            # The text of an OSError names a path of this machine, which is nobody's business.
            text = error.strerror if isinstance(error, OSError) else error
            answer = {"problem": " ".join(f"{type(error).__name__}: {text}".split())[:200]}
        print(json.dumps(answer), file=answers, flush=True)


def _answer(fit: Fit, asked: dict[str, Any]) -> dict[str, Any]:
    job = _read(asked)
    if asked["warm_up"]:
        few = slice(WARM_UP_ROWS)
        fit(Job(job.columns, job.X[few], job.y[few], job.X_test[few], *_terms(asked))).score(job.X_test[few])
        return {}
    # Processor time: other work on the machine does not count, and there is one thread.
    start = time.process_time()
    fitted = fit(job)
    seconds = time.process_time() - start
    np.save(asked["out"], np.asarray(fitted.score(job.X_test), dtype=np.float64), allow_pickle=False)
    return {"seconds": seconds, "columns_used": fitted.columns_used}


def _read(asked: dict[str, Any]) -> Job:
    with np.load(asked["rows"], allow_pickle=False) as file:
        columns = json.loads(str(file["columns"]))
        return Job(columns, file["X"], file["y"], file["X_test"], *_terms(asked))


def _terms(asked: dict[str, Any]) -> tuple[float, float, int, dict[str, Any]]:
    return asked["epsilon"], asked["delta"], asked["seed"], asked["settings"]
