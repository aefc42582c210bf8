"""dp-xgboost of Sarus: pure privacy, one record added or removed (Grislain and Gonzalvez 2021).

Its README states the budget of n trees on a share of the rows: n log(1 + share (exp(per tree) - 1)). Noise is
seeded by the clock: a fit cannot be repeated.
"""

from __future__ import annotations

import math

import dp_xgboost
import numpy as np
from coding import Coding
from serving import Fitted, Job, serve


def fit(job: Job) -> Fitted:
    settings = dict(job.settings)
    trees, share = settings.pop("trees"), settings["subsample"]
    coding = Coding(job.columns, "scaled")
    owners = coding.owners
    numeric = [job.columns[owner]["kind"] == "numeric" for owner in owners]
    bounds = {
        "feature_min": [-1.0 if number else 0.0 for number in numeric],
        "feature_max": [1.0] * len(owners),
    }
    per_tree = math.log1p(math.expm1(job.epsilon / trees) / share)
    booster = dp_xgboost.train(
        {
            "objective": "reg:squarederror",
            "base_score": 0.5,
            "tree_method": "approxDP",
            "dp_epsilon_per_tree": per_tree,
            "nthread": 1,
            "seed": job.seed,
            "verbosity": 0,
            **settings,
        },
        dp_xgboost.DMatrix(coding.features(job.X), label=job.y, **bounds),
        num_boost_round=trees,
    )
    used = {owners[int(name[1:])] for name in booster.get_fscore()}

    def score(X: np.ndarray) -> np.ndarray:
        return booster.predict(dp_xgboost.DMatrix(coding.features(X), **bounds))

    return Fitted(score, len(used))


if __name__ == "__main__":
    serve(fit, ["dp-xgboost", "numpy"])
