"""Rows as peers get them: plain numbers and a public description, the same file for all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchmarks.peers.tables import Rows
from discreet.datasets import Dataset
from discreet.schema import Categorical, Numeric
from discreet.schema.columns import Column

Numbers = npt.NDArray[np.float64]


def hand_over(table: Dataset, train: Rows, test: Rows, path: Path) -> npt.NDArray[np.bool_]:
    """Write one split to a file, without the test labels, and return these."""
    X = _numbers(table)
    positive = _positive(table)
    columns = json.dumps(_described(table))
    np.savez(path, columns=columns, X=X[train], y=positive[train].astype(np.int8), X_test=X[test])
    return positive[test]


def _positive(table: Dataset) -> npt.NDArray[np.bool_]:
    assert table.schema.target is not None
    return (table.y == table.schema.target.classes[-1]).to_numpy()


def _described(table: Dataset) -> list[dict[str, Any]]:
    columns = table.schema.to_dict()["columns"]
    return [{"name": name, **columns[name]} for name in table.schema.names]


def _numbers(table: Dataset) -> Numbers:
    columns = table.schema.columns.items()
    return np.column_stack([_coded(column, table.X[name]) for name, column in columns])


def _coded(column: Column, cells: pd.Series) -> Numbers:
    """Clip numbers to their bounds; give categories and booleans their place, and -1 to anything else."""
    if isinstance(column, Numeric):
        return np.clip(cells.to_numpy(dtype=np.float64), column.low, column.high)
    values = column.values if isinstance(column, Categorical) else (False, True)
    places = cells.map({value: place for place, value in enumerate(values)})
    return places.fillna(-1).to_numpy(dtype=np.float64)
