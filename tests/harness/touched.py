"""Tables that tell when a record is read."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd


class RecordRead(BaseException):
    """A record was read. No `Exception`: a cell that raises one counts as missing."""


def telling(tell: Callable[[], None], names: list[str], n: int = 20) -> tuple[pd.DataFrame, pd.Series]:
    """Return a table and labels that call `tell` whenever a cell is read."""

    class Cell(np.float32):
        # Of the types that cells may have, one whose own method is asked for its value.
        def __float__(self) -> float:
            tell()
            return 1.0

    def column() -> pd.Series:
        return pd.Series([Cell(1) for _ in range(n)], dtype=object)

    return pd.DataFrame({name: column() for name in names}), column()


def untouchable(names: list[str]) -> tuple[pd.DataFrame, pd.Series]:
    """Return a table and labels that nobody may read."""

    def tell() -> None:
        raise RecordRead

    return telling(tell, names)
