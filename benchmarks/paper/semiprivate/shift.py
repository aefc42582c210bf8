"""The public rows are of another distribution than the private ones: accuracy falls, privacy does not move.

`python -m benchmarks.paper.semiprivate.shift [--seeds 10]`

Public rows of people of at most 40 years are thinned out, until young people are 1/sigma times as frequent
among the private rows as among the public ones (the paper's sigma-smoothness). Privacy is a property of the
noise, which the plan sets without looking at any row: it is printed beside the accuracy.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from benchmarks.paper.semiprivate.adult import Split, adult
from discreet import PublicLabelClassifier
from discreet.semiprivate.oracles.base import Oracle
from discreet.semiprivate.oracles.rules import ExactRules
from discreet.semiprivate.oracles.trees import ExactTree
from discreet.testing import seeded_noise

SIGMAS = (1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.0)
YOUNG = 40
EPSILON = 1.0


def thinned(data: Split, sigma: float, seed: int) -> Split:
    """Keep young public rows with the probability that makes the largest density ratio 1/sigma."""
    young = (data.public["age"] <= YOUNG).to_numpy()
    share = young.mean()
    kept = (1 - share) / (1 / sigma - share) if sigma else 0.0
    keep = ~young | (np.random.default_rng(seed).random(len(young)) < kept)
    return replace(data, public=data.public[keep])


def row(data: Split, oracle: Oracle, points: int, sigma: float, seeds: int) -> str:
    """Return what fits on thinned public rows reach, and what they promise."""
    accuracy, sizes, promises = [], [], set()
    for seed in range(seeds):
        shifted = thinned(data, sigma, seed)
        with seeded_noise(seed):
            model = PublicLabelClassifier(EPSILON, data.schema, oracle=oracle, points=points).fit(
                shifted.X, shifted.y, public=shifted.public
            )
        accuracy.append((model.predict(data.test) == data.truth).mean())
        sizes.append(len(shifted.public))
        (term,) = model.plan_.terms
        promises.add(f"{model.privacy_.epsilon:.6g} at scale {term.scale:.6g}")
    return (
        f"| {oracle!r} | {sigma:g} | {np.mean(sizes):,.0f} | {np.mean(accuracy):.4f} "
        f"({np.std(accuracy, ddof=1):.4f}) | {', '.join(sorted(promises))} |"
    )


def main() -> None:
    """Print a line for each oracle and sigma."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    seeds = parser.parse_args().seeds
    data = adult()
    print("| oracle | sigma | public rows | accuracy | epsilon |")
    print("|---|---|---|---|---|")
    for oracle, points in ((ExactRules(), 12), (ExactTree(2), 25)):
        for sigma in SIGMAS:
            print(row(data, oracle, points, sigma, seeds), flush=True)


if __name__ == "__main__":
    main()
