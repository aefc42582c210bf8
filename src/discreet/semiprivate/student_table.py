"""The table that a student learns from: numbers only, none missing, by the schema's public rules.

Any scikit-learn classifier takes it as it is. A number stays a number, within its bounds; a category becomes
one column of 0 and 1 for each declared value; yes and no are 1 and 0. A cell in the bucket is the middle of
the bounds, or 0; where the schema asks for it, a column "is missing" is 1 there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from discreet.schema.columns import Boolean, Numeric
from discreet.schema.encode import encode, encode_numbers
from discreet.schema.schema import Schema
from discreet.schema.tables import Table


def student_table(table: Table, schema: Schema) -> pd.DataFrame:
    """Return the columns of the schema as numbers, one row a record."""
    codes, numbers = encode(table, schema), encode_numbers(table, schema)
    # A list, because a declared column may have the name of one that is made here.
    columns: list[tuple[str, npt.NDArray[np.float64]]] = []
    for index, (name, column) in enumerate(schema.columns.items()):
        of_cells = codes.values[index]
        if isinstance(column, Numeric):
            middle = column.low + (column.high - column.low) / 2
            columns.append((name, np.where(np.isnan(numbers[index]), middle, numbers[index])))
        elif isinstance(column, Boolean):
            columns.append((name, (of_cells == 1).astype(np.float64)))
        else:
            columns += [
                (f"{name} = {value}", (of_cells == code).astype(np.float64))
                for code, value in enumerate(column.values)
            ]
        if column.missing:
            missing = of_cells == column.n_codes - 1
            columns.append((f"{name} is missing", missing.astype(np.float64)))
    return pd.DataFrame(np.column_stack([cells for _, cells in columns]), columns=[n for n, _ in columns])
