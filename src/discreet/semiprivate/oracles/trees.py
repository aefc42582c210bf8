"""The class of all small decision trees, minimised exactly.

Labelling a leaf 1 rather than 0 costs D(leaf): its records of label 0, less those of label 1, plus the
costs of its points. So a tree's objective is the number of records of label 1, plus the sum over its leaves
of min(0, D(leaf)), with label 1 exactly where D < 0.

**Ties.** Read a labelling as a binary number, the first point its highest bit: the order of labellings is
that of their numbers. The leaves divide the points, so a tree's number is the sum over its leaves labelled
1 of the numbers of their points. Hence the pair (objective, number) adds up over leaves, and lexicographic
order of pairs of whole numbers is kept when the same pair is added to both sides. The least pair below a
split is therefore the sum of the least pairs of its two sides, each found by itself; and in a leaf, label 1
with D = 0 is never before label 0. So the recursion ends with the first labelling among all optimal trees,
however many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from discreet.boosting.literals import Literal, literals_of
from discreet.boosting.trees import Split, Tree
from discreet.errors import OptionError
from discreet.schema.encode import Codes
from discreet.schema.schema import Schema
from discreet.semiprivate.oracles.base import Certified, Costs, Labels
from discreet.semiprivate.oracles.exact import holds, labelling_of, numbers_of, whole

MAX_DEPTH = 4

_BLOCK = 2**14
"""Records of one product. Sums of so few -1 and +1 are exact in float32, in any order: below 2^24."""


@dataclass(frozen=True)
class ExactTree:
    """Every decision tree over the schema's literals up to a depth, its leaves labelled freely.

    It always finds the minimum, and never refuses. Its time is that of one product of a matrix [literal,
    record] with itself at depth 1 and 2; each level more multiplies it by twice the number of literals.

    Parameters
    ----------
    depth : int, default 2
        At least 1, at most 4.
    """

    depth: int = 2

    def __post_init__(self) -> None:
        if (
            isinstance(self.depth, bool)
            or not isinstance(self.depth, int)
            or not 1 <= self.depth <= MAX_DEPTH
        ):
            raise OptionError(f"ExactTree needs a depth between 1 and {MAX_DEPTH}")

    def on(self, schema: Schema, public: Codes) -> _TreesOnPoints:
        """Prepare for these public points; reads nothing private."""
        return _TreesOnPoints(self.depth, schema, public)


class _TreesOnPoints:
    def __init__(self, depth: int, schema: Schema, public: Codes) -> None:
        self._depth = depth
        self._literals = literals_of(schema)
        self._points = holds(self._literals, public)
        self._numbers = numbers_of(self._points)

    def minimise(self, private: Codes, labels: Labels, costs: Costs) -> Certified:
        """Return the minimum, and of the labellings that attain it the first."""
        counted = labels < 2
        region = _Region(
            holds(self._literals, private)[:, counted],
            (1 - 2 * labels[counted]).astype(np.float32),
            self._points,
            whole(costs, len(labels)),
            self._numbers,
        )
        found = _best(region, self._depth)
        return Certified(
            labelling_of(found.number, len(costs)),
            int(np.count_nonzero(labels == 1)) + found.gain,
            _tree(found.node, self._literals),
        )


_Node = int | tuple[int, "_Node", "_Node"]
"""A leaf's label; or which literal is asked, and the nodes for yes and for no."""


class _Best(NamedTuple):
    """The least pair of a branch, and a tree that attains it."""

    gain: int
    number: int
    node: _Node


