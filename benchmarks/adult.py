"""Adult, official split: accuracy and AUC of the defaults. `python benchmarks/adult.py --help`.

Every figure is the mean of seeded fits (so it repeats; the guarantee of such fits is void, their distribution
is the real one). Choices were made by cross-validation inside adult.data, which is public.

Two public schemas. `full` writes down every column and every category of the codebook, except the sampling
weight and the text that repeats education-num. `lean` is the one that comes with load_adult();
docs/datasets.md tells how it was chosen, and what had been seen of adult.test by then.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from sklearn.metrics import accuracy_score, roc_auc_score

from discreet import BoostedRulesClassifier, Schema
from discreet.datasets import Dataset, load_adult
from discreet.testing import seeded_noise

# (epsilon, delta, accuracy and AUC that the defaults must reach with the lean schema)
GOALS = [
    (0.1, 1e-5, 0.845, 0.895),
    (1.0, 1e-5, 0.856, 0.908),
    (0.1, 0.0, 0.83, None),
    (1.0, 0.0, 0.846, None),
]


def measure(
    adult: Dataset, schema: Schema, epsilon: float, delta: float, fits: int, **options: object
) -> np.ndarray:
    """Return accuracy and AUC on the official test file, one row a fit."""
    test_X, test_y = adult.X_test, adult.y_test
    rows = []
    for seed in range(fits):
        with seeded_noise(seed):
            model = BoostedRulesClassifier(epsilon, delta, schema, **options)
            model.fit(adult.X_train, adult.y_train)
        votes = model.decision_function(test_X)
        rows.append((accuracy_score(test_y, model.predict(test_X)), roc_auc_score(test_y == ">50K", votes)))
    return np.array(rows)


def main() -> None:
    """Print one line for each schema and budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--fits", type=int, default=10)
    arguments = parser.parse_args()
    adult = load_adult()
    schemas = {
        "lean": adult.schema,
        "full": Schema.from_toml(Path(__file__).with_name("adult-full.toml")),
    }
    print("schema  epsilon  delta   accuracy (sd)    AUC (sd)         goal")
    for name, schema in schemas.items():
        for epsilon, delta, accuracy_goal, auc_goal in GOALS:
            results = measure(adult, schema, epsilon, delta, arguments.fits)
            (accuracy, auc), (accuracy_sd, auc_sd) = results.mean(axis=0), results.std(axis=0, ddof=1)
            goal = f"{accuracy_goal} / {auc_goal or '-'}" if name == "lean" else ""
            print(
                f"{name:6}  {epsilon:7g}  {delta:<6g}  {accuracy:.4f} ({accuracy_sd:.4f})  "
                f"{auc:.4f} ({auc_sd:.4f})  {goal}"
            )


if __name__ == "__main__":
    main()
