"""diffprivlib's random forest: trees that split at random, on disjoint rows; pure privacy of the leaves'
labels.

A leaf's label is chosen by permute-and-flip with the counts' sensitivity 1 taken as monotonic, which holds
where one record is added or removed.
"""

from __future__ import annotations

import numpy as np
from coding import Coding
from diffprivlib.models import RandomForestClassifier
from serving import Fitted, Job, serve


def fit(job: Job) -> Fitted:
    coding = Coding(job.columns, "scaled")
    owners = np.array(coding.owners)
    numeric = np.array([job.columns[owner]["kind"] == "numeric" for owner in owners])
    model = RandomForestClassifier(
        epsilon=job.epsilon,
        bounds=(np.where(numeric, -1.0, 0.0), np.ones(len(owners))),
        classes=[0, 1],
        random_state=job.seed,
        **job.settings,
    ).fit(coding.features(job.X), job.y)
    split_on = [tree.tree_.feature[tree.tree_.children_left >= 0] for tree in model.estimators_]
    used = len(set(owners[np.concatenate(split_on).astype(int)].tolist()))
    return Fitted(lambda X: model.predict_proba(coding.features(X))[:, 1], used)


if __name__ == "__main__":
    serve(fit, ["diffprivlib", "scikit-learn", "numpy"])
