"""Model files: JSON with a version and a checksum, strict when read.

A file holds what was public beforehand (schema, options), what was released (the hypotheses), and the
privacy statement. It holds no count, no aggregate, and nothing that only the training table knew.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from discreet.boosting.options import MAX_ROUNDS
from discreet.errors import ModelFileError, SchemaError
from discreet.models.ensemble import Ensemble
from discreet.models.statement import PrivacyStatement
from discreet.schema.schema import Schema
from discreet.whole_file import write_whole

VERSION = 1


class SavedModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every model file holds; each kind of model adds what it learned."""

    format: Literal["discreet-model"]
    version: int
    written_by: str
    estimator: str
    parameters: dict[str, Any]
    privacy: PrivacyStatement

    def __post_init__(self) -> None:
        asked = self.parameters
        if asked.get("adjacency") != self.privacy.adjacency:
            raise ValueError("the statement is about other neighbours than the parameters")
        said = self.privacy
        if said.epsilon > asked.get("epsilon", 0) or said.delta not in (0, asked.get("delta")):
            raise ValueError("the statement is about another budget than the parameters")
        if (said.rho is None) != (said.delta == 0):
            raise ValueError("zCDP goes with delta above 0")

    def check_rounds(self, found: int) -> None:
        """Refuse more hypotheses than there were rounds."""
        rounds = self.parameters.get("rounds", 0)
        if found > (MAX_ROUNDS if rounds == "auto" else rounds):
            raise ValueError("a model has one hypothesis a round")


class SavedTableModel(SavedModel, frozen=True, forbid_unknown_fields=True):
    """What the file of a model over a schema's columns holds."""

    columns_have_names: bool
    schema: dict[str, Any]

    def restored_schema(self) -> Schema:
        """Rebuild the schema."""
        try:
            return Schema.from_dict(self.schema)
        except SchemaError as error:
            raise ModelFileError(f"the model's schema is not valid: {error}") from None

    def restored(self, schema: Schema) -> Ensemble:
        """Rebuild what was learned; it must be something that the schema offers."""
        raise NotImplementedError


class _Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    checksum: str
    model: dict[str, Any]


def write_model(model: SavedModel, path: str | os.PathLike[str]) -> None:
    """Write a model file, whole or not at all."""
    contents = msgspec.to_builtins(model)
    envelope = _Envelope(checksum=_checksum(contents), model=contents)
    text = msgspec.json.format(msgspec.json.encode(envelope), indent=2)
    try:
        write_whole(Path(path), text + b"\n")
    except OSError as error:
        raise ModelFileError(f"cannot write {os.fspath(path)!r}: {error.strerror}") from None


def read_model(path: str | os.PathLike[str], kinds: Mapping[str, type[SavedModel]]) -> SavedModel:
    """Read and check a model file.

    Parameters
    ----------
    path : path
        The file.
    kinds : mapping
        What a file holds, by the name of the estimator that wrote it.

    Raises
    ------
    ModelFileError
        The file is not a model file, was damaged or edited, or comes from a later version. The message
        shows nothing of the file's contents, which may be a table that was named by mistake.
    """
    try:
        envelope = msgspec.json.decode(Path(path).read_bytes(), type=_Envelope)
    except OSError as error:
        raise ModelFileError(f"cannot read {os.fspath(path)!r}: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise ModelFileError(f"{os.fspath(path)!r} is not a discreet model file") from None
    if _checksum(envelope.model) != envelope.checksum:
        raise ModelFileError(f"{os.fspath(path)!r} was changed after it was written: checksum differs")
    version = envelope.model.get("version")
    if version != VERSION:
        raise ModelFileError(
            f"{os.fspath(path)!r} has file version {version!r}; this discreet reads version {VERSION}"
        )
    estimator = envelope.model.get("estimator")
    if not isinstance(estimator, str) or estimator not in kinds:
        raise ModelFileError("the model was written by an estimator that this discreet does not know")
    try:
        return msgspec.convert(envelope.model, type=kinds[estimator])
    except msgspec.ValidationError:
        raise ModelFileError(
            f"{os.fspath(path)!r} has a field too many, too few, or out of its range"
        ) from None


def _checksum(contents: dict[str, Any]) -> str:
    canonical = msgspec.json.encode(contents, order="deterministic")
    return "sha256:" + hashlib.sha256(canonical).hexdigest()
