"""Secrets planted in the records, and everything that is searched for them afterwards."""

from __future__ import annotations

import contextlib
import io
import re
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from discreet import BoostedRulesClassifier
from tests.harness.artefacts import artefacts_of
from tests.tables import SCHEMA, people

WORDS = [f"zq{i}secret" for i in range(100)]
NUMBERS = [9_173_000_000 + 13 * i for i in range(100)]
SECRETS = [*WORDS, *map(str, NUMBERS)]
_FOUND = re.compile("|".join(SECRETS))


def planted(n: int = 400) -> tuple[pd.DataFrame, pd.Series]:
    """Return a table in which 200 cells hold secrets, in columns and labels, in and out of place."""
    df, y = people(n)
    df, y = df.astype(object), y.astype(object)
    df.loc[:49, "age"] = WORDS[:50]
    df.loc[50:149, "age"] = NUMBERS
    df.loc[150:169, "sex"] = WORDS[50:70]
    df.loc[170:189, "smoker"] = WORDS[70:90]
    y.loc[190:199] = WORDS[90:]
    return df, y


def secrets_in(text: str) -> set[str]:
    """Return the planted secrets that a text shows."""
    return set(_FOUND.findall(text))


def left_by_a_fit(df: pd.DataFrame, y: pd.Series, **options: Any) -> str:
    """Fit, and return all that anybody gets to see: artefacts, warnings, logs, prints, the progress bar."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        model = BoostedRulesClassifier(schema=SCHEMA, progress=True, **options)
        artefacts = artefacts_of(model, df, y)
    return "\n".join(
        [printed.getvalue(), *(f"{name}: {content.decode('latin-1')}" for name, content in artefacts)]
    )


def left_by_an_error(breakage: Callable[[], object]) -> tuple[Exception, str]:
    """Return the exception, and what a log with a traceback would show of it.

    Source lines are left out: the words planted in the code of a test are no leak.
    """
    try:
        breakage()
    except Exception as error:
        lines = traceback.TracebackException.from_exception(error)
        chain, shown = [lines], []
        while chain:
            part = chain.pop()
            shown.extend(part.format_exception_only())
            shown.extend(getattr(part, "__notes__", None) or [])
            chain.extend(link for link in (part.__cause__, part.__context__) if link is not None)
        return error, "\n".join([*shown, repr(error), repr(error.args), repr(vars(error))])
    raise AssertionError("nothing was raised")


def counted() -> tuple[pd.DataFrame, pd.Series, set[str]]:
    """Return a table, and exact figures about it that no output may show: counts, smallest, largest."""
    n, positive, young = 1_347, 523, 389
    rng = np.random.default_rng(0)
    age = np.where(np.arange(n) < young, rng.uniform(18, 29, n), rng.uniform(30, 80, n)).round(4)
    age[[7, -7]] = 17.4391, 88.6127
    df = pd.DataFrame({"age": age, "sex": rng.choice(["Female", "Male"], n), "smoker": rng.random(n) < 0.2})
    y = pd.Series(np.where(np.arange(n) < positive, ">50K", "<=50K"))
    counts = {positive, n - positive, young, n - young, *df.sex.value_counts(), *df.smoker.value_counts()}
    return df, y, {*map(str, counts), "17.4391", "88.6127"}


def figures_in(text: str, figures: set[str]) -> set[str]:
    """Return those figures that stand in a text as numbers of their own, not inside a digest."""
    return {figure for figure in figures if re.search(rf"(?<![\da-z.]){re.escape(figure)}(?![\da-z])", text)}
