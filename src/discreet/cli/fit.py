"""``discreet fit``: from a private table to a model file."""

from __future__ import annotations

import json as json_text
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import discreet
from discreet.cli.exits import advised
from discreet.cli.options import AdjacencyName, DataFile, ForceFlag, JsonFlag
from discreet.cli.outputs import check_output
from discreet.cli.tables import read_table
from discreet.errors import InputError, OptionError, SchemaError

if TYPE_CHECKING:
    from discreet.schema.target import Target

    Model = (
        discreet.BoostedRulesClassifier
        | discreet.BoostedTreesClassifier
        | discreet.BoostedHalfspaceClassifier
    )

LEARNERS = {
    "rules": "BoostedRulesClassifier",
    "trees": "BoostedTreesClassifier",
    "halfspace": "BoostedHalfspaceClassifier",
}
"""What --learner may be, and the public name of the estimator that it means."""


def fit(
    data: DataFile,
    schema: Annotated[Path, typer.Option(help="The schema, a TOML file.")],
    epsilon: Annotated[float, typer.Option(help="The privacy budget.")],
    out: Annotated[Path, typer.Option(help="Where the model goes, a JSON file.")],
    delta: Annotated[
        float, typer.Option(help="Far below one over the number of records; 0 is pure privacy.")
    ] = 1e-6,
    learner: Annotated[
        str,
        typer.Option(
            help="What is learned: rules, trees or a halfspace.", autocompletion=lambda: list(LEARNERS)
        ),
    ] = "rules",
    adjacency: AdjacencyName = "replace",
    expected_records: Annotated[
        int, typer.Option(help="A public guess of the number of records, under add-remove.")
    ] = 10_000,
    rounds: Annotated[
        int | None,
        typer.Option(
            help="How many rules or trees vote, or directions add up.  [default: from public figures]"
        ),
    ] = None,
    ledger: Annotated[
        str | None, typer.Option(help="The ledger that pays: a file, or a postgresql:// address.")
    ] = None,
    account: Annotated[str | None, typer.Option(help="The account of the ledger.")] = None,
    force: ForceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Learn a model from a private table, within a privacy budget.

    The schema says which columns are used and which one is predicted. Other columns are ignored.
    """
    check_output(out, force, data, schema)
    declared = discreet.Schema.from_toml(schema)
    target = _target(declared, schema)
    if learner not in LEARNERS:
        raise OptionError(f"--learner must be one of {', '.join(LEARNERS)}")
    model = getattr(discreet, LEARNERS[learner])(
        epsilon=epsilon,
        delta=delta,
        schema=declared,
        rounds="auto" if rounds is None else rounds,
        adjacency=adjacency,
        expected_records=expected_records,
        progress=not json and sys.stderr.isatty(),
        ledger=ledger,
        account=account,
    )
    _check_options(model)
    _check_account(ledger, account)
    table = read_table(data, [*declared.names, target.name])
    if adjacency == "replace" and not len(table):
        raise advised(
            InputError(f"{os.fspath(data)!r} has column names, but no records"),
            "name a table with records",
        )
    model.fit(table, table[target.name])
    model.save(out)
    _tell(model, learner, out, json)


def _check_options(model: Model) -> None:
    """Check the options before the table is read; fit would only do so afterwards."""
    model._options_type.checked(model.get_params(deep=False))


def _check_account(ledger: str | None, account: str | None) -> None:
    """Look for the account before the table is read."""
    if (ledger is None) != (account is None):
        raise OptionError("--ledger and --account go together")
    if ledger is not None and account is not None:
        with discreet.Ledger(ledger, create=False) as opened:
            opened.account(account)


def _target(declared: discreet.Schema, path: Path) -> Target:
    if declared.target is None:
        raise advised(
            SchemaError(f"{os.fspath(path)!r} does not say which column to predict"),
            'add [target] with name = "..." and classes = ["...", "..."]',
        )
    return declared.target


def _tell(model: Model, learner: str, out: Path, json: bool) -> None:
    plan, path = model.plan_, os.fspath(out)
    if json:
        told = {
            "model": path,
            "guarantee": asdict(model.privacy_),
            "rounds": plan.rounds,
            "candidates": plan.n_candidates,
        }
        typer.echo(json_text.dumps(told))
        return
    typer.echo(
        f"The guarantee\n\n{model.privacy_}\n\n"
        f"Released: {_released(model, learner)}. The model went to {path}\n"
        "Read it with discreet show, use it with discreet predict."
    )


def _released(model: Model, learner: str) -> str:
    plan = model.plan_
    if plan.releases_vectors:
        return f"{plan.rounds} directions of {plan.n_candidates:,} coefficients each, which were added up"
    each = "each" if learner == "rules" else "each test"
    return f"{plan.rounds} {learner}, {each} chosen among {plan.n_candidates:,}"
