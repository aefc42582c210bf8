"""Logistic regression without privacy, of scikit-learn."""

from __future__ import annotations

import numpy as np
from coding import Coding
from scipy.sparse import csr_matrix
from serving import Fitted, Job, serve
from sklearn.linear_model import LogisticRegression


def fit(job: Job) -> Fitted:
    coding = Coding(job.columns, job.settings["numbers"])

    def features(X: np.ndarray) -> csr_matrix:
        return csr_matrix(coding.features(X))

    model = LogisticRegression(max_iter=2000).fit(features(job.X), job.y)
    return Fitted(lambda X: model.predict_proba(features(X))[:, 1], coding.columns_used(model.coef_.ravel()))


if __name__ == "__main__":
    serve(fit, ["scikit-learn", "numpy"])
