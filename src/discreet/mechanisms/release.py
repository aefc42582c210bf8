"""The only exit for data: aggregates enter as exact integers, a noisy choice or vector leaves.

``Release`` holds what the plan allowed and refuses everything else. How the noise is drawn is a
``Sampler``; production, seeded, replay and enumeration are its four implementations, and none of them
can forget the check, because the check is not theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from discreet.errors import ReleaseRefused
from discreet.mechanisms.claims import Claim, Noise, Terms

Scores: TypeAlias = npt.NDArray[np.int64]
Vector: TypeAlias = npt.NDArray[np.int64]

OFFSET_LIMIT = 2**61
"""Scores stay below 2^62 (PRIVACY.md 1); with an offset of at most this they stay within int64."""

VECTOR_LIMIT = 2**62
"""With noise of at most 2^55 (`mechanisms.priced`), a coordinate stays within int64 but for 64 deviations."""


class Cheapest(Protocol):
    """The first of the labellings with the least errors plus costs."""

    @property
    def labels(self) -> npt.NDArray[np.int8]:
        """0 or 1 for each point."""
        ...

    @property
    def objective(self) -> int:
        """Its errors plus costs; never released."""
        ...


Minimise: TypeAlias = Callable[[npt.NDArray[np.int64]], Cheapest]
"""Finds the cheapest labelling, given what it costs to label each point 1 rather than 0."""


class ThresholdTest(Protocol):
    """One run of AboveThreshold."""

    def above(self, value: int) -> bool:
        """Tell whether a query is above 0, with noise on both; the first yes ends the run."""
        ...


class Sampler(Protocol):
    """Draws what is released: the index of a noisy maximum, answers of a threshold test, a noisy vector."""

    @property
    def reason(self) -> str | None:
        """Why a model made with this sampler has no guarantee, in a few words."""
        ...

    def select(self, scores: Scores, noise: Noise, scale: float) -> int:
        """Return the index of the largest score after noise of this kind and scale on each."""
        ...

    def threshold_test(self, scale: float) -> ThresholdTest:
        """Begin a run of AboveThreshold with noise of this scale on the threshold."""
        ...

    def draw(self, ends: npt.NDArray[np.int64]) -> int:
        """Return place i with probability (ends[i] - ends[i - 1]) / ends[-1]; never released."""
        ...

    def vector(self, values: Vector, noise: Noise, scale: float) -> Vector:
        """Return the vector with independent noise of this kind and scale on each coordinate."""
        ...

    def labels(self, minimise: Minimise, n_points: int, scale: float) -> npt.NDArray[np.int8]:
        """Return the cheapest labelling under discrete Laplace costs of this scale."""
        ...

    def perturbations(self, n_runs: int, n_points: int) -> npt.NDArray[np.int64]:
        """Return a row of independent nearly normal costs for each run; never released."""
        ...


class Release:
    """Lets out what the plan claimed, as often as it claimed it, and nothing else.

    Parameters
    ----------
    terms : iterable of Terms
        The plan's claims with their noise.
    sampler : Sampler
        Where the noise comes from.
    """

    def __init__(self, terms: Iterable[Terms], sampler: Sampler) -> None:
        self._terms = {term.claim: term for term in terms}
        self._left = {claim: term.times for claim, term in self._terms.items()}
        self._sampler = sampler

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The weak learner's claims, in the order in which it declared them."""
        return tuple(claim for claim in self._terms if claim.kind != "threshold")

    def select(self, claim: Claim, scores: Scores, log_prior: npt.NDArray[np.float64]) -> int:
        """Release the index of one candidate.

        Parameters
        ----------
        claim : Claim
            The claim that covers this release.
        scores : array of int64
            One exact score a candidate.
        log_prior : array of float
            Logarithms of a public base measure over the candidates. ``scale * log_prior`` is rounded
            once to integers and added: a public constant a candidate, so the range is unchanged
            (PRIVACY.md 2.4).
        """
        terms = self._take(claim, "selection")
        return self._selected(terms, scores, log_prior)

    def select_per_leaf(
        self, claim: Claim, scores: Scores, log_prior: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.int64]:
        """Release the index of one candidate in each leaf, by independent draws; one release of the claim.

        The claim bounds the sum of the leaves' ranges (docs/proofs/selection.md), so every leaf takes
        part, an empty one as well: which leaves are empty is private.

        Parameters
        ----------
        claim : Claim
            The claim that covers this release.
        scores : array of int64, [leaf, candidate]
            Exact scores.
        log_prior : array of float
            As for ``select``, the same in every leaf.
        """
        terms = self._take(claim, "selections")
        if scores.ndim != 2:
            raise ReleaseRefused("selections take a row of scores a leaf")
        return np.array([self._selected(terms, row, log_prior) for row in scores])

    def _selected(self, terms: Terms, scores: Scores, log_prior: npt.NDArray[np.float64]) -> int:
        if scores.dtype != np.int64 or scores.ndim != 1 or scores.shape != log_prior.shape:
            raise ReleaseRefused("a selection takes one int64 score a candidate")
        offsets = np.rint(terms.scale * log_prior)
        if np.abs(offsets).max(initial=0) > OFFSET_LIMIT:
            raise ReleaseRefused("the base measure does not fit 64-bit scores at this noise scale")
        shifted = scores + offsets.astype(np.int64)
        return self._sampler.select(shifted, terms.noise, terms.scale)

    def vector(self, claim: Claim, values: Vector) -> Vector:
        """Release an integer vector, each coordinate with noise.

        Parameters
        ----------
        claim : Claim
            The claim that covers this release.
        values : array of int64
            The exact vector, every coordinate below 2^62.
        """
        terms = self._take(claim, "vector")
        if values.dtype != np.int64 or values.ndim != 1 or np.abs(values).max(initial=0) > VECTOR_LIMIT:
            raise ReleaseRefused("a vector takes one int64 a coordinate, below 2^62")
        return self._sampler.vector(values, terms.noise, terms.scale)

    def labels(self, claim: Claim, minimise: Minimise) -> npt.NDArray[np.int8]:
        """Release a label, 0 or 1, for each public point of the claim, and nothing else of the minimum.

        Parameters
        ----------
        claim : Claim
            The claim that covers this release.
        minimise : callable
            Returns, for costs of labelling each point 1, the labelling with the least errors plus costs: the
            exact minimum, and of several labellings the first in lexicographic order.
        """
        terms = self._take(claim, "labels")
        labels = self._sampler.labels(minimise, claim.points, terms.scale)
        # What an oracle returns beside a labelling must not leave with it.
        if labels.shape != (claim.points,) or not np.isin(labels, (0, 1)).all():
            raise ReleaseRefused("a labelling has a 0 or a 1 for each point")
        return labels.astype(np.int8)

    def threshold_test(self, claim: Claim) -> ThresholdTest:
        """Begin the run of queries that this claim covers, which releases the first that is above 0.

        Parameters
        ----------
        claim : Claim
            The claim that covers the whole run, however many queries are asked.
        """
        return self._sampler.threshold_test(self._take(claim, "threshold").scale)

    def draw(self, ends: npt.NDArray[np.int64]) -> int:
        """Draw a place among intervals that end at ``ends``, secretly: nothing is released by it."""
        return self._sampler.draw(ends)

    def perturbations(self, n_runs: int, n_points: int) -> npt.NDArray[np.int64]:
        """Draw costs for runs of a minimisation, secretly: nothing is released by it."""
        return self._sampler.perturbations(n_runs, n_points)

    def _take(self, claim: Claim, kind: str) -> Terms:
        if claim not in self._terms or claim.kind != kind:
            raise ReleaseRefused(f"the plan does not claim this {kind}")
        if self._left[claim] < 1:
            raise ReleaseRefused(f"the plan's {self._terms[claim].times} releases are used up")
        self._left[claim] -= 1
        return self._terms[claim]
