"""The model as a person reads it (the thesis's Table 5.3)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from discreet.boosting.literals import Literal
from discreet.models.ensemble import RuleEnsemble, net_votes
from discreet.schema.schema import Schema


def scorecard(ensemble: RuleEnsemble, schema: Schema, classes: Sequence[object]) -> pd.DataFrame:
    """Return the votes per (column, test), most weighty first.

    Votes above zero favour the second class, below zero the first, where the test holds; where it does
    not hold, the same votes count the other way. ``favours`` names the class that gains where the test
    holds.
    """
    against, towards = classes
    entries = net_votes(ensemble.rules)
    return pd.DataFrame(
        {
            "column": [_column_name(rule.literal, schema) for rule, _ in entries],
            "test": [str(rule.literal) for rule, _ in entries],
            "votes": [votes for _, votes in entries],
            "favours": [towards if votes > 0 else against for _, votes in entries],
        }
    )


def _column_name(literal: Literal, schema: Schema) -> str:
    return "" if literal.test == "always" else schema.names[literal.column]
