"""``discreet show``: a model file for a reader."""

from __future__ import annotations

import json as json_text
import math
import os
from dataclasses import asdict
from shutil import get_terminal_size
from typing import Annotated

import typer

import discreet
from discreet.cli.bars import chart, printable
from discreet.cli.options import JsonFlag, ModelFile

_VOTES = "The model: votes where the test holds, the same votes the other way where\nit does not"
_LINEAR = (
    "The model: log odds where the test holds (a cut's count the other way where it\n"
    "does not), and for a number so many times as it says; less for a record far out"
)


def show(
    model: ModelFile,
    statement: Annotated[
        bool, typer.Option("--statement", help="Print the privacy statement as a page in plain words, only.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Show a model: its privacy statement, and its scorecard or its trees."""
    fitted = discreet.load_model(model)
    if statement:
        page = printable(fitted.privacy_.explained(), keep_lines=True)
        typer.echo(json_text.dumps({"privacy": asdict(fitted.privacy_), "statement": page}) if json else page)
        return
    if isinstance(fitted, discreet.ProjectedHalfspaceClassifier):
        _show_projected(os.fspath(model), fitted, json)
        return
    classes, target = fitted.classes_.tolist(), fitted.schema_.target
    lines = fitted.scorecard().to_dict("records")
    rate = fitted.ensemble_.learning_rate
    name = None if target is None else target.name
    if json:
        told = {
            "privacy": asdict(fitted.privacy_),
            "target": name,
            "classes": classes,
            "positive_class": classes[1],
            "learning_rate": rate,
            "scorecard": lines,
        }
        typer.echo(json_text.dumps(told))
        return
    linear = isinstance(fitted, discreet.BoostedHalfspaceClassifier)
    parts = "log odds" if linear else "votes"
    typer.echo(
        f"{os.fspath(model)} predicts {name!r}: {classes[1]!r} where the {parts} add up above zero, "
        f"else {classes[0]!r}\n\n"
        f"The guarantee\n\n{printable(str(fitted.privacy_), keep_lines=True)}\n"
    )
    odds = f"a vote multiplies the odds by {math.exp(2 * rate):.3g}\n"
    if isinstance(fitted, discreet.BoostedTreesClassifier):
        typer.echo(f"The model: each tree votes once on a record; {odds}")
        typer.echo(printable(fitted.drawn(), keep_lines=True))
        return
    typer.echo(f"{_LINEAR}\n" if linear else f"{_VOTES}; {odds}")
    form = {"amount": "coefficient", "form": "+.3f"} if linear else {}
    typer.echo("\n".join(chart(lines, classes, get_terminal_size().columns, **form)))


def _show_projected(path: str, fitted: discreet.ProjectedHalfspaceClassifier, json: bool) -> None:
    """Show a halfspace that was learned in a projection; its coefficients are too many to read."""
    against, towards = fitted.classes_.tolist()
    asked = fitted.options_
    if json:
        told = {
            "privacy": asdict(fitted.privacy_),
            "classes": [against, towards],
            "positive_class": towards,
            "method": asked.method,
            "margin": asked.margin,
            "columns": fitted.n_features_in_,
            "components": fitted.n_components_,
        }
        typer.echo(json_text.dumps(told))
        return
    matrix = fitted.halfspace_.projection
    through = "" if matrix is None else f", by a {matrix} matrix from the public seed {asked.projection_seed}"
    intercept = " and an intercept" if asked.intercept else ""
    typer.echo(
        f"{path} predicts {towards!r} where the margin is above zero, else {against!r}\n\n"
        f"The guarantee\n\n{printable(str(fitted.privacy_), keep_lines=True)}\n\n"
        f"The model: one coefficient a column, for rows of norm 1\n\n"
        f"columns     {fitted.n_features_in_:,}{intercept}\n"
        f"components  {fitted.n_components_:,}{through}\n"
        f"learned     method {asked.method}, margin {asked.margin:g}"
    )
