"""``discreet predict``: a model file applied to a table."""

from __future__ import annotations

import csv
import io
import json as json_text
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import discreet
from discreet.cli.exits import advised
from discreet.cli.options import DataFile, ForceFlag, JsonFlag, ModelFile
from discreet.cli.outputs import check_output, write_output
from discreet.cli.tables import read_table
from discreet.errors import InputError

COLUMNS = ("predicted_class", "positive_probability")


def predict(
    model: ModelFile,
    data: DataFile,
    out: Annotated[Path, typer.Option(help="Where the predictions go, a CSV file.")],
    force: ForceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Predict the class of each record of a table.

    Writes one row a record, in the same order: the predicted class, and the probability of the positive
    class, which is the second one that discreet show names. No cell of the table is copied.
    """
    check_output(out, force, model, data)
    fitted = discreet.load_model(model)
    if isinstance(fitted, discreet.ProjectedHalfspaceClassifier):
        raise advised(
            InputError(
                "the model is one of rows of numbers, and has no schema by which a file could be read"
            ),
            "use Python: discreet.load_model(...).predict(X)",
        )
    table = read_table(data, fitted.schema_.names)
    classes = fitted.classes_.tolist()
    probabilities = fitted.predict_proba(table)[:, 1].tolist()
    write_output(out, _as_csv(classes, probabilities), force)
    path, records = os.fspath(out), len(probabilities)
    if json:
        told = {"predictions": path, "records": records, "positive_class": classes[1]}
        typer.echo(json_text.dumps(told))
    else:
        typer.echo(f"{records:,} predictions went to {path}; the positive class is {classes[1]!r}")


def _as_csv(classes: Sequence[object], probabilities: Sequence[float]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    # A tie goes to the first class, as in the estimator's predict.
    writer.writerows((classes[positive > 0.5], positive) for positive in probabilities)
    return text.getvalue()
