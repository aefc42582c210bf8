"""Every weak learner with every re-weighting: what a round releases, or why the two do not go together.

    python -m discreet.estimators.combinations > docs/combinations.md

Nothing here is written down: each line is a plan that was made, or the sentence with which it was refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from discreet.accounting.adjacency import Adjacency
from discreet.boosting.options import REWEIGHTINGS
from discreet.boosting.plan import Plan
from discreet.errors import DiscreetError
from discreet.estimators.boosted import BoostedClassifier
from discreet.estimators.loading import ESTIMATORS
from discreet.schema.columns import Boolean, Categorical, Numeric
from discreet.schema.schema import Schema, Target

SCHEMA = Schema(
    {"age": Numeric(0, 100, bins=20), "sex": Categorical(["f", "m"]), "smoker": Boolean()},
    target=Target("ill", [False, True]),
)
N_RECORDS = 10_000

BOOSTED = {name: face for name, face in ESTIMATORS.items() if issubclass(face, BoostedClassifier)}
"""The estimators that have a re-weighting."""

HEADER = f"""# Combinations

What a round releases, for every estimator with every re-weighting and both kinds of neighbours; bounds are in
full weights of one record, from plans for {N_RECORDS:,} records and default settings. Class
weights change no line.

Printed by `python -m discreet.estimators.combinations`; a test compares.

| estimator | re-weighting | neighbours | a round releases | over the whole fit |
|---|---|---|---|---|"""


def rows(**options: object) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield estimator, re-weighting, neighbours, and what a plan for them releases or why there is none."""
    for name, estimator in BOOSTED.items():
        for reweighting in REWEIGHTINGS:
            for adjacency in get_args(Adjacency):
                model = estimator(schema=SCHEMA, reweighting=reweighting, adjacency=adjacency, **options)
                try:
                    plan = model.plan(N_RECORDS if adjacency == "replace" else None)
                except DiscreetError as refusal:
                    yield name, reweighting, adjacency, f"refused: {refusal}", ""
                else:
                    yield name, reweighting, adjacency, *_released(plan)


def _released(plan: Plan) -> tuple[str, str]:
    """Return what is released in each round, and what once."""
    each, once = [], []
    for claim in (term.claim for term in plan.terms):
        bound = f"{claim.kind} of {claim.norm} {claim.bound / (plan.bounds.cap * claim.unit):.6g}"
        if claim.kind == "threshold":
            once.append(bound)
        else:
            each.append(bound if claim.count == 1 else f"{claim.count} x {bound}")
    return ", ".join(each), ", ".join(once)


def document() -> str:
    """Return the page of the documentation."""
    return "\n".join([HEADER, *(f"| {' | '.join(row)} |" for row in rows())]) + "\n"


if __name__ == "__main__":
    print(document(), end="")