@dataclass(frozen=True)
class _Region:
    """What is in one branch.

    Parameters
    ----------
    records, points : array of bool, [literal, record] and [literal, point]
        What holds.
    signs, prices : array
        What it costs to label a record, or a point, 1 rather than 0.
    numbers : list of int
        For each literal, the number of the labelling of the points where it holds.
    """

    records: npt.NDArray[np.bool_]
    signs: npt.NDArray[np.float32]
    points: npt.NDArray[np.bool_]
    prices: npt.NDArray[Any]
    numbers: list[int]

    def part(self, literal: int, yes: bool) -> _Region:
        """Return one side of a split."""
        records, points = self.records[literal] == yes, self.points[literal] == yes
        inside = self.numbers[literal] if yes else self.numbers[-1] - self.numbers[literal]
        return _Region(
            self.records[:, records],
            self.signs[records],
            self.points[:, points],
            self.prices[points],
            [number & inside for number in self.numbers],
        )

    def differences(self, children: slice) -> npt.NDArray[Any]:
        """Return D of the records and points where two literals hold, the second one of ``children``."""
        points = self.points.astype(self.prices.dtype)
        total: npt.NDArray[Any] = (points * self.prices) @ points[children].T
        for start in range(0, len(self.signs), _BLOCK):
            block = self.records[:, start : start + _BLOCK].astype(np.float32)
            part = (block * self.signs[start : start + _BLOCK]) @ block[children].T
            total = total + part.astype(np.int64)
        return total


def _best(region: _Region, depth: int) -> _Best:
    if depth <= 2:
        # At depth 1 the only question below the first one is the constant, which is the last literal.
        return _best_of_two_levels(region, slice(None) if depth == 2 else slice(-1, None))
    best = None
    for literal in range(len(region.numbers)):
        yes = _best(region.part(literal, True), depth - 1)
        no = _best(region.part(literal, False), depth - 1)
        found = _Best(yes.gain + no.gain, yes.number + no.number, (literal, yes.node, no.node))
        if best is None or found[:2] < best[:2]:
            best = found
    assert best is not None, "a schema has the constant at least"
    return best


def _best_of_two_levels(region: _Region, children: slice) -> _Best:
    """Minimise over the first question and the two below it, from D of every pair of literals."""
    yes_yes = region.differences(children)
    holds_above = yes_yes[:, -1:]
    yes_no = holds_above - yes_yes
    no_yes = yes_yes[-1:] - yes_yes
    no_no = holds_above[-1] - holds_above - no_yes
    gains = [_gain(yes_yes) + _gain(yes_no), _gain(no_yes) + _gain(no_no)]
    gain = sum(side.min(axis=1) for side in gains)
    best = None
    for root in np.flatnonzero(gain == gain.min()).tolist():
        yes, no = (
            _first(region.numbers, inside, children, side[root], pair[0][root] < 0, pair[1][root] < 0)
            for side, pair, inside in (
                (gains[0], (yes_yes, yes_no), region.numbers[root]),
                (gains[1], (no_yes, no_no), region.numbers[-1] - region.numbers[root]),
            )
        )
        if best is None or yes[0] + no[0] < best.number:
            best = _Best(int(gain[root]), yes[0] + no[0], (root, yes[1], no[1]))
    assert best is not None, "a schema has the constant at least"
    return best


def _first(
    numbers: list[int],
    inside: int,
    children: slice,
    gains: npt.NDArray[Any],
    yes: npt.NDArray[np.bool_],
    no: npt.NDArray[np.bool_],
) -> tuple[int, _Node]:
    """Return the first labelling of the points ``inside``, among the questions of least gain."""
    asked = range(len(numbers))[children]
    found = []
    for child in np.flatnonzero(gains == gains.min()).tolist():
        held = inside & numbers[asked[child]]
        labels = int(yes[child]), int(no[child])
        found.append((labels[0] * held + labels[1] * (inside - held), (asked[child], *labels)))
    return min(found)


def _gain(differences: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return what the better label saves, as a number that is not positive."""
    saved: npt.NDArray[Any] = np.minimum(differences, 0)
    return saved


def _tree(node: _Node, literals: tuple[Literal, ...]) -> Tree:
    """Write down a tree as it would have grown, depth first."""
    splits: list[Split] = []
    votes: dict[int, int] = {}

    def grow(node: _Node, leaf: int) -> None:
        if isinstance(node, int):
            votes[leaf] = 2 * node - 1
            return
        literal, yes, no = node
        splits.append(Split(leaf, literals[literal]))
        new = len(splits)
        grow(yes, leaf)
        grow(no, new)

    grow(node, 0)
    return Tree(tuple(splits), tuple(votes[leaf] for leaf in range(len(votes))))
