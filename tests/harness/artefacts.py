"""Everything that a fit leaves in its owner's hands, as bytes."""

from __future__ import annotations

import logging
import pickle
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

Artefacts = tuple[tuple[str, bytes], ...]


def shown(model: Any) -> dict[str, bytes]:
    """Return what a model over the columns of a schema shows.

    Predictions are made for a table that does not depend on the records.
    """
    return {
        "scorecard": model.scorecard().to_csv().encode(),
        "predictions": model.predict_proba(public_table(model.schema_)).tobytes(),
    }


def artefacts_of(model: Any, df: Any, y: Any, shown: Callable[[Any], dict[str, bytes]] = shown) -> Artefacts:
    """Fit a model and collect what came of it: files, prints, pickles, warnings, logs, and what it shows."""
    log = _Collected()
    with warnings.catch_warnings(record=True) as caught, log:
        warnings.simplefilter("always")
        model.fit(df, y)
        seen = shown(model)
    told = {
        "file": _file(model),
        "pickle": pickle.dumps(model),
        "repr": repr(model).encode(),
        "attributes": ", ".join(sorted(vars(model))).encode(),
        "plan": str(model.plan_).encode(),
        "statement": str(model.privacy_).encode(),
        **seen,
        "warnings": repr([(warning.category, str(warning.message)) for warning in caught]).encode(),
        "log": repr(log.records).encode(),
    }
    return tuple(told.items())


def public_table(schema: Any) -> pd.DataFrame:
    """Return a table with one record for every third code; a function of the schema only."""
    columns = {
        name: [*getattr(column, "cuts", getattr(column, "values", [False, True])), None][::3]
        for name, column in schema.columns.items()
    }
    longest = max(map(len, columns.values()))
    return pd.DataFrame({name: (cells * longest)[:longest] for name, cells in columns.items()}, dtype=object)


def _file(model: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save(path)
        return path.read_bytes()


class _Collected(logging.Handler):
    """Collects every log record of the package, at every level."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.records: list[tuple[str, str, str]] = []
        self._logger = logging.getLogger("discreet")

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append((record.name, record.levelname, record.getMessage()))

    def __enter__(self) -> _Collected:
        self._level = self._logger.level
        self._logger.addHandler(self)
        self._logger.setLevel(logging.DEBUG)
        return self

    def __exit__(self, *_: object) -> None:
        self._logger.removeHandler(self)
        self._logger.setLevel(self._level)
