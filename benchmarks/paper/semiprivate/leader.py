"""The regularised leader on Adult: accuracy by budget and by stability bound.

The private records are adult.data. Half of the rows of adult.test, drawn anew for each fit, are public
records whose labels are not looked at; accuracy and AUC are those on the other half. Noise is seeded, so that
figures repeat.

    python benchmarks/paper/semiprivate/leader.py            # the table
    python benchmarks/paper/semiprivate/leader.py --choose   # what the defaults were chosen by
    python benchmarks/paper/semiprivate/leader.py --shift    # public records unlike the private ones

`--choose` fits on four fifths of adult.data and scores on the rest; adult.test gives unlabelled records only.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np
from sklearn.metrics import accuracy_score, roc_auc_score

from discreet import RegularizedLeaderClassifier
from discreet.datasets import Dataset, load_adult
from discreet.testing import seeded_noise

EPSILONS = (0.1, 0.3, 1.0, 3.0)
DELTAS = (1e-5, 0.0)
RIDGES = (1e-4, 1e-3, 1e-2)
GOAL = 0.842
"""At epsilon 1 and delta 1e-5, with leverages clipped."""


def scores(adult: Dataset, seed: int, **options: object) -> tuple[float, float]:
    """Return accuracy and AUC on the half of the test rows that was not public."""
    rows = np.random.default_rng(seed).permutation(len(adult.X_test))
    public, test = np.array_split(rows, 2)
    X_test, y_test = adult.X_test.iloc[test], adult.y_test.iloc[test]
    with seeded_noise(seed):
        model = RegularizedLeaderClassifier(schema=adult.schema, **options)
        model.fit(adult.X_train, adult.y_train, public=adult.X_test.iloc[public])
    values = model.decision_function(X_test)
    return accuracy_score(y_test, model.predict(X_test)), roc_auc_score(y_test == ">50K", values)


def held_out(adult: Dataset, seed: int, **options: object) -> float:
    """Return the accuracy on a fifth of the training rows, after a fit on the others."""
    generator = np.random.default_rng(seed)
    public = generator.permutation(len(adult.X_test))[: len(adult.X_test) // 2]
    rows = generator.permutation(len(adult.X_train))
    test, train = np.split(rows, [len(rows) // 5])
    with seeded_noise(seed):
        model = RegularizedLeaderClassifier(schema=adult.schema, **options)
        model.fit(adult.X_train.iloc[train], adult.y_train.iloc[train], public=adult.X_test.iloc[public])
    return accuracy_score(adult.y_train.iloc[test], model.predict(adult.X_train.iloc[test]))


def table(adult: Dataset, fits: int) -> None:
    """Print a line for each bound and budget."""
    print("bound     delta   epsilon  accuracy (sd)    AUC (sd)")
    for bound, delta, epsilon in itertools.product(("leverage", "values"), DELTAS, EPSILONS):
        options = {"bound": bound, "delta": delta, "epsilon": epsilon}
        found = np.array([scores(adult, seed, **options) for seed in range(fits)])
        (accuracy, auc), (accuracy_sd, auc_sd) = found.mean(axis=0), found.std(axis=0, ddof=1)
        goal = f"  goal {GOAL}" if (bound, delta, epsilon) == ("leverage", 1e-5, 1.0) else ""
        line = f"{bound:8}  {delta:<6g}  {epsilon:7g}  {accuracy:.4f} ({accuracy_sd:.4f})"
        print(f"{line}  {auc:.4f} ({auc_sd:.4f}){goal}", flush=True)


def choose(adult: Dataset, fits: int) -> None:
    """Print held-out accuracy over codings, ridges and strengths, for some budgets."""
    budgets = [(0.1, 0.0), (0.3, 0.0), (0.1, 1e-5), (0.3, 1e-5), (1.0, 1e-5)]
    print("coding       ridge   strength  " + "  ".join(f"{e:g}, {d:<5g}" for e, d in budgets))
    strengths = ("auto", 300.0, 1e3, 3e3, 1e4, 3e4, 1e5)
    for coding, ridge, strength in itertools.product(("thermometer", "numeric"), RIDGES, strengths):
        options = {"coding": coding, "ridge": ridge, "strength": strength}
        found = [
            np.mean([held_out(adult, seed, epsilon=e, delta=d, **options) for seed in range(fits)])
            for e, d in budgets
        ]
        print(
            f"{coding:11}  {ridge:<6g}  {strength!s:8}  " + "  ".join(f"{a:10.4f}" for a in found), flush=True
        )


def shift(adult: Dataset, fits: int) -> None:
    """Keep public men with a probability: sigma is nearly that probability. Privacy does not depend on it."""
    print("men kept  public rows  epsilon stated  accuracy (sd)    accuracy on men")
    for kept in (1.0, 0.3, 0.1, 0.03, 0.0):
        found = []
        for seed in range(fits):
            generator = np.random.default_rng(seed)
            public, test = np.array_split(generator.permutation(len(adult.X_test)), 2)
            frame, y_test = adult.X_test.iloc[public], adult.y_test.iloc[test]
            frame = frame[(frame["sex"] != "Male") | (generator.random(len(frame)) < kept)]
            with seeded_noise(seed):
                model = RegularizedLeaderClassifier(1.0, 1e-5, adult.schema)
                model.fit(adult.X_train, adult.y_train, public=frame)
            right = (model.predict(adult.X_test.iloc[test]) == y_test).to_numpy()
            men = (adult.X_test.iloc[test]["sex"] == "Male").to_numpy()
            found.append((len(frame), model.plan_.guarantee.epsilon, right.mean(), right[men].mean()))
        rows, epsilon, accuracy, on_men = np.mean(found, axis=0)
        spread = np.std([accuracy for _, _, accuracy, _ in found], ddof=1)
        line = f"{kept:8g}  {rows:11.0f}  {epsilon:14.6f}  {accuracy:.4f} ({spread:.4f})  {on_men:.4f}"
        print(line, flush=True)


def main() -> None:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--fits", type=int, default=10)
    parser.add_argument("--choose", action="store_true")
    parser.add_argument("--shift", action="store_true")
    arguments = parser.parse_args()
    show = choose if arguments.choose else shift if arguments.shift else table
    show(load_adult(), arguments.fits)


if __name__ == "__main__":
    main()
