"""A privacy statement in plain words, on one page, for whoever has to answer for the data."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Decimal
from textwrap import fill
from typing import TYPE_CHECKING

from discreet.accounting import show
from discreet.accounting.adjacency import Adjacency

if TYPE_CHECKING:
    from discreet.models.statement import PrivacyStatement

_WIDTH = 90
_WEAK = 3.0
"""From this epsilon on, 95 of 100 guesses may be right."""

_SIZE: dict[Adjacency, str] = {
    "replace": "How many records the table has is not protected.",
    "add-remove": "How many records the table has is protected as well.",
}
_QUESTION: dict[Adjacency, str] = {
    "replace": "which of two versions of the record is the true one, each as likely as the other",
    "add-remove": "whether the record is in the table or not, the one as likely as the other",
}
_OUT_OF_SCOPE = (
    "People with several records. The promise is for one record. With k records of one person epsilon "
    "counts k times, and delta more than that.",
    "What is true of people in general. If the model shows that smokers fall ill, it says so about smokers "
    "who are not in the table as well.",
    "What the model says about a record of the table. The model may be handed out; its prediction for a "
    "person is computed from that person's data.",
    "What was declared public beforehand: columns, their bounds and categories, classes, settings. Facts "
    "that were looked up in the table to declare them are not protected.",
    "The computer on which the model was learned: who has access to it, or can measure how long it works.",
)


def explained(statement: PrivacyStatement) -> str:
    """Write the page.

    Parameters
    ----------
    statement : PrivacyStatement
        Of a fitted model. Nothing else enters, so nothing but public facts stands on the page.
    """
    if not statement.holds:
        return _page(
            {
                "NO PRIVACY GUARANTEE": [f"This model has none: {statement.reason}."],
                "What that means": [
                    "Whoever has the model may be able to find out what stands in the records that it was "
                    "learned from. Treat it as confidential as these records, and do not hand it out."
                ],
            }
        )
    return _page(
        {
            "What is protected": [
                "Every single record (row) of the table that the model was learned from, in all its columns "
                f"and its label. {_SIZE[statement.adjacency]}"
            ],
            "Against whom": [
                "Anybody who gets the model and all that is printed or saved with it, now or later, whatever "
                "else they know, even if it is all other records."
            ],
            "What the number means": _meaning(statement),
            "What is not covered": [f"* {text}" for text in (*_OUT_OF_SCOPE, _several_models(statement))],
            "In the words of the field": str(statement).splitlines(),
        }
    )


def _meaning(statement: PrivacyStatement) -> list[str]:
    delta = f" and delta = {show(statement.delta)}" if statement.delta else ""
    odds = [
        f"Somebody knows everything but one record, and has to guess {_QUESTION[statement.adjacency]}. "
        "Without the model, 50 of 100 such guesses are right on average. With the model, at most "
        f"{_right_guesses(statement.epsilon, statement.delta)} of 100 are, however they are made. This is "
        f"what epsilon = {show(statement.epsilon)}{delta} says."
    ]
    weak = "This is weak protection: the model may tell most of what there is to know about a record."
    return [*odds, weak] if statement.epsilon >= _WEAK else odds


def _right_guesses(epsilon: float, delta: float) -> str:
    """Return how many of 100 guesses are right at the most, rounded up.

    A test of two neighbours, with errors a and b, has 1 - b <= e^epsilon a + delta, and the same with a and b
    exchanged; so (1 - a + 1 - b)/2 is at most (e^epsilon + delta)/(1 + e^epsilon).
    """
    share = (1 + delta * math.exp(-epsilon)) / (1 + math.exp(-epsilon))
    # Above by more than the rounding of these operations.
    most = Decimal(min(100 * share * (1 + 1e-12), 100.0))
    return str(most.quantize(Decimal("0.01"), rounding=ROUND_CEILING))


def _several_models(statement: PrivacyStatement) -> str:
    every = "Several models. Each one that is learned from the same people adds to what can be found out."
    if statement.account is None:
        return f"{every} No ledger has kept count of this one."
    return (
        f"{every} This one was paid by account {statement.account!r} of a ledger, which knows the budget "
        "that all models of the account keep to together."
    )


def _page(sections: dict[str, list[str]]) -> str:
    return "\n\n".join(
        "\n".join([title, "-" * len(title), *map(_wrapped, paragraphs)])
        for title, paragraphs in sections.items()
    )


def _wrapped(paragraph: str) -> str:
    hanging = "  " if paragraph.startswith("* ") else ""
    return fill(paragraph, _WIDTH, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
