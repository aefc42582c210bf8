"""A first look in a few seconds: a public medical table, treated as if it were private."""

from __future__ import annotations

from collections.abc import Callable
from shutil import get_terminal_size

from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import accuracy_score, roc_auc_score

from discreet import BoostedRulesClassifier
from discreet.benchmark.tables import load_cells
from discreet.cli.bars import chart


def run(epsilon: float, say: Callable[[str], None]) -> None:
    """Fit with and without privacy on the same rows, and say what came out."""
    table = load_cells()
    X, y = table.X, table.y
    held_out = X.index % 4 == 0
    train_X, train_y, test_X, test_y = X[~held_out], y[~held_out], X[held_out], y[held_out]

    model = BoostedRulesClassifier(epsilon=epsilon, schema=table.schema).fit(train_X, train_y)
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
