"""SmoothBoost beside MadaBoost on Adult, and two prices of a private stop. `python benchmarks/stopping.py`.

First table: three-fold cross-validation inside adult.data, several seeded fits a fold, default settings
but for what is named. Nothing is fitted to or scored on adult.test. With seeded noise the guarantee is void,
but the distribution of the figures is the real one.

Second table: what T rounds cost, each a selection of the same noise, with no stop, with one run of
AboveThreshold (PRIVACY.md 6; the library's plan) and with the paper's propose-test-release in every round
(Bun, Carmosino, Sorrell 2020, Lemma 49, composed by its Theorem 48).
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from discreet import BoostedRulesClassifier
from discreet.accounting import PureDP, guarantee
from discreet.datasets import Dataset, load_adult
from discreet.testing import seeded_noise
from discreet.theory.stopping import advanced_composition, stopped_round_loss

DELTA = 1e-5
WAYS: dict[str, dict[str, object]] = {
    "madaboost": {"reweighting": "madaboost"},
    "smoothboost": {"reweighting": "smoothboost"},
    "smoothboost, stops at 0.35": {"reweighting": "smoothboost", "density": 0.35},
}


def cross_validated(adult: Dataset, epsilon: float, seeds: int, options: dict[str, object]) -> np.ndarray:
    """Return accuracy, AUC and number of rules, one row a fit."""
    X, y = adult.X_train, adult.y_train
    rows = []
    for fold, (train, test) in enumerate(StratifiedKFold(3, shuffle=True, random_state=0).split(X, y)):
        for seed in range(seeds):
            with seeded_noise(100 * fold + seed):
                model = BoostedRulesClassifier(epsilon, DELTA, adult.schema, **options)
                model.fit(X.iloc[train], y.iloc[train])
            truth, votes = y.iloc[test], model.decision_function(X.iloc[test])
            accuracy = np.mean(model.predict(X.iloc[test]) == truth)
            rows.append((accuracy, roc_auc_score(truth == ">50K", votes), len(model.ensemble_.rules)))
    return np.array(rows)


def compare(seeds: int) -> None:
    """Print the first table."""
    adult = load_adult()
    print("epsilon  re-weighting                accuracy (sd)    AUC     rules")
    for epsilon in (0.1, 1.0):
        for way, options in WAYS.items():
            found = cross_validated(adult, epsilon, seeds, options)
            (accuracy, auc, rules), sd = found.mean(axis=0), found[:, 0].std(ddof=1)
            print(f"{epsilon:7g}  {way:26}  {accuracy:.4f} ({sd:.4f})  {auc:.4f}  {rules:.0f}")


def price() -> None:
    """Print the second table: pure selections, and a stop whose noise is that of the paper's test."""
    print("\nrounds  epsilon_r  no stop  AboveThreshold  propose-test-release")
    for rounds, each in ((20, 0.05), (100, 0.02), (400, 0.01), (400, 0.002)):
        selections = (PureDP(each), rounds)
        plain = guarantee([selections], DELTA)
        # Noise of 1/epsilon_r on every query, as in the paper: 4/epsilon_stop = 1/epsilon_r.
        stopped = guarantee([selections, (PureDP(4 * each), 1)], DELTA)
        tested = stopped_round_loss(each, DELTA / (4 * rounds))
        paper = advanced_composition(tested, rounds, DELTA / 2)
        assert paper.delta <= DELTA
        print(f"{rounds:6}  {each:9g}  {plain.epsilon:7.3f}  {stopped.epsilon:14.3f}  {paper.epsilon:20.3f}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=4, help="fits a fold")
    compare(parser.parse_args().seeds)
    price()


if __name__ == "__main__":
    main()
