"""What labelling public points releases, and at what price (PRIVACY.md 8).

The score of a labelling v of the points is e(v), the least number of private records that a classifier errs
on which labels the points by v. A record with a label outside the classes errs under no classifier.

Replace one record: each classifier's errors move by -1, 0 or 1, so e(v) does, as a minimum over the same
classifiers; the range over labellings is at most 2. Add one: e(v) moves by 0 or 1, one way for all; the range
is at most 1. docs/proofs/private-labels.md goes on from there.
"""

from __future__ import annotations

from dataclasses import dataclass

from discreet.accounting import ApproxDP
from discreet.accounting.adjacency import Adjacency
from discreet.mechanisms.claims import Claim
from discreet.mechanisms.labels import MOST_POINTS
from discreet.mechanisms.priced import Priced, Share, priced
from discreet.schema.schema import Schema
from discreet.semiprivate.oracles.base import Oracle
from discreet.theory import remark_1, theorem_4

FEWEST_POINTS = 4
MOST_AUTOMATIC_POINTS = 64

# What a plan shows of theory.
_ALPHA, _BETA = 0.1, 0.05

NOISE_SHARE = 0.004
"""How much noise "auto" accepts, roughly as a share of the records. Chosen on Adult's training rows."""


@dataclass(frozen=True)
class LabelPlan(Priced):
    """What a fit will release, and at what loss. Printing it shows all of it.

    Parameters
    ----------
    terms, loss, guarantee
        The release, and what it costs; see `Priced`.
    adjacency : {"replace", "add-remove"}
        Which tables count as neighbours.
    n_records : int or None
        The public number of records; None where it is private.
    n_public : int
        How many public records there are.
    oracle : Oracle
        The class of classifiers that is minimised over.
    schema : Schema
        The columns that it is a class over.
    """

    adjacency: Adjacency
    n_records: int | None
    n_public: int
    oracle: Oracle
    schema: Schema

    @property
    def doubt(self) -> str | None:
        """Why labels by this oracle have no guarantee, if they have none."""
        promises = getattr(self.oracle, "always_answers", None)
        if promises is not None and promises(self.schema):
            return None
        return "an oracle that may find no proof, which depends on the records"

    @property
    def points(self) -> int:
        """How many public records are labelled by the release."""
        return self.terms[0].claim.points

    def __str__(self) -> str:
        records = "private" if self.n_records is None else f"{self.n_records:,} (public)"
        lines = [
            "Plan",
            f"  neighbours   {self.adjacency} one record; number of records: {records}",
            f"  labels       {self.points} of {self.n_public:,} public records, by {self.oracle!r}",
            *self.described(1),
            *self._theory,
        ]
        if self.doubt is not None:
            lines.append(f"  but          no guarantee: {self.doubt}")
        return "\n".join(lines)

    @property
    def _theory(self) -> list[str]:
        """Say from which sizes on theory promises something."""
        if not hasattr(self.oracle, "vc_dimension"):
            return []
        dimension, epsilon = max(1, self.oracle.vc_dimension(self.schema)), self.guarantee.epsilon
        return [
            f"  {name:<12} within {_ALPHA} of the best {of}, {1 - _BETA:.0%} of the time,\n"
            f"               from {size.records:.1e} records and {size.points:.1e} points on"
            for name, of, size in (
                ("theorem 4", "of the class", theorem_4(_ALPHA, _BETA, epsilon, vc_dimension=dimension)),
                ("remark 1", "if one errs nowhere", remark_1(_ALPHA, _BETA, epsilon, vc_dimension=dimension)),
            )
        ]


def make_label_plan(
    *,
    points: int,
    epsilon: float,
    adjacency: Adjacency,
    n_records: int | None,
    n_public: int,
    oracle: Oracle,
    schema: Schema,
) -> LabelPlan:
    """Find the least noise on the costs of some points that meets a pure budget."""
    claim = Claim(
        "labels", "range", error_range(adjacency), 1, "docs/proofs/private-labels.md", points=points
    )
    bill = priced(ApproxDP(epsilon, 0.0), lambda route: [Share(claim, 1)])
    return LabelPlan(
        **vars(bill),
        adjacency=adjacency,
        n_records=n_records,
        n_public=n_public,
        oracle=oracle,
        schema=schema,
    )


def error_range(adjacency: Adjacency) -> int:
    """Return the largest max(e' - e) - min(e' - e) over labellings and neighbours."""
    return 1 if adjacency == "add-remove" else 2


def most_points(epsilon: float, adjacency: Adjacency, expected_records: int) -> int:
    """Return how many points a budget pays for.

    Each of m costs has noise of scale r m / epsilon, so two labellings that differ everywhere are told apart
    up to some r m^(3/2) / epsilon errors.
    """
    affordable = NOISE_SHARE * expected_records * epsilon * 2 / error_range(adjacency)
    return min(max(int(min(affordable, MOST_POINTS) ** (2 / 3)), FEWEST_POINTS), MOST_AUTOMATIC_POINTS)
