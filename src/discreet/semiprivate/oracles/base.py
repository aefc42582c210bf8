"""What an oracle is asked, and what it must return.

A class of classifiers is minimised over exactly: the errors on the private records, plus a whole number for
every public point that is labelled 1. The answer that leaves is the labelling of the public points, so ties
are broken by a fixed order on labellings, and not on classifiers: the first in lexicographic order, 0 before
1, the first point first. Privacy rests on both (docs/proofs/private-labels.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from discreet.schema.encode import Codes
from discreet.schema.schema import Schema

Labels = npt.NDArray[np.int8]
"""0 and 1, and 2 for a private record whose label is none of the classes: it errs under no classifier."""

Costs = npt.NDArray[np.int64]
"""What it costs to label each public point 1 rather than 0; of either sign."""


@dataclass(frozen=True)
class Certified:
    """A minimiser that was proven to be one.

    Parameters
    ----------
    labels : array of int8
        The labelling of the public points, 0 or 1 each.
    objective : int
        Private errors plus the costs of the points labelled 1; recomputed in integers.
    hypothesis : object
        A classifier that attains it. It knows more of the private records than its labelling may tell: it is
        for tests, and never released.
    """

    labels: npt.NDArray[np.int8]
    objective: int
    hypothesis: object


class Minimiser(Protocol):
    """One class of classifiers on one set of public points."""

    def minimise(self, private: Codes, labels: Labels, costs: Costs) -> Certified:
        """Return the minimum, and of the labellings that attain it the first.

        Raises
        ------
        NotCertified
            Optimality was not proven.
        """
        ...


class Oracle(Protocol):
    """A class of classifiers that can be minimised over."""

    def on(self, schema: Schema, public: Codes) -> Minimiser:
        """Prepare for these public points; reads nothing private."""
        ...
