"""Adult, official split: accuracy and AUC of the defaults. `python benchmarks/adult.py --help`.

The publisher's files adult.data and adult.test are read from the folder DISCREET_DATA_HOME. Every figure is
the mean of seeded fits (so it repeats; the guarantee of such fits is void, their distribution is the real
one). Nothing is tuned on adult.test.

Two public schemas. `full` writes down every column and every category of the codebook, except the sampling
weight and the text that repeats education-num. `lean` is what a statistician would keep of it: fewer cuts,
small categories left out. The choice among lean variants was made by cross-validation inside adult.data,
which is public; on a private table such a choice would have to be made without looking.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, roc_auc_score

from discreet import BoostedRulesClassifier, Schema
from discreet.testing import seeded_noise

COLUMNS = [
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"),
    *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week"),
    *("native-country", "income"),
]

SCHEMAS = {
    name: Schema.from_toml(Path(__file__).with_name(f"adult-{name}.toml")) for name in ("lean", "full")
}

# (epsilon, delta, accuracy and AUC that the defaults must reach with the lean schema)
GOALS = [
    (0.1, 1e-5, 0.845, 0.895),
    (1.0, 1e-5, 0.856, 0.908),
    (0.1, 0.0, 0.83, None),
    (1.0, 0.0, 0.846, None),
]


def load(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Read adult.data or adult.test; the test file has a first line to skip and dots after its labels."""
    folder = os.environ.get("DISCREET_DATA_HOME")
    if not folder:
        raise SystemExit("set DISCREET_DATA_HOME to the folder that holds adult.data and adult.test")
    frame = pd.read_csv(
        Path(folder) / name,
        names=COLUMNS,
        skipinitialspace=True,
        skiprows=int(name == "adult.test"),
        na_values="?",
    )
    return frame.drop(columns="income"), frame["income"].str.rstrip(".")


def measure(schema: Schema, epsilon: float, delta: float, fits: int, **options: object) -> np.ndarray:
    """Return accuracy and AUC on the official test file, one row a fit."""
    (X, y), (test_X, test_y) = load("adult.data"), load("adult.test")
    rows = []
    for seed in range(fits):
        with seeded_noise(seed):
            model = BoostedRulesClassifier(epsilon, delta, schema, **options).fit(X, y)
        votes = model.decision_function(test_X)
        rows.append((accuracy_score(test_y, model.predict(test_X)), roc_auc_score(test_y == ">50K", votes)))
    return np.array(rows)


def main() -> None:
    """Print one line for each schema and budget."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--fits", type=int, default=10)
    arguments = parser.parse_args()
    print("schema  epsilon  delta   accuracy (sd)    AUC (sd)         goal")
    for name, schema in SCHEMAS.items():
        for epsilon, delta, accuracy_goal, auc_goal in GOALS:
            results = measure(schema, epsilon, delta, arguments.fits)
            (accuracy, auc), (accuracy_sd, auc_sd) = results.mean(axis=0), results.std(axis=0, ddof=1)
            goal = f"{accuracy_goal} / {auc_goal or '-'}" if name == "lean" else ""
            print(
                f"{name:6}  {epsilon:7g}  {delta:<6g}  {accuracy:.4f} ({accuracy_sd:.4f})  "
                f"{auc:.4f} ({auc_sd:.4f})  {goal}"
            )


if __name__ == "__main__":
    main()
