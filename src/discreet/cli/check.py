"""``discreet schema check``: what a schema says, once it is valid."""

from __future__ import annotations

import json as json_text
import os
from pathlib import Path
from typing import Annotated, Any

import typer

import discreet
from discreet.cli.bars import printable
from discreet.cli.options import JsonFlag


def check(
    schema: Annotated[Path, typer.Argument(metavar="SCHEMA", help="The schema, a TOML file.")],
    json: JsonFlag = False,
) -> None:
    """Check a schema: its columns, their kinds, the tests they offer."""
    declared = discreet.Schema.from_toml(schema)
    columns = _described(declared)
    tests = sum(column["tests"] for column in columns)
    target = declared.target
    if json:
        told = {
            "schema": os.fspath(schema),
            "columns": columns,
            "tests": tests,
            "target": None if target is None else {"name": target.name, "classes": target.classes},
        }
        typer.echo(json_text.dumps(told))
        return
    width = max(len("column"), *(len(printable(column["column"])) for column in columns))
    typer.echo(f"{os.fspath(schema)} is valid: {len(columns)} columns, {tests:,} tests\n")
    typer.echo(f"  {'column':<{width}}  {'kind':<11}  tests")
    for column in columns:
        typer.echo(f"  {printable(column['column']):<{width}}  {column['kind']:<11}  {column['tests']:>5,}")
    if target is None:
        typer.echo("\nNo target: discreet fit needs [target] with the column to predict.")
    else:
        typer.echo(f"\nTarget {target.name!r}: {', '.join(map(repr, target.classes))}; the last is positive")


def _described(declared: discreet.Schema) -> list[dict[str, Any]]:
    from discreet.boosting.literals import literals_of

    asked = [literal.column for literal in literals_of(declared) if literal.test != "always"]
    return [
        {"column": name, "kind": type(column).__name__.lower(), "tests": asked.count(place)}
        for place, (name, column) in enumerate(declared.columns.items())
    ]
