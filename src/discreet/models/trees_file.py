"""Trees in a model file, in the words of the schema."""

from __future__ import annotations

from typing import Literal

import msgspec

from discreet.boosting.literals import Test
from discreet.boosting.trees import MAX_DEPTH, Split, Tree
from discreet.models.files import SavedTableModel
from discreet.models.tree_ensemble import TreeEnsemble
from discreet.models.words import Dictionary, words_of
from discreet.schema.schema import Schema


class SavedSplit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One split in the words of the schema: the leaf that it divides, and its test."""

    column: str
    test: Test
    value: str | bool | int | float | None
    leaf: int


class SavedTree(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One tree: its splits in the order of growth, and the votes of its leaves.

    Leaf 0 is there from the start. Where a split's test holds, its leaf keeps its number; elsewhere there
    is a new leaf, numbered next.
    """

    splits: list[SavedSplit]
    votes: list[Literal[-1, 1]]

    def __post_init__(self) -> None:
        grown = all(0 <= split.leaf < leaves for leaves, split in enumerate(self.splits, start=1))
        if not grown or len(self.votes) != len(self.splits) + 1 or len(self.votes) > 2**MAX_DEPTH:
            raise ValueError("a tree has one vote a leaf, and splits leaves that are there")


class SavedTrees(SavedTableModel, frozen=True, forbid_unknown_fields=True):
    """The contents of a file with trees, in the order of their rounds."""

    learning_rate: float
    trees: list[SavedTree]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.learning_rate < float("inf") or not self.trees:
            raise ValueError("a model has trees and a positive learning rate")
        self.check_rounds(len(self.trees))

    def restored(self, schema: Schema) -> TreeEnsemble:
        """Rebuild the trees; every test must be one that the schema offers."""
        offered = Dictionary(schema)
        trees = tuple(
            Tree(
                tuple(
                    Split(split.leaf, offered[split.column, split.test, split.value])
                    for split in saved.splits
                ),
                tuple(saved.votes),
            )
            for saved in self.trees
        )
        return TreeEnsemble(trees, self.learning_rate)


def saved_trees(ensemble: TreeEnsemble, schema: Schema) -> list[SavedTree]:
    """Put trees into the words of the schema, in the order of their rounds."""
    return [
        SavedTree(
            [_saved(split, schema) for split in tree.splits], [1 if vote > 0 else -1 for vote in tree.votes]
        )
        for tree in ensemble.trees
    ]


def _saved(split: Split, schema: Schema) -> SavedSplit:
    _, test, value = words_of(split.literal, schema)
    return SavedSplit(schema.names[split.column], test, value, split.leaf)
