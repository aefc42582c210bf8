"""Differentially private classifiers that a person can read."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.errors import DiscreetError
    from discreet.estimators.boosted_halfspace import BoostedHalfspaceClassifier
    from discreet.estimators.boosted_rules import BoostedRulesClassifier
    from discreet.estimators.boosted_trees import BoostedTreesClassifier
    from discreet.estimators.loading import load_model
    from discreet.estimators.perturbed_leader import PerturbedLeaderClassifier
    from discreet.estimators.projected_halfspace import ProjectedHalfspaceClassifier
    from discreet.estimators.public_label import PublicLabelClassifier
    from discreet.estimators.regularized_leader import RegularizedLeaderClassifier
    from discreet.estimators.separator import SeparatorClassifier
    from discreet.ledger.ledger import Ledger
    from discreet.schema.columns import Boolean, Categorical, Numeric
    from discreet.schema.schema import Schema, Target
    from discreet.semiprivate.oracles.rules import ExactRules
    from discreet.semiprivate.oracles.trees import ExactTree

__version__ = "0.1.0"

# Where each public name lives. Names are imported when first used, so that `import discreet` is quick.
_HOMES = {
    "Boolean": "discreet.schema.columns",
    "BoostedHalfspaceClassifier": "discreet.estimators.boosted_halfspace",
    "BoostedRulesClassifier": "discreet.estimators.boosted_rules",
    "BoostedTreesClassifier": "discreet.estimators.boosted_trees",
    "Categorical": "discreet.schema.columns",
    "DiscreetError": "discreet.errors",
    "ExactRules": "discreet.semiprivate.oracles.rules",
    "ExactTree": "discreet.semiprivate.oracles.trees",
    "Ledger": "discreet.ledger.ledger",
    "Numeric": "discreet.schema.columns",
    "PerturbedLeaderClassifier": "discreet.estimators.perturbed_leader",
    "PublicLabelClassifier": "discreet.estimators.public_label",
    "RegularizedLeaderClassifier": "discreet.estimators.regularized_leader",
    "ProjectedHalfspaceClassifier": "discreet.estimators.projected_halfspace",
    "Schema": "discreet.schema.schema",
    "SeparatorClassifier": "discreet.estimators.separator",
    "Target": "discreet.schema.schema",
    "load_model": "discreet.estimators.loading",
}

__all__ = [
    "Boolean",
    "BoostedHalfspaceClassifier",
    "BoostedRulesClassifier",
    "BoostedTreesClassifier",
    "Categorical",
    "DiscreetError",
    "ExactRules",
    "ExactTree",
    "Ledger",
    "Numeric",
    "PerturbedLeaderClassifier",
    "ProjectedHalfspaceClassifier",
    "PublicLabelClassifier",
    "RegularizedLeaderClassifier",
    "Schema",
    "SeparatorClassifier",
    "Target",
    "__version__",
    "load_model",
]


def __getattr__(name: str) -> Any:
    if name == "testing":
        return importlib.import_module("discreet.testing")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'discreet' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
