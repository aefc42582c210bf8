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


Shown = Callable[[Any], dict[str, bytes]]


def predictions(model: Any) -> dict[str, bytes]:
    """Return predictions for a table that does not depend on the records."""
    predict = getattr(model, "predict_proba", model.predict)
    return {"predictions": predict(public_table(model.schema_)).tobytes()}


def shown(model: Any) -> dict[str, bytes]:
    """Return what a model over the columns of a schema shows."""
    return {"scorecard": model.scorecard().to_csv().encode(), **predictions(model)}


def artefacts_of(model: Any, df: Any, y: Any, shown: Shown = shown, **public: Any) -> Artefacts:
    """Fit a model and collect what came of it, its file included; what is ``public`` goes to the fit."""
    told = _left_by(model, lambda: model.fit(df, y, **public), shown)
    return tuple((told | {"file": _file(model)}).items())


def student_artefacts_of(model: Any, df: Any, y: Any, public: Any) -> Artefacts:
    """Fit a model that labels public records, and collect what came of it."""
    told = _left_by(model, lambda: model.fit(df, y, public=public), predictions)
    own = {
        name: getattr(model, name).tobytes() if len(getattr(model, name)) else b""
        for name in ("points_", "released_", "public_labels_")
        if hasattr(model, name)
    }
    return tuple((told | own).items())


def rule_artefacts_of(model: Any, df: Any, y: Any, **public: Any) -> Artefacts:
    """Fit a model that is one rule, and collect what came of it."""
    told = _left_by(model, lambda: model.fit(df, y, **public), predictions)
    return tuple((told | {"rule": repr(model.rule_).encode()}).items())


def _left_by(model: Any, fit: Callable[[], object], shown: Shown) -> dict[str, bytes]:
    """Fit, and collect prints, pickles, warnings, logs, and what the model shows."""
    log = _Collected()
    with warnings.catch_warnings(record=True) as caught, log:
        warnings.simplefilter("always")
        fit()
        seen = shown(model)
    return {
        "pickle": pickle.dumps(model),
        "repr": repr(model).encode(),
        "attributes": ", ".join(sorted(vars(model))).encode(),
        "plan": str(model.plan_).encode(),
        "statement": str(model.privacy_).encode(),
        **seen,
        "warnings": repr([(warning.category, str(warning.message)) for warning in caught]).encode(),
        "log": repr(log.records).encode(),
    }


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
