"""diffprivlib's logistic regression: pure privacy, one record replaced (Chaudhuri et al. 2011).

By our reading its promise is a little too good where rows are longer than 1, as here: the second derivative
of the loss has the square of a row's norm, and its mechanism (`Vector` of 0.6.6) takes the norm once. It is
run as it is.
"""

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
