"""Model files: JSON with a version and a checksum, strict when read.

A file holds what was public beforehand (schema, options), what was released (the rules), and the privacy
statement. It holds no count, no aggregate, and nothing that only the training table knew.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Literal

import msgspec

from discreet.boosting.literals import Rule, Test, literals_of
from discreet.errors import ModelFileError, SchemaError
from discreet.models.ensemble import RuleEnsemble
from discreet.models.statement import PrivacyStatement
from discreet.schema.schema import Schema
from discreet.whole_file import write_whole

VERSION = 1


class SavedRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule in the words of the schema."""

    column: str | None
    test: Test
    value: str | bool | int | float | None
    vote: Literal[-1, 1]


class SavedModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a model file."""

    format: Literal["discreet-model"]
    version: int
    written_by: str
    estimator: str
    parameters: dict[str, Any]
    columns_have_names: bool
    schema: dict[str, Any]
    learning_rate: float
    privacy: PrivacyStatement
    rules: list[SavedRule]

    def __post_init__(self) -> None:
        if not 0 < self.learning_rate < float("inf") or not self.rules:
            raise ValueError("a model has rules and a positive learning rate")
        if self.parameters.get("adjacency") != self.privacy.adjacency:
            raise ValueError("the statement is about other neighbours than the parameters")


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


def read_model(path: str | os.PathLike[str]) -> SavedModel:
    """Read and check a model file.

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
    except (msgspec.MsgspecError, UnicodeError):
        raise ModelFileError(f"{os.fspath(path)!r} is not a discreet model file") from None
    if _checksum(envelope.model) != envelope.checksum:
        raise ModelFileError(f"{os.fspath(path)!r} was changed after it was written: checksum differs")
    version = envelope.model.get("version")
    if version != VERSION:
        raise ModelFileError(
            f"{os.fspath(path)!r} has file version {version!r}; this discreet reads version {VERSION}"
        )
    try:
        return msgspec.convert(envelope.model, type=SavedModel)
    except msgspec.ValidationError:
        raise ModelFileError(
            f"{os.fspath(path)!r} has a field too many, too few, or out of its range"
        ) from None


def saved_rules(ensemble: RuleEnsemble, schema: Schema) -> list[SavedRule]:
    """Put rules into the words of the schema, in the order of their rounds."""
    return [
        SavedRule(
            column=None if rule.literal.test == "always" else schema.names[rule.column],
            test=rule.literal.test,
            value=rule.literal.value,
            vote=1 if rule.sign > 0 else -1,
        )
        for rule in ensemble.rules
    ]


def restored(model: SavedModel) -> tuple[Schema, RuleEnsemble]:
    """Rebuild schema and rules; every rule must be one that the schema offers."""
    try:
        schema = Schema.from_dict(model.schema)
    except SchemaError as error:
        raise ModelFileError(f"the model's schema is not valid: {error}") from None
    offered = {
        (
            None if literal.test == "always" else schema.names[literal.column],
            literal.test,
            literal.value,
        ): literal
        for literal in literals_of(schema)
    }
    n_codes = [column.n_codes for column in schema.columns.values()]
    try:
        literals = [offered[rule.column, rule.test, rule.value] for rule in model.rules]
    except KeyError:
        raise ModelFileError("a rule of the model is not one that its schema offers") from None
    rules = tuple(
        Rule(literal, saved.vote, n_codes[literal.column])
        for literal, saved in zip(literals, model.rules, strict=True)
    )
    return schema, RuleEnsemble(rules, model.learning_rate)


def _checksum(contents: dict[str, Any]) -> str:
    canonical = msgspec.json.encode(contents, order="deterministic")
    return "sha256:" + hashlib.sha256(canonical).hexdigest()
