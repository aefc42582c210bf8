"""XGBoost without privacy."""

from __future__ import annotations

from coding import Coding
from serving import Fitted, Job, serve
from xgboost import XGBClassifier


def fit(job: Job) -> Fitted:
    coding = Coding(job.columns, "scaled")
    model = XGBClassifier(n_jobs=1, random_state=job.seed, **job.settings).fit(coding.features(job.X), job.y)
    return Fitted(
        lambda X: model.predict_proba(coding.features(X))[:, 1],
        coding.columns_used(model.feature_importances_),
    )


if __name__ == "__main__":
    serve(fit, ["xgboost", "numpy"])
