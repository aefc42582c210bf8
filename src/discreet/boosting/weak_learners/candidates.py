"""What a schema offers to weak learners, in the numbering of an engine's sums."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discreet.boosting.literals import Literal, literals_of
from discreet.schema.schema import Schema


@dataclass(frozen=True, eq=False)
class Candidates:
    """Every literal of a schema, the constant last.

    Parameters
    ----------
    literals : tuple of Literal
        Column by column.
    n_codes : array of int64
        How many codes each column has.
    first, last : arrays of int64
        Where each literal holds, with the codes of all columns one after the other.
    log_prior : array of float
        ln p of each literal, p proportional to (literals of its column)^(-1/2), so that wide columns do
        not win by their number of tries (PRIVACY.md 2.4). The constant counts as a column.
    """

    literals: tuple[Literal, ...]
    n_codes: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    log_prior: npt.NDArray[np.float64]

    @classmethod
    def of(cls, schema: Schema) -> Candidates:
        """Collect the literals of a schema."""
        literals = literals_of(schema)
        n_codes = np.array([column.n_codes for column in schema.columns.values()])
        columns = np.array([literal.column for literal in literals])
        starts = np.concatenate([[0], np.cumsum(n_codes)])[columns]
        siblings = np.append(np.bincount(columns[:-1])[columns[:-1]], 1)
        return cls(
            literals=literals,
            n_codes=n_codes,
            first=starts + np.array([literal.first for literal in literals]),
            last=starts + np.array([literal.last for literal in literals]),
            log_prior=-0.5 * np.log(siblings),
        )

    def __len__(self) -> int:
        return len(self.literals)
