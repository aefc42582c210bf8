"""``discreet show``: a model file for a reader."""

from __future__ import annotations

import json as json_text
import math
import os
from dataclasses import asdict
from shutil import get_terminal_size

import typer

import discreet
from discreet.cli.bars import chart, printable
from discreet.cli.options import JsonFlag, ModelFile

_VOTES = (
    "The model: votes where the test holds, the same votes the other way where\n"
    "it does not; a vote multiplies the odds by {:.3g}"
)
_LINEAR = (
    "The model: log odds where the test holds (a cut's count the other way where it\n"
    "does not), and for a number so many times as it says; less for a record far out"
)


def show(model: ModelFile, json: JsonFlag = False) -> None:
    """Show a model: its privacy statement and its scorecard."""
    fitted = discreet.load_model(model)
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
        f"The guarantee\n\n{printable(str(fitted.privacy_), keep_lines=True)}\n\n"
        f"{_LINEAR if linear else _VOTES.format(math.exp(2 * rate))}\n"
    )
    form = {"amount": "coefficient", "form": "+.3f"} if linear else {}
    typer.echo("\n".join(chart(lines, classes, get_terminal_size().columns, **form)))
