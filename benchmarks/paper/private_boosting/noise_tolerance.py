"""Random label noise on a source with a margin: how often is the error at most alpha?

    python -m benchmarks.paper.private_boosting.noise_tolerance --help

Theorem 25 (Bun, Carmosino, Sorrell 2020) promises error alpha outside the sample in a share 1 - beta of runs,
at label noise eta = O(alpha tau). Any classifier with scikit-learn's fit and predict can be measured: a
*factory* makes one from the public schema. Seeded, so that the figures repeat.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import beta as beta_distribution

from benchmarks.paper.private_boosting.margin_source import MarginSource
from discreet import BoostedRulesClassifier, Schema
from discreet.testing import seeded_noise
from discreet.theory import HalfspaceParameters

Factory = Callable[[Schema], Any]

ALPHA, BETA = 0.1, 0.1
EPSILON, DELTA = 1.0, 1e-6
CONFIDENCE = 0.99
N_TEST = 20_000


def rules(schema: Schema) -> BoostedRulesClassifier:
    """Make the classifier that people get who set nothing."""
    return BoostedRulesClassifier(EPSILON, DELTA, schema)


def rules_on_dense_measures(schema: Schema) -> BoostedRulesClassifier:
    """Make a classifier with the papers' measure: lazy Bregman of density alpha/4."""
    return BoostedRulesClassifier(EPSILON, DELTA, schema, reweighting="lazy-bregman", density=ALPHA / 4)


FACTORIES: dict[str, Factory] = {"madaboost": rules, "lazy-bregman, alpha/4": rules_on_dense_measures}


def errors(
    factory: Factory, source: MarginSource, n: int, noise_rate: float, seeds: Iterable[int]
) -> npt.NDArray[np.float64]:
    """Return the error against the true labels of fresh records, one a seed."""
    names = source.schema.names
    measured = []
    for seed in seeds:
        random = np.random.default_rng(seed)
        X, y, _ = source.draw(n, noise_rate, random)
        fresh, _, truth = source.draw(N_TEST, 0.0, random)
        with seeded_noise(seed):
            model = factory(source.schema).fit(pd.DataFrame(X, columns=names), y)
        measured.append(np.mean(model.predict(pd.DataFrame(fresh, columns=names)) != truth))
    return np.array(measured)


def success_at_least(successes: int, runs: int, confidence: float = CONFIDENCE) -> float:
    """Return the Clopper-Pearson lower bound of a probability of success.

    The largest p such that so many successes in so many independent runs would still have probability at most
    1 - confidence under any smaller p. Exact for the binomial distribution; no approximation.
    """
    return float(beta_distribution.ppf(1 - confidence, successes, runs - successes + 1)) if successes else 0.0


def least_n(factory: Factory, source: MarginSource, noise_rate: float, runs: int) -> int:
    """Return the first n, doubling from 125, at which no run of a pilot errs by more than alpha."""
    n = 125
    while errors(factory, source, n, noise_rate, range(runs)).max() > ALPHA:
        n *= 2
    return n


def main() -> None:
    """Print the measured n of each classifier, and at that n a line for each rate of noise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--pilot", type=int, default=30)
    arguments = parser.parse_args()
    source = MarginSource()
    tau = source.rule_margin
    stated = HalfspaceParameters.for_theorem(
        ALPHA, BETA, EPSILON, DELTA, source.halfspace_margin, ALPHA * source.halfspace_margin / 32
    )
    print(f"alpha {ALPHA}, beta {BETA}, epsilon {EPSILON}, delta {DELTA}")
    print(f"margin as rules {tau:.3f}, as a halfspace {source.halfspace_margin:.3f}")
    print(f"n that the theorem states for the halfspace learner: {stated.n_records:,}")
    print("measure                n       eta/(alpha tau)  mean error  at most alpha  probability at least")
    for name, factory in FACTORIES.items():
        n = least_n(factory, source, ALPHA * tau / 32, arguments.pilot)
        for multiple in (0, 1 / 32, 1 / 4, 1, 4):
            fresh_seeds = range(1000, 1000 + arguments.runs)
            found = errors(factory, source, n, multiple * ALPHA * tau, fresh_seeds)
            kept = int((found <= ALPHA).sum())
            print(
                f"{name:21}  {n:6,}  {multiple:15g}  {found.mean():10.4f}  {kept:6} of {arguments.runs:3}  "
                f"{success_at_least(kept, arguments.runs):20.3f}"
            )


if __name__ == "__main__":
    main()
