"""DP-EBM of the package interpret: its privacy is (epsilon, delta), one record added or removed."""

from __future__ import annotations

import numpy as np
import pandas as pd
from interpret.privacy import DPExplainableBoostingClassifier
from serving import Fitted, Job, serve

_OTHER = "missing"


def fit(job: Job) -> Fitted:
    names = [column["name"] for column in job.columns]
    numeric = {column["name"]: column for column in job.columns if column["kind"] == "numeric"}
    model = DPExplainableBoostingClassifier(
        feature_names=names,
        feature_types=["continuous" if name in numeric else "nominal" for name in names],
        privacy_bounds={name: (column["low"], column["high"]) for name, column in numeric.items()},
        epsilon=job.epsilon,
        delta=job.delta,
        random_state=job.seed,
        n_jobs=1,
        **job.settings,
    ).fit(_table(job, job.X), job.y)
    used = sum(bool(np.any(np.asarray(scores) != 0)) for scores in model.term_scores_)
    return Fitted(lambda X: model.predict_proba(_table(job, X))[:, 1], used)


def _table(job: Job, X: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({column["name"]: _cells(column, X[:, k]) for k, column in enumerate(job.columns)})


def _cells(column: dict, codes: np.ndarray) -> np.ndarray:
    if column["kind"] == "numeric":
        return codes
    values = column["values"] if column["kind"] == "categorical" else ["no", "yes"]
    return np.array([*map(str, values), _OTHER], dtype=object)[codes.astype(int)]


if __name__ == "__main__":
    serve(fit, ["interpret-core", "numpy"])
