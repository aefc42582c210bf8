"""The estimators side by side: how each is made, and how many columns its model looks at."""

from __future__ import annotations

from typing import Any

import discreet
from discreet.schema import Schema

LEARNERS = {
    "rules": "BoostedRulesClassifier",
    "trees": "BoostedTreesClassifier",
    "halfspace": "BoostedHalfspaceClassifier",
}
"""Short names, as `discreet fit --learner` has them, and the public names that they mean."""


def private_learner(name: str, epsilon: float, delta: float, schema: Schema, **options: Any) -> Any:
    """Make an estimator with its defaults, but for the options given."""
    return getattr(discreet, LEARNERS[name])(epsilon=epsilon, delta=delta, schema=schema, **options)


def columns_used(model: Any) -> int:
    """Count the columns that the model's predictions can depend on."""
    ensemble = model.ensemble_
    if hasattr(ensemble, "trees"):
        literals = [split.literal for tree in ensemble.trees for split in tree.splits]
        return len({literal.column for literal in literals if literal.test != "always"})
    card = model.scorecard()
    weights = card["coefficient"] if "coefficient" in card else card["votes"]
    return len(set(card["column"][weights != 0]) - {""})


def open_learner() -> Any:
    """Make logistic regression without privacy: categories as indicators, numbers standardised."""
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    coding = make_column_transformer(
        (StandardScaler(), make_column_selector(dtype_include="number")),
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
    )
    return make_pipeline(coding, LogisticRegression(max_iter=1000))
