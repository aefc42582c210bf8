"""RRSPM: public points labelled by a private minimiser (Algorithm 4), and what follows for the others.

The release is the labels of the chosen points. Everything after is computed from those and from public data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from discreet.mechanisms.claims import Claim
from discreet.mechanisms.release import Release
from discreet.schema.encode import Codes
from discreet.schema.schema import Schema
from discreet.semiprivate.oracles.base import Certified, Labels, Minimiser, Oracle
from discreet.semiprivate.points import nearest, separating, witnesses_of

Bits = npt.NDArray[np.int8]
"""A label, 0 or 1, for each point."""


@dataclass(frozen=True, eq=False)
class PublicPoints:
    """Public records, and those of them that a release labels.

    Parameters
    ----------
    oracle : Oracle
        The class of classifiers that label.
    schema : Schema
        The public facts about the columns.
    public : Codes
        All public records.
    chosen : array of int
        Which of them are labelled by the release.
    alike : array of int
        For every public record, which of the chosen ones it is most like.
    """

    oracle: Oracle
    schema: Schema
    public: Codes
    chosen: npt.NDArray[np.intp]
    alike: npt.NDArray[np.intp]

    @classmethod
    def chosen_for(cls, oracle: Oracle, schema: Schema, public: Codes, most: int) -> Self:
        """Choose points that tell the oracle's class apart; reads nothing private."""
        witnesses = witnesses_of(oracle, schema, public)
        chosen = separating(witnesses, most)
        return cls(oracle, schema, public, chosen, nearest(witnesses, chosen))

    @property
    def points(self) -> Codes:
        """The chosen records."""
        values: Any = np.ascontiguousarray(self.public.values[:, self.chosen])
        return Codes(values, self.public.n_codes)

    def label_all(self, released: Bits) -> Bits:
        """Label all public records by a classifier of the class that agrees with what was released."""
        return self.agreeing(released).labels

    def agreeing(self, released: Bits) -> Certified:
        """Return a classifier of the class that agrees with what was released; reads nothing private.

        Of the classifiers that agree, the one that gives most of the other records the label of the chosen
        record which they are most like; among equals, the first labelling.
        """
        n_public = self.public.values.shape[1]
        costs = 1 - 2 * released[self.alike].astype(np.int64)
        # One of these outweighs all others.
        costs[self.chosen] = (n_public + 1) * (1 - 2 * released.astype(np.int64))
        nobody = Codes(self.public.values[:, :0], self.public.n_codes)
        minimiser = self.oracle.on(self.schema, self.public)
        return minimiser.minimise(nobody, np.zeros(0, dtype=np.int8), costs)


def release_labels(
    points: PublicPoints, private: Codes, labels: Labels, release: Release, claim: Claim
) -> Bits:
    """Release a label for each of the chosen points."""
    return minimised_labels(points.oracle.on(points.schema, points.points), private, labels, release, claim)


def minimised_labels(
    minimiser: Minimiser, private: Codes, labels: Labels, release: Release, claim: Claim
) -> Bits:
    """Release the labels that are cheapest under random costs, and nothing else of the minimum."""
    return release.labels(claim, lambda costs: minimiser.minimise(private, labels, costs))
