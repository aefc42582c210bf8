"""Halfspaces on Cod-RNA, Mushroom and Adult: accuracy and AUC. `python benchmarks/halfspace.py --help`.

The defaults, unless an option says otherwise, on five folds that were fixed beforehand, each with one seeded
fit (so that it repeats; the guarantee of such fits is void, their distribution is the real one). Adult: its
training file only. delta is 1e-5. A line is the mean over the folds, and its standard error.
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold

from discreet import BoostedHalfspaceClassifier
from discreet.datasets import load_adult, load_cod_rna, load_mushroom
from discreet.testing import seeded_noise

DELTA = 1e-5

# (table, epsilon, accuracy and AUC that the best of rules, trees and halfspaces must reach)
GOALS = [
    ("cod-rna", 1.0, 0.935, 0.975),
    ("cod-rna", 0.1, 0.90, 0.96),
    ("mushroom", 1.0, 0.985, None),
    ("mushroom", 0.05, 0.95, None),
    ("adult", 1.0, None, None),
    ("adult", 0.1, None, None),
]


def folds(name: str, epsilon: float, repeats: int, **options: object) -> np.ndarray:
    """Return accuracy and AUC, one row a fold."""
    data = {"cod-rna": load_cod_rna, "mushroom": load_mushroom, "adult": load_adult}[name]()
    X, y = (data.X_train, data.y_train) if name == "adult" else (data.X, data.y)
    rows = []
    for repeat in range(repeats):
        split = StratifiedKFold(5, shuffle=True, random_state=repeat).split(X, y)
        for fold, (train, test) in enumerate(split):
            with seeded_noise(100 * repeat + fold):
                model = BoostedHalfspaceClassifier(epsilon, DELTA, data.schema, **options)
                model.fit(X.iloc[train], y.iloc[train])
            truth, score = y.iloc[test], model.decision_function(X.iloc[test])
            predicted = model.classes_[(score > 0).astype(int)]
            rows.append((accuracy_score(truth, predicted), roc_auc_score(truth == model.classes_[1], score)))
    return np.array(rows)


def main() -> None:
    """Print one line for each table and budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeats", type=int, default=1, help="how often to draw the five folds")
    parser.add_argument("--coding", default="auto")
    parser.add_argument("--reweighting", default="madaboost")
    arguments = parser.parse_args()
    print("table     epsilon  accuracy (se)    AUC (se)         goal")
    for name, epsilon, accuracy_goal, auc_goal in GOALS:
        results = folds(
            name, epsilon, arguments.repeats, coding=arguments.coding, reweighting=arguments.reweighting
        )
        (accuracy, auc) = results.mean(axis=0)
        (accuracy_se, auc_se) = results.std(axis=0, ddof=1) / np.sqrt(len(results))
        print(
            f"{name:9} {epsilon:<8g} {accuracy:.4f} ({accuracy_se:.4f})  {auc:.4f} ({auc_se:.4f})  "
            f"{accuracy_goal or '-'} / {auc_goal or '-'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
