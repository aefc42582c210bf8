"""A first look in a few seconds: a public medical table, treated as if it were private."""

from __future__ import annotations

from collections.abc import Callable
from shutil import get_terminal_size

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import accuracy_score, roc_auc_score

from discreet import BoostedRulesClassifier, Numeric, Schema, Target
from discreet.cli.bars import chart

# Ranges of the largest ("worst") cell features, rounded outwards from the table of minima and maxima in
# the documentation of scikit-learn's load_breast_cancer. On your own data, write down what the
# instrument or the form can deliver; never look it up in the private table.
_RANGES = {
    "worst radius": (5, 40),
    "worst texture": (10, 50),
    "worst perimeter": (40, 260),
    "worst area": (0, 4400),
    "worst smoothness": (0.05, 0.25),
    "worst compactness": (0, 1.2),
    "worst concavity": (0, 1.4),
    "worst concave points": (0, 0.3),
    "worst symmetry": (0.1, 0.7),
    "worst fractal dimension": (0.05, 0.25),
}

SCHEMA = Schema(
    {name: Numeric(low, high, bins=10) for name, (low, high) in _RANGES.items()},
    target=Target("diagnosis", classes=["benign", "malignant"]),
)


def run(epsilon: float, say: Callable[[str], None]) -> None:
    """Fit with and without privacy on the same rows, and say what came out."""
    table = load_breast_cancer(as_frame=True)
    X, y = table.data, table.target.map({0: "malignant", 1: "benign"})
    held_out = X.index % 4 == 0
    train_X, train_y, test_X, test_y = X[~held_out], y[~held_out], X[held_out], y[held_out]

    model = BoostedRulesClassifier(epsilon=epsilon, schema=SCHEMA).fit(train_X, train_y)
    say(f"Breast cancer (scikit-learn's copy): {len(train_X)} records to learn from, {len(test_X)} held out.")
    say("\nThe guarantee\n")
    say(str(model.privacy_))
    say("\nThe model: votes where the test holds, the same votes the other way where it does not\n")
    weightiest = model.scorecard().head(12).to_dict("records")
    say("\n".join(chart(weightiest, model.classes_.tolist(), get_terminal_size().columns)))
    say("\nOn the held-out records\n")
    open_model = HistGradientBoostingClassifier(random_state=0).fit(train_X, train_y)
    for name, fitted in (("private", model), ("without privacy (gradient boosting)", open_model)):
        accuracy = accuracy_score(test_y, fitted.predict(test_X))
        auc = roc_auc_score(test_y == "malignant", fitted.predict_proba(test_X)[:, 1])
        say(f"  accuracy {accuracy:.3f}   AUC {auc:.3f}   {name}")
    say(
        "\nA table of 426 records is small for privacy; run it again, or with --epsilon 4.\n"
        "For a table of your own, start with: discreet schema template DATA.csv --out schema.toml"
    )
