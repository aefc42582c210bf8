"""diffprivlib's logistic regression: pure privacy, one record replaced (Chaudhuri et al. 2011)."""

from __future__ import annotations

from coding import Coding
from diffprivlib.models import LogisticRegression
from serving import Fitted, Job, serve


def fit(job: Job) -> Fitted:
    settings = dict(job.settings)
    coding = Coding(job.columns, settings.pop("numbers"))
    model = LogisticRegression(
        epsilon=job.epsilon, data_norm=coding.norm, max_iter=1000, random_state=job.seed, **settings
    ).fit(coding.features(job.X), job.y)
    return Fitted(
        lambda X: model.predict_proba(coding.features(X))[:, 1], coding.columns_used(model.coef_.ravel())
    )


if __name__ == "__main__":
    serve(fit, ["diffprivlib", "scikit-learn", "numpy"])
