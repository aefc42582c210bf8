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

import math
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

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

T = TypeVar("T", np.bool_, np.uint64)


@dataclass(frozen=True)
class ExactTree:
    """Every decision tree over the schema's literals up to a depth, its leaves labelled freely.

    It always finds the minimum, and never refuses. At depth 2 it counts the records of every pair of
    literals; each level more takes twice as many times longer as there are literals.

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

    def always_answers(self, schema: Schema) -> bool:
        """Say yes: the recursion looks at every tree."""
        return True

    def vc_dimension(self, schema: Schema) -> int:
        """Return the logarithm of the number of trees: a literal in each node, a label in each leaf."""
        leaves = 2**self.depth
        return int((leaves - 1) * math.log2(len(literals_of(schema))) + leaves)


class _TreesOnPoints:
    def __init__(self, depth: int, schema: Schema, public: Codes) -> None:
        self._depth = depth
        self._literals = literals_of(schema)
        self._points = holds(self._literals, public)
        self._numbers = numbers_of(self._points)

    def minimise(self, private: Codes, labels: Labels, costs: Costs) -> Certified:
        """Return the minimum, and of the labellings that attain it the first."""
        held = holds(self._literals, private)
        region = _Region(
            _bits(held[:, labels == 0]), _bits(held[:, labels == 1]), self._points, self._numbers
        )
        found = _best(region, whole(costs, len(labels)), self._depth)
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
    """What is in one branch; one row a literal, and the last row, of the constant, is all of it.

    Parameters
    ----------
    negative, positive : array of uint64, [literal, word]
        The records of either label for which a literal holds, a bit each.
    points : array of bool, [literal, point]
        The public points for which it holds.
    numbers : list of int
        The same, each as the number of a labelling.
    """

    negative: npt.NDArray[np.uint64]
    positive: npt.NDArray[np.uint64]
    points: npt.NDArray[np.bool_]
    numbers: list[int]

    def part(self, literal: int, yes: bool) -> _Region:
        """Return one side of a split."""
        # Where it fails is what differs from all, because it holds for a part of all.
        inside = self.numbers[literal] if yes else self.numbers[-1] ^ self.numbers[literal]
        return _Region(
            _part(self.negative, literal, yes),
            _part(self.positive, literal, yes),
            _part(self.points, literal, yes),
            [number & inside for number in self.numbers],
        )

    def differences(self, prices: npt.NDArray[Any], children: range) -> npt.NDArray[Any]:
        """Return D of the records and points where two literals hold, the second one of ``children``."""
        second = slice(children.start, children.stop)
        total: npt.NDArray[Any] = (self.points * prices) @ self.points[second].T.astype(prices.dtype)
        for row, negative, positive in zip(total, self.negative, self.positive, strict=True):
            row += _ones(self.negative[second] & negative) - _ones(self.positive[second] & positive)
        return total


def _part(rows: npt.NDArray[T], literal: int, yes: bool) -> npt.NDArray[T]:
    part: npt.NDArray[T] = rows & (rows[literal] if yes else rows[-1] ^ rows[literal])
    return part


def _bits(held: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    """Pack each row into words, padded with zeros."""
    n_rows, n_records = held.shape
    padded = np.zeros((n_rows, n_records // 64 * 64 + 64), dtype=np.bool_)
    padded[:, :n_records] = held
    return np.packbits(padded, axis=1).view(np.uint64)


def _ones(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Count the bits of each row."""
    ones: npt.NDArray[np.int64] = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
    return ones


def _best(region: _Region, prices: npt.NDArray[Any], depth: int) -> _Best:
    literals = range(len(region.numbers))
    if depth <= 2:
        # At depth 1 the only question below the first one is the constant, which is the last literal.
        return _best_of_two_levels(region, prices, literals if depth == 2 else literals[-1:])
    found = []
    for literal in literals:
        yes, no = (_best(region.part(literal, side), prices, depth - 1) for side in (True, False))
        found.append(_Best(yes.gain + no.gain, yes.number + no.number, (literal, yes.node, no.node)))
    return min(found, key=itemgetter(0, 1))


def _best_of_two_levels(region: _Region, prices: npt.NDArray[Any], children: range) -> _Best:
    """Minimise over the first question and the two below it, from D of every pair of literals."""
    both = region.differences(prices, children)
    above = both[:, -1:]  # the second one is the constant
    yes = _Side(both, above - both)
    no = _Side(both[-1:] - both, above[-1] - above - both[-1:] + both)
    gains = yes.gains.min(axis=1) + no.gains.min(axis=1)
    found = []
    for root in np.flatnonzero(gains == gains.min()).tolist():
        inside = region.numbers[root]
        number, held = yes.first(root, inside, region.numbers, children)
        other, failed = no.first(root, region.numbers[-1] ^ inside, region.numbers, children)
        found.append(_Best(int(gains[root]), number + other, (root, held, failed)))
    return min(found, key=itemgetter(0, 1))


@dataclass(frozen=True)
class _Side:
    """One side of every first question: D where a second one holds, and where it fails, [first, second]."""

    held: npt.NDArray[Any]
    failed: npt.NDArray[Any]

    @cached_property
    def gains(self) -> npt.NDArray[Any]:
        """What the better labels of the two leaves save, as a number that is not positive."""
        saved: npt.NDArray[Any] = np.minimum(self.held, 0) + np.minimum(self.failed, 0)
        return saved

    def first(self, root: int, inside: int, numbers: list[int], children: range) -> tuple[int, _Node]:
        """Return the first labelling of the points ``inside``, among the second questions of least gain."""
        found = []
        for place in np.flatnonzero(self.gains[root] == self.gains[root].min()).tolist():
            child = children[place]
            labels = int(self.held[root, place] < 0), int(self.failed[root, place] < 0)
            held = inside & numbers[child]
            found.append((labels[0] * held + labels[1] * (inside ^ held), (child, *labels)))
        return min(found)


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
