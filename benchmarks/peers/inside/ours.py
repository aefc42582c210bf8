"""This library: `learner` is rules, trees or halfspace, every other setting an option of the estimator."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from serving import Fitted, Job, serve

from discreet.benchmark.learners import columns_used, private_learner
from discreet.schema import Schema
from discreet.testing import seeded_noise


def fit(job: Job) -> Fitted:
    declared = {
        column["name"]: {key: column[key] for key in column if key != "name"} for column in job.columns
    }
    schema = Schema.from_dict({"columns": declared})
    options = dict(job.settings)
    if options.get("adjacency") == "add-remove":
        options["expected_records"] = _one_digit(len(job.y))
    learner = private_learner(
        options.pop("learner"), job.epsilon, job.delta, schema, classes=[0, 1], **options
    )
    with seeded_noise(job.seed):
        model = learner.fit(_table(job, job.X), job.y)
    return Fitted(lambda X: model.predict_proba(_table(job, X))[:, 1], columns_used(model))


def _one_digit(n: int) -> int:
    """Round to one digit: the guess of somebody who does not know the number of records."""
    return round(n, -math.floor(math.log10(n)))


def _table(job: Job, X: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({column["name"]: _cells(column, X[:, k]) for k, column in enumerate(job.columns)})


def _cells(column: dict, codes: np.ndarray) -> np.ndarray:
    if column["kind"] == "numeric":
        return codes
    values = column["values"] if column["kind"] == "categorical" else [False, True]
    # The last is what place -1 names: missing, or not declared.
    return np.array([*values, None], dtype=object)[codes.astype(int)]


if __name__ == "__main__":
    serve(fit, ["discreet", "numpy", "numba", "opendp"])
