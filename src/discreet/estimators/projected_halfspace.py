"""Large-margin halfspaces by random projection: for text, genomes, embeddings."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterable
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted
from tqdm import tqdm

from discreet.boosting.options import checked_n_records, checked_threads, whole
from discreet.engines.hinge import HingeEngine
from discreet.engines.margin_errors import MarginErrors
from discreet.engines.projection import MOST_FEATURES, NORM, Vectors
from discreet.errors import InputError, OptionError, SchemaError
from discreet.estimators.charging import reserve
from discreet.estimators.private import FileClassifier, refuse_unsupported, two_classes, warn_of_delta
from discreet.halfspaces.choice import choose
from discreet.halfspaces.descent import descend
from discreet.halfspaces.fit_plan import (
    DescentPlan,
    NetPlan,
    ProjectedPlan,
    StochasticPlan,
    make_projected_plan,
)
from discreet.halfspaces.options import ProjectedOptions
from discreet.halfspaces.projected import ProjectedHalfspace, projection_of
from discreet.halfspaces.stochastic import descend_repeatedly
from discreet.ledger.ledger import Ledger
from discreet.mechanisms.release import Release
from discreet.mechanisms.source import current_sampler
from discreet.models.files import SavedModel
from discreet.models.projected_file import SavedProjectedHalfspace
from discreet.models.statement import PrivacyStatement
from discreet.schema.columns import Category
from discreet.schema.encode import check_labels, encode_labels
from discreet.schema.points import Points, open_points
from discreet.schema.schema import Target

# Public fields only: the plan's, which is made before any record is read.
_LOG = logging.getLogger("discreet")
_BAR = "{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}]"


class ProjectedHalfspaceClassifier(FileClassifier):
    """Differentially private linear classifier for rows of very many numbers, none of them declared.

    Rows are brought to norm 1, each by itself, and through a public random matrix to few components; a
    halfspace is learned there, by descent on the hinge loss with Gaussian noise. It is one of the original
    columns as well. What the noise costs depends on the margin, and not on the number of columns (Le Nguyen,
    Ullman, Zakynthinou, 2020).

    Takes sparse matrices, which are never made dense; numpy arrays; and tables whose columns are all numbers
    or booleans. There is no schema: nothing about a column needs to be known. A nan counts as 0, an infinity
    as the largest number.

    There is no ``predict_proba``: the hinge tells classes apart, and not how likely they are.

    Parameters
    ----------
    epsilon : float, default 1.0
        The privacy budget of one fit.
    delta : float, default 1e-6
        The delta of the guarantee; well below one over the number of records. Gaussian noise needs one above
        0.
    margin : float, default 0.1
        How far from the hyperplane most rows of norm 1 are expected to be, at least. It is public: take it
        from a public table of the same kind, or from experience, and never from the private records.
    classes : sequence
        The two class labels. Never read off the labels.
    method : {"descent", "net", "stochastic"}, default "descent"
        How the halfspace is learned. "net" chooses one of the directions of a public net, each by how many
        records it leaves with a small margin: with ``delta=0`` the guarantee is pure. It is for large
        margins: the net grows with the power of the components. "stochastic" is the paper's Algorithm 3, for
        a few hundred records at most: n^2 noisy steps, each on one record that is drawn secretly, some times
        over, and a private choice among the last iterates. It takes the paper's noise where that is enough,
        which is far more than is needed. Needs ``adjacency="replace"`` and a delta above 0.
    n_components : int or "auto", default "auto"
        How many numbers stand for a row. With as many as there are columns or more, nothing is projected.
        "auto" is between 256 and 4096 for descent, by margin, budget and number of records (the public one,
        or ``expected_records``), 64 for stochastic descent, and for a net as many as leave it within
        ``max_candidates``.
    projection : {"dense", "sparse"}, default "dense"
        The matrix: of 1 and -1, or mostly of 0. The sparse one keeps an entry with a probability of about
        1/sqrt(columns), so that most rows with few numbers would vanish; it is for rows with many.
    projection_seed : int, default 0
        What the matrix is drawn from. It is public, and no secret is needed: privacy does not rest on it.
    intercept : bool, default False
        Whether the hyperplane may pass by the origin, for rows of norm 1. Rows are then lifted by a constant,
        and ``margin`` is that of the lifted rows: for an offset theta as little as margin / (2 + 2
        abs(theta)).
    rounds : int or "auto", default "auto"
        How many steps the descent takes.
    max_candidates : int, default 1_000_000
        How many directions a net may have; ``plan`` prints how many it has. A fit looks at every record with
        each.
    failure : float, default 0.05
        Beta, for ``method="stochastic"`` only: there are log(8 / failure) repeats, rounded up.
    adjacency : {"replace", "add-remove"}, default "replace"
        Which tables count as neighbours. Under "replace" the number of records is public; under
        "add-remove" it is private and nothing depends on it.
    expected_records : int, default 10_000
        A public guess of the number of records; used under "add-remove" only.
    n_jobs : int, optional
        Threads; the model does not depend on it. None is 1, -1 is all processors.
    progress : bool, default False
        Show a progress bar.
    ledger : Ledger or path, optional
        The privacy budget that pays for the fit, before a record is read. Not with
        ``method="stochastic"``: a ledger knows no losses of drawn records.
    account : str, optional
        The account of the ledger.

    Attributes
    ----------
    classes_ : array
        The two classes in sorted order; above zero means the second.
    n_components_ : int
        How many numbers stood for a row.
    privacy_ : PrivacyStatement
        What is guaranteed; print it.
    halfspace_ : ProjectedHalfspace
        What was learned: the weights of the components.
    options_ : ProjectedOptions
        The options of the fit, as they go into the model file.
    plan_ : ProjectedPlan
        What was released, how often, at what loss. Not part of a saved model.
    n_features_in_ : int
        How many columns there are.
    feature_names_in_ : array of str
        Their names, if the table had names.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from discreet import ProjectedHalfspaceClassifier
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 5000)
    >>> X = sparse.random_array((5000, 20_000), density=0.001, rng=rng).tolil()
    >>> X[:, [0]] = (2 * y - 1).reshape(-1, 1)
    >>> model = ProjectedHalfspaceClassifier(margin=0.2, classes=[0, 1]).fit(X, y)
    >>> model.score(X, y) > 0.9
    True
    """

    _saved_type = SavedProjectedHalfspace
    halfspace_: ProjectedHalfspace

    def __init__(
        self,
        epsilon: float = 1.0,
        delta: float = 1e-6,
        margin: float = 0.1,
        classes: tuple[Category | bool, ...] | None = None,
        *,
        method: str = "descent",
        n_components: int | Literal["auto"] = "auto",
        projection: str = "dense",
        projection_seed: int = 0,
        intercept: bool = False,
        rounds: int | Literal["auto"] = "auto",
        max_candidates: int = 1_000_000,
        failure: float = 0.05,
        adjacency: str = "replace",
        expected_records: int = 10_000,
        n_jobs: int | None = None,
        progress: bool = False,
        ledger: Ledger | str | os.PathLike[str] | None = None,
        account: str | None = None,
    ) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.margin = margin
        self.classes = classes
        self.method = method
        self.n_components = n_components
        self.projection = projection
        self.projection_seed = projection_seed
        self.intercept = intercept
        self.rounds = rounds
        self.max_candidates = max_candidates
        self.failure = failure
        self.adjacency = adjacency
        self.expected_records = expected_records
        self.n_jobs = n_jobs
        self.progress = progress
        self.ledger = ledger
        self.account = account

    def fit(self, X: Any, y: Any = None, **unsupported: Any) -> Self:
        """Learn from private rows.

        Parameters
        ----------
        X : sparse matrix, array or table
            A sparse matrix or array of scipy in any format, a two-dimensional array of numbers or booleans,
            or a pandas, polars or pyarrow table of such columns.
        y : column
            The labels. A label outside the classes gives its record weight 0.

        Returns
        -------
        self
        """
        refuse_unsupported(unsupported)
        options = ProjectedOptions.checked(self.get_params(deep=False))
        threads = checked_threads(self.n_jobs)
        sampler, void = current_sampler()
        target = self._target()
        if options.method == "stochastic" and not (self.ledger is None and self.account is None):
            raise OptionError("method='stochastic' has a loss of drawn records, which no ledger can add up")
        points = open_points(X)
        plan = make_projected_plan(options, points.n_records, points.n_features)
        warn_of_delta(plan.guarantee, plan.n_records)
        _LOG.info("fit: %s, %s", plan.summary, plan.guarantee)
        check_labels(y, points.n_records)
        what = f"{type(self).__name__}, {plan.summary}"
        spend = reserve(self.ledger, self.account, plan.losses, what, plan.adjacency, void)
        projection, checksum = projection_of(
            plan.projection, plan.n_components, plan.n_features, options.projection_seed, plan.intercept
        )

        # No record was read so far.
        labels = encode_labels(y, target, points.n_records)
        vectors = projection.vectors(points, threads)
        weights = self._learned(plan, vectors, labels, threads, Release(plan.terms, sampler))

        if spend is not None:
            spend.commit()
        self.plan_ = plan
        self._set_fitted(
            options,
            target,
            ProjectedHalfspace(
                tuple(weights.tolist()),
                plan.n_features,
                plan.projection,
                options.projection_seed,
                plan.intercept,
                checksum,
            ),
            PrivacyStatement.of(plan.guarantee, plan.loss, plan.adjacency, void, spend),
            points.names,
        )
        return self

    def _learned(
        self,
        plan: ProjectedPlan,
        vectors: Vectors,
        labels: npt.NDArray[np.int8],
        threads: int,
        release: Release,
    ) -> npt.NDArray[np.int64]:
        """Learn the weights of the components."""
        if isinstance(plan, NetPlan):
            return choose(plan, MarginErrors(vectors, labels, NORM, threads), release)
        if isinstance(plan, StochasticPlan):
            # The second engine overwrites the vectors.
            errors = MarginErrors(vectors, labels, NORM, threads)
            engine = HingeEngine(vectors, labels, NORM, threads)
            return descend_repeatedly(self._shown(plan.repeats), plan, engine, errors, release)
        assert isinstance(plan, DescentPlan)
        engine = HingeEngine(vectors, labels, NORM, threads)
        return descend(self._shown(plan.rounds), plan, engine, release)

    def _shown(self, rounds: int) -> Iterable[int]:
        # Also a disabled bar takes a lock that forked processes share, and one that is killed keeps it.
        return tqdm(range(rounds), desc="rounds", bar_format=_BAR) if self.progress else range(rounds)

    def plan(self, n_records: int | None = None, n_features: int | None = None) -> ProjectedPlan:
        """Show what a fit would release, how often, and at what loss; reads no data.

        Parameters
        ----------
        n_records : int, optional
            The public number of records; needed under ``adjacency="replace"``.
        n_features : int, optional
            The number of columns; that of the last fit, if there was one.
        """
        options = ProjectedOptions.checked(self.get_params(deep=False))
        if (n_records is None) != (options.adjacency == "add-remove"):
            raise OptionError(
                "plan() needs n_records under adjacency='replace', and takes none under 'add-remove'"
            )
        n_features = getattr(self, "n_features_in_", None) if n_features is None else n_features
        width = whole(n_features, "n_features", least=1, most=MOST_FEATURES)
        checked = None if n_records is None else checked_n_records(n_records)
        return make_projected_plan(options, checked, width)

    @property
    def coef_(self) -> npt.NDArray[np.float64]:
        """The halfspace of the original columns, w R, in one row; of norm 1 with ``intercept_``."""
        check_is_fitted(self)
        return self.halfspace_.coefficients[None, : self.n_features_in_]

    @property
    def intercept_(self) -> npt.NDArray[np.float64]:
        """What is added for a row of norm 1; 0 without an intercept."""
        check_is_fitted(self)
        return self.halfspace_.coefficients[self.n_features_in_ :] if self.options_.intercept else np.zeros(1)

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the margin of each row, brought to norm 1: between -1 and 1; 0 for a row of zeros.

        Parameters
        ----------
        X : sparse matrix, array or table
            With the columns of the fit.
        """
        return self._scores(X)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the second class where the margin is above zero, else the first."""
        above = self._scores(X) > 0
        return np.asarray(self.classes_[above.astype(np.intp)])

    def _scores(self, X: Any) -> npt.NDArray[np.float64]:
        check_is_fitted(self)
        points, problem = self._named_alike(open_points(X))
        if points.n_features != self.n_features_in_:
            # In the words that scikit-learn's users, and its checks, know.
            raise InputError(
                f"X has {points.n_features} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        scores = self.halfspace_.scores(points)
        if problem is not None:
            warnings.warn(f"{problem}; its columns are taken in their order", UserWarning, stacklevel=3)
        return scores

    def _named_alike(self, points: Points) -> tuple[Points, str | None]:
        """Take columns by name where both tables have names; else go by position, and say so."""
        fitted, name = hasattr(self, "feature_names_in_"), type(self).__name__
        if fitted and points.names is not None:
            return points.in_the_order_of(self.feature_names_in_.tolist()), None
        if fitted:
            return points, f"X does not have valid feature names, but {name} was fitted with feature names"
        if points.names is not None:
            return points, f"X has feature names, but {name} was fitted without feature names"
        return points, None

    def _target(self) -> Target:
        if self.classes is None:
            raise SchemaError("the classes must be declared, not read off the labels: pass classes=[...]")
        return two_classes(type(self).__name__, self.classes, None)

    def _contents(self) -> dict[str, Any]:
        named = hasattr(self, "feature_names_in_")
        return {
            "classes": self.classes_.tolist(),
            "n_features": self.n_features_in_,
            "feature_names": self.feature_names_in_.tolist() if named else None,
            "matrix_checksum": self.halfspace_.checksum,
            "weights": list(self.halfspace_.weights),
        }

    @classmethod
    def from_saved(cls, saved: SavedModel) -> Self:
        """Rebuild a fitted model from the contents of its file."""
        assert isinstance(saved, SavedProjectedHalfspace)
        options = ProjectedOptions.from_file(saved.parameters)
        model = cls(**vars(options), classes=tuple(saved.classes))
        names = saved.feature_names
        model._set_fitted(
            options,
            model._target(),
            ProjectedHalfspace(
                tuple(saved.weights),
                saved.n_features,
                None if saved.matrix_checksum is None else options.projection,
                options.projection_seed,
                options.intercept,
                saved.matrix_checksum,
            ),
            saved.privacy,
            None if names is None else tuple(names),
        )
        return model

    def _set_fitted(
        self,
        options: ProjectedOptions,
        target: Target,
        halfspace: ProjectedHalfspace,
        privacy: PrivacyStatement,
        names: tuple[str, ...] | None,
    ) -> None:
        self.options_ = options
        self.halfspace_ = halfspace
        self.privacy_ = privacy
        self.classes_ = np.array(target.classes)
        self.n_components_ = len(halfspace.weights)
        self.n_features_in_ = halfspace.n_features
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
