"""What every classifier with a guarantee shares, whatever it learns."""

from __future__ import annotations

import os
import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

import discreet
from discreet.accounting import ApproxDP
from discreet.errors import OptionError, SchemaError
from discreet.models.files import VERSION, SavedModel, write_model
from discreet.models.statement import PrivacyStatement
from discreet.schema.target import Target


class PrivateClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A classifier of two classes whose fit has a guarantee."""

    privacy_: PrivacyStatement

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        tags.non_deterministic = True
        return tags


class FileClassifier(PrivateClassifier):
    """One whose model goes into a file and comes back."""

    _saved_type: ClassVar[type[SavedModel]]
    options_: Any

    @abstractmethod
    def _contents(self) -> dict[str, Any]:
        """Return what a model file keeps of the model, by the fields of ``_saved_type``."""

    @classmethod
    @abstractmethod
    def from_saved(cls, saved: Any) -> Self:
        """Rebuild a fitted model from the contents of its file."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file; ``discreet.load_model`` reads it back."""
        check_is_fitted(self)
        write_model(
            self._saved_type(
                format="discreet-model",
                version=VERSION,
                written_by=f"discreet {discreet.__version__}",
                estimator=type(self).__name__,
                parameters=self.options_.in_a_file,
                privacy=self.privacy_,
                **self._contents(),
            ),
            path,
        )


def two_classes(name: str, declared: Sequence[Any] | None, target: Target | None) -> Target:
    """Return the target with the two classes of an estimator; ``declared`` stands in where there is none.

    Parameters
    ----------
    name : str
        The estimator's, for errors.
    declared : sequence or None
        What its option ``classes`` says.
    target : Target or None
        What its schema says; one without a name stands for no column.
    """
    own = None if declared is None else Target("target" if target is None else target.name, declared)
    target = target or own
    if target is None:
        raise SchemaError(
            "the classes must be declared, not read off the labels: give the schema a "
            "target=Target(name, classes=[...]), or pass classes=[...]"
        )
    if own is not None and own.classes != target.classes:
        raise OptionError("classes= differs from the classes of the schema's target; drop one")
    if len(target.classes) != 2:
        raise SchemaError(f"{name} tells two classes apart; target {target.name!r} has {len(target.classes)}")
    return target


def refuse_unsupported(options: dict[str, Any]) -> None:
    """Refuse what a user of scikit-learn might pass to ``fit`` beside the table and its labels."""
    if options.pop("sample_weight", None) is not None:
        raise OptionError(
            "sample_weight is not supported: a record's weight decides how much one record can move the "
            "model, and the privacy proof needs to know it beforehand"
        )
    if options:
        raise OptionError(f"fit does not know the option {sorted(options)[0]!r}")


def warn_of_delta(guarantee: ApproxDP, n_records: int | None) -> None:
    """Warn a caller's caller of a delta that promises nothing to a table of so many records."""
    # Under add-remove n is private, and a warning would tell it.
    if n_records is not None and guarantee.delta * n_records >= 1:
        warnings.warn(
            "delta is not below 1/n: a mechanism may then publish a whole record and keep its promise",
            UserWarning,
            stacklevel=3,
        )
