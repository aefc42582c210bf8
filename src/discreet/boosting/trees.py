"""Decision trees over literals, kept as they grew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from discreet.boosting.literals import Literal
from discreet.schema.encode import Codes

MAX_DEPTH = 6
"""A tree has at most 2^6 leaves, which a person can still read and a byte can number."""


@dataclass(frozen=True)
class Split:
    """Divides a leaf: where the literal holds, records stay; the others move to a new leaf, numbered next."""

    leaf: int
    literal: Literal

    @property
    def column(self) -> int:
        """The column that it looks at."""
        return self.literal.column

    @property
    def first(self) -> int:
        """The first code for which the literal holds."""
        return self.literal.first

    @property
    def last(self) -> int:
        """The last one."""
        return self.literal.last


Condition = tuple[Literal, bool]
"""A literal, and whether it holds."""


@dataclass(frozen=True)
class Tree:
    """A hypothesis: the votes of the leaves of a tree.

    Parameters
    ----------
    splits : tuple of Split
        In the order of growth, beginning with one leaf, number 0.
    votes : tuple of int
        -1 or +1 for each leaf.
    """

    splits: tuple[Split, ...]
    votes: tuple[int, ...]

    @cached_property
    def leaf_votes(self) -> npt.NDArray[np.int8]:
        """The votes, as an engine reads them."""
        return np.array(self.votes, dtype=np.int8)

    @cached_property
    def paths(self) -> tuple[tuple[Condition, ...], ...]:
        """What holds in each leaf, from the root downwards."""
        paths: list[tuple[Condition, ...]] = [()]
        for split in self.splits:
            above = paths[split.leaf]
            paths[split.leaf] = (*above, (split.literal, True))
            paths.append((*above, (split.literal, False)))
        return tuple(paths)

    def leaves(self, codes: Codes) -> npt.NDArray[np.uint8]:
        """Return the leaf of each record."""
        leaf = np.zeros(codes.values.shape[1], dtype=np.uint8)
        for new, split in enumerate(self.splits, start=1):
            code = codes.values[split.column]
            outside = (code < split.first) | (code > split.last)
            leaf[outside & (leaf == split.leaf)] = new
        return leaf

    def rules(self, names: Sequence[str]) -> list[tuple[str, int]]:
        """Return the rule of each leaf in words, and its vote; without conditions a rule is "always"."""
        return [
            (" and ".join(_worded(condition, names) for condition in path) or "always", vote)
            for path, vote in zip(self.paths, self.votes, strict=True)
        ]

    def drawn(self, names: Sequence[str]) -> str:
        """Return the tree as nested lines of text."""
        return "\n".join(_lines(list(zip(self.paths, self.votes, strict=True)), 0, names))


def question(literal: Literal, names: Sequence[str]) -> str:
    """Return a literal with the name of its column."""
    return str(literal) if literal.test == "always" else f"{names[literal.column]} {literal}"


def _worded(condition: Condition, names: Sequence[str]) -> str:
    literal, holds = condition
    return question(literal, names) if holds else f"not {question(literal, names)}"


def _lines(
    leaves: list[tuple[tuple[Condition, ...], int]], depth: int, names: Sequence[str]
) -> Iterable[str]:
    """Draw the part of a tree below ``depth`` whose leaves these are."""
    path, vote = leaves[0]
    if len(leaves) == 1:
        yield f"vote {vote:+d}"
        return
    for word, wanted in (("if " + question(path[depth][0], names), True), ("else", False)):
        part = [leaf for leaf in leaves if leaf[0][depth][1] == wanted]
        first, *rest = _lines(part, depth + 1, names)
        if not rest:
            yield f"{word}: {first}"
        else:
            yield word
            yield from ("    " + line for line in (first, *rest))
