"""Draw the README's figure: accuracy on Adult against epsilon. `python benchmarks/figure.py OUT.svg`.

Defaults, the schema of load_adult(), official split, ten seeded fits a point; the line without privacy is
scikit-learn's histogram gradient boosting with its defaults on the same rows and the columns of the schema.
"""

from __future__ import annotations

import sys

import matplotlib.pyplot as plt
import numpy as np
from adult import measure
from sklearn.ensemble import HistGradientBoostingClassifier

from discreet.datasets import Dataset, load_adult

EPSILONS = [0.03, 0.1, 0.3, 1.0, 3.0]
FITS = 10


def references(adult: Dataset) -> tuple[float, float]:
    """Return the accuracy of gradient boosting that keeps nothing secret, and of the larger class."""
    y, test_y = adult.y_train, adult.y_test
    columns = list(adult.schema.names)
    X, test_X = (
        table[columns].apply(lambda column: column.astype("category") if column.dtype == "str" else column)
        for table in (adult.X_train, adult.X_test)
    )
    model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0)
    return float(model.fit(X, y).score(test_X, test_y)), float((test_y == y.mode()[0]).mean())


def main(path: str) -> None:
    """Measure, print and draw."""
    adult = load_adult()
    results = {
        (label, epsilon): measure(adult, adult.schema, epsilon, delta, FITS)[:, 0]
        for label, delta in (("delta = 1e-5", 1e-5), ("delta = 0 (pure)", 0.0))
        for epsilon in EPSILONS
    }
    reference, larger_class = references(adult)
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    for label, colour in (("delta = 1e-5", "#0b6e4f"), ("delta = 0 (pure)", "#b5651d")):
        runs = np.array([results[label, epsilon] for epsilon in EPSILONS])
        mean, sd = runs.mean(axis=1), runs.std(axis=1, ddof=1)
        axes.plot(EPSILONS, mean, "o-", color=colour, label=f"discreet, {label}")
        axes.fill_between(EPSILONS, mean - sd, mean + sd, color=colour, alpha=0.15, linewidth=0)
        for epsilon, value, spread in zip(EPSILONS, mean, sd, strict=True):
            print(f"{label:18} epsilon {epsilon:<5g} accuracy {value:.4f} (sd {spread:.4f})")
    print(f"without privacy: {reference:.4f}, larger class: {larger_class:.4f}")
    axes.axhline(reference, color="#444444", linestyle="--", label="gradient boosting, no privacy")
    axes.axhline(larger_class, color="#999999", linestyle=":", label="always the larger class")
    axes.set_xscale("log")
    axes.set_xticks(EPSILONS, [f"{epsilon:g}" for epsilon in EPSILONS])
    axes.minorticks_off()
    axes.set_xlabel("epsilon")
    axes.set_ylabel("accuracy on Adult's test file")
    axes.legend(frameon=False, fontsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path)


if __name__ == "__main__":
    main(sys.argv[1])
