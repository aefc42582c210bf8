"""Record types, every small table of them, and every pair of neighbours among those."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from discreet import Boolean, Categorical, Numeric, Schema, Target
from discreet.accounting.adjacency import Adjacency
from discreet.schema.encode import Codes, encode, encode_labels, encode_numbers
from discreet.schema.tables import open_table
from tests.unit.schema.odd_cells import odd_cells

Table = tuple[int, ...]
"""Records, each the number of its type."""


@dataclass(frozen=True, eq=False)
class Universe:
    """A schema, and record types over it: the cells of the columns, and the label last.

    Cells are kept in columns of type object, so that the container is the same for all tables.
    """

    schema: Schema
    types: tuple[tuple[object, ...], ...]

    def tables(self, n: int) -> list[Table]:
        """List the multisets of n records: their order does not matter to exact integers."""
        return list(itertools.combinations_with_replacement(range(len(self.types)), n))

    def frame(self, table: Table) -> tuple[pd.DataFrame, pd.Series]:
        columns = [_objects(column) for column in self._columns(table)]
        names = [*self.schema.names, self.schema.target.name]
        frame = pd.DataFrame(dict(zip(names, columns, strict=True)), dtype=object)
        return frame[list(self.schema.names)], frame[self.schema.target.name]

    def codes(self, table: Table) -> Codes:
        return Codes(np.ascontiguousarray(self._coded.values[:, list(table)]), self._coded.n_codes)

    def numbers(self, table: Table) -> dict[int, np.ndarray]:
        return {index: values[list(table)] for index, values in self._numbers.items()}

    def labels(self, table: Table) -> np.ndarray:
        return self._labels[list(table)]

    def types_of_label(self, label: int) -> np.ndarray:
        """List the types with a label code; 2 is for labels outside the classes."""
        return np.flatnonzero(self._labels == label)

    def _columns(self, table: Table) -> list[list[object]]:
        return [[self.types[kind][place] for kind in table] for place in range(len(self.types[0]))]

    @cached_property
    def _coded(self) -> Codes:
        return encode(open_table(self.frame(tuple(range(len(self.types))))[0]), self.schema)

    @cached_property
    def _numbers(self) -> dict[int, np.ndarray]:
        return encode_numbers(open_table(self.frame(tuple(range(len(self.types))))[0]), self.schema)

    @cached_property
    def _labels(self) -> np.ndarray:
        labels = [record[-1] for record in self.types]
        return encode_labels(labels, self.schema.target, len(labels))


def _objects(cells: Sequence[object]) -> np.ndarray:
    column = np.empty(len(cells), dtype=object)
    for place, cell in enumerate(cells):
        column[place] = cell
    return column


_TARGET = Target("y", [0, 1])

PLAIN = Universe(
    Schema({"a": Boolean(), "b": Boolean()}, target=_TARGET),
    tuple(itertools.product([False, True], [False, True], [0, 1])),
)
"""Eight record types: two yes-or-no columns and a label."""

SINGLE = Universe(Schema({"a": Boolean()}, target=_TARGET), tuple(itertools.product([False, True], [0, 1])))
"""Four record types: one yes-or-no column and a label, for what has many outcomes."""

RAGGED = Universe(
    Schema({"a": Boolean(missing=True)}, target=_TARGET),
    tuple(itertools.product([False, True, None], [0, 1, "neither"])),
)
"""Nine record types: a cell may be missing, a label may lie outside the classes."""

ODD = Universe(
    Schema({"a": Numeric(0, 1, cuts=[0.5]), "b": Categorical(["u"], missing=True)}, target=_TARGET),
    (
        (0.0, "u", 0),
        (1.0, "u", 1),
        (float("nan"), "u", 1),
        (-0.0, None, 0),
        (1e308, "never declared", 1),
        (float("-inf"), 7, "neither"),
        ("no number", "u", None),
        ("1", "", 1),
    ),
)
"""Eight record types as they come in, most with a cell that nobody expects."""


def _wide() -> Universe:
    """Return 400 record types over four columns, every odd cell among them."""
    rng = np.random.default_rng(0)
    schema = Schema(
        {
            "number": Numeric(-5, 5, cuts=[-1, 0, 0.5, 1], missing=True),
            "text": Categorical(["a", "1", "Yes", "b c"]),
            "many": Categorical([*range(30)]),
            "boolean": Boolean(missing=True),
        },
        target=Target("y", ["no", "yes"]),
    )
    odd = [*odd_cells(), 1e308, -1e308, 5e-324]

    def record(place: int) -> tuple[object, ...]:
        cells = [
            float(np.round(rng.normal(0, 2), 1)),
            ["a", "1", "Yes", "b c"][rng.integers(4)],
            int(rng.integers(30)),
            bool(rng.integers(2)),
            ["no", "yes"][rng.integers(2)],
        ]
        for column in range(5):
            if rng.random() < 0.2:
                cells[column] = odd[(place * 5 + column) % len(odd)]
        return tuple(cells)

    return Universe(schema, tuple(record(place) for place in range(400)))


WIDE = _wide()


def _replaced(universe: Universe, n: int) -> Iterator[tuple[Table, Table]]:
    for rest in universe.tables(n - 1):
        for one, other in itertools.combinations(range(len(universe.types)), 2):
            yield tuple(sorted((*rest, one))), tuple(sorted((*rest, other)))


def _added(universe: Universe, n: int) -> Iterator[tuple[Table, Table]]:
    for rest in universe.tables(n - 1):
        for extra in range(len(universe.types)):
            yield rest, tuple(sorted((*rest, extra)))


PAIRS: dict[Adjacency, Callable[[Universe, int], Iterator[tuple[Table, Table]]]] = {
    "replace": _replaced,
    "add-remove": _added,
}
"""All neighbours whose larger table has n records, once each."""
