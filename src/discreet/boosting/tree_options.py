"""The options of boosted trees, and the weak learner that they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from discreet.boosting.options import Auto, BoostingOptions, auto_or, one_of, whole
from discreet.boosting.trees import MAX_DEPTH
from discreet.boosting.weak_learners.levelwise_tree import Criterion, LevelwiseTree
from discreet.boosting.weak_learners.topdown_tree import TopDownTree
from discreet.errors import OptionError
from discreet.schema.schema import Schema

Growth = Literal["level-wise", "best-first"]


@dataclass(frozen=True)
class TreeOptions(BoostingOptions):
    """Validated options; the meaning of each is documented at the estimator."""

    depth: int
    growth: Growth
    criterion: Criterion | Auto

    @classmethod
    def _checked_fields(cls, options: dict[str, Any]) -> dict[str, Any]:
        checked = super()._checked_fields(options) | {
            "depth": whole(options["depth"], "depth", least=1, most=MAX_DEPTH),
            "growth": one_of(("level-wise", "best-first"), options["growth"], "growth"),
            "criterion": auto_or(
                lambda value, name: one_of(("gini", "agreement"), value, name),
                options["criterion"],
                "criterion",
            ),
        }
        if checked["growth"] == "best-first" and checked["criterion"] == "agreement":
            raise OptionError("growth='best-first' goes by the Gini index; leave criterion at 'auto'")
        return checked

    @property
    def releases(self) -> int:
        """How many releases a round has: one a level, or one a split and one for all labels."""
        return self.depth if self.growth == "level-wise" else 2**self.depth

    def learner(self, schema: Schema) -> LevelwiseTree | TopDownTree:
        """Make the weak learner; best-first has as many splits as a full tree of that depth."""
        if self.growth == "best-first":
            return TopDownTree(schema, n_splits=2**self.depth - 1)
        criterion = "agreement" if self.criterion == "auto" else self.criterion
        return LevelwiseTree(schema, self.depth, criterion)
