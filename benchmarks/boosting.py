"""Boosting with the defaults, by cross-validation: `python benchmarks/boosting.py --help`.

Accuracy and AUC, means over five stratified folds and some seeds (so it repeats; the guarantee of such fits
is void, their distribution is the real one). The schemas are those that come with the data sets; delta is
1e-5.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from discreet import BoostedRulesClassifier, BoostedTreesClassifier
from discreet.datasets import Dataset, load_adult, load_cod_rna, load_mushroom
from discreet.testing import seeded_noise

LOADERS: dict[str, Callable[[], Dataset]] = {
    "adult": load_adult,
    "cod-rna": load_cod_rna,
    "mushroom": load_mushroom,
}
"""Of Adult the training file only."""

LEARNERS = {"rules": BoostedRulesClassifier, "trees": BoostedTreesClassifier}

# (epsilon, accuracy and AUC that the best learner must reach)
GOALS = {
    "adult": [(0.1, None, None), (1.0, None, None)],
    "cod-rna": [(0.1, 0.90, 0.96), (1.0, 0.935, 0.975)],
    "mushroom": [(0.05, 0.95, None), (1.0, 0.985, None)],
}
DELTA = 1e-5
FOLDS = 5


def measure(data: Dataset, learner: str, epsilon: float, seeds: int, **options: object) -> np.ndarray:
    """Return accuracy and AUC on the fold that was kept aside, one row a fit."""
    whole = data.n_train or len(data.y)
    X, y = data.X.iloc[:whole], data.y.iloc[:whole]
    rows = []
    for seed in range(seeds):
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y)
        for fold, (train, test) in enumerate(folds):
            with seeded_noise(FOLDS * seed + fold):
                model = LEARNERS[learner](epsilon, DELTA, data.schema, **options)
                model.fit(X.iloc[train], y.iloc[train])
            votes = model.decision_function(X.iloc[test])
            right = model.predict(X.iloc[test]) == y.iloc[test].to_numpy()
            rows.append((right.mean(), roc_auc_score(y.iloc[test] == model.classes_[1], votes)))
    return np.array(rows)


def main() -> None:
    """Print one line for each data set, learner and budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", choices=LOADERS, action="append")
    parser.add_argument("--learner", choices=LEARNERS, action="append")
    parser.add_argument("--epsilon", type=float, action="append", help="instead of the budgets with a goal")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    options = {name: _value(text) for name, text in (given.split("=") for given in arguments.option)}
    print("data      learner  epsilon  accuracy (sd)    AUC (sd)         goal of the best")
    for name in arguments.data or LOADERS:
        data = LOADERS[name]()
        goals = GOALS[name]
        if arguments.epsilon:
            goals = [(epsilon, None, None) for epsilon in arguments.epsilon]
        for epsilon, accuracy_goal, auc_goal in goals:
            for learner in arguments.learner or LEARNERS:
                results = measure(data, learner, epsilon, arguments.seeds, **options)
                (accuracy, auc), (accuracy_sd, auc_sd) = results.mean(axis=0), results.std(axis=0, ddof=1)
                print(
                    f"{name:8}  {learner:7}  {epsilon:7g}  {accuracy:.4f} ({accuracy_sd:.4f})  "
                    f"{auc:.4f} ({auc_sd:.4f})  {accuracy_goal or '-'} / {auc_goal or '-'}",
                    flush=True,
                )


def _value(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


if __name__ == "__main__":
    main()
