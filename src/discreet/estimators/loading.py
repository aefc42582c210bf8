"""From a model file to the estimator that wrote it."""

from __future__ import annotations

import os

from discreet.errors import DiscreetError, ModelFileError
from discreet.estimators.boosted_halfspace import BoostedHalfspaceClassifier
from discreet.estimators.boosted_rules import BoostedRulesClassifier
from discreet.estimators.boosted_trees import BoostedTreesClassifier
from discreet.estimators.private import FileClassifier
from discreet.estimators.projected_halfspace import ProjectedHalfspaceClassifier
from discreet.estimators.regularized_leader import RegularizedLeaderClassifier
from discreet.models.files import read_model

ESTIMATORS: dict[str, type[FileClassifier]] = {
    estimator.__name__: estimator
    for estimator in (
        BoostedRulesClassifier,
        BoostedTreesClassifier,
        BoostedHalfspaceClassifier,
        RegularizedLeaderClassifier,
        ProjectedHalfspaceClassifier,
    )
}


def load_model(path: str | os.PathLike[str]) -> FileClassifier:
    """Read a model that an estimator's ``save`` wrote.

    Parameters
    ----------
    path : path
        The JSON file.

    Returns
    -------
    estimator
        Fitted, with its privacy statement; predictions are those of the saved model.

    Raises
    ------
    ModelFileError
        The file is damaged, foreign, or of a later version.
    """
    saved = read_model(path, {name: estimator._saved_type for name, estimator in ESTIMATORS.items()})
    try:
        return ESTIMATORS[saved.estimator].from_saved(saved)
    except ModelFileError:
        raise
    except DiscreetError as error:
        raise ModelFileError(f"the model's parameters are not valid: {error}") from None
