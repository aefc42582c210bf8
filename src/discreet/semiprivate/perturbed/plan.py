"""What a perturbed leader releases, at what price, and whether that says anything (PRIVACY.md 8)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from discreet.accounting import ApproxDP
from discreet.accounting.adjacency import Adjacency
from discreet.errors import PlanError
from discreet.mechanisms.claims import Claim
from discreet.mechanisms.perturbations import PERTURBATION_SCALE
from discreet.mechanisms.priced import Priced, Share, priced
from discreet.mechanisms.release import VECTOR_LIMIT
from discreet.semiprivate.perturbed.options import LEAST_STRENGTH, MOST_STRENGTH, PerturbedOptions
from discreet.semiprivate.perturbed.stability import (
    NEARLY_NORMAL,
    average_distance,
    largest,
    mean_distance,
    released_l2,
    strength_of,
)
from discreet.theory import theorem_2

PROOF = "docs/proofs/leaders.md"

STRENGTH_SHARE = 0.1
"""The strength that "auto" takes, as a share of the records."""

# The noise is some 2^36 steps of the grid: a Gaussian loss from 2^33 on.
_SCALE_BITS = 36
_NOMINAL = 2**40
# What a plan shows of Theorem 2.
_ALPHA, _BETA = 0.1, 0.05

_LARGEST_OBJECTIVE = 2**61
_BISECTIONS = 60


@dataclass(frozen=True)
class PerturbedPlan:
    """What a fit will release, and at what loss. Printing it shows all of it.

    Parameters
    ----------
    adjacency : {"replace", "add-remove"}
        Which tables count as neighbours.
    n_records : int or None
        The public number of records; None where it is private.
    n_public, n_points, n_labellings : int
        How many public records there are, how many of them are used, and how many labellings of these the
        rules have.
    runs : int
        How many perturbed leaders are averaged.
    weight : int
        What an error counts, in steps of the perturbations' grid.
    moved : float
        How far one record moves the average, root mean square over the points, but for a chance of
        ``failure``.
    failure : float
        This part of delta is for perturbations under which one record moves the average further.
    grid : int
        Steps of the released vector to a label of one run.
    price : Priced
        The release, for the rest of delta.
    """

    adjacency: Adjacency
    n_records: int | None
    n_public: int
    n_points: int
    n_labellings: int
    runs: int
    weight: int
    moved: float
    failure: float
    grid: int
    price: Priced

    @property
    def terms(self) -> Any:
        """The releases with their noise."""
        return self.price.terms

    @property
    def guarantee(self) -> ApproxDP:
        """What the fit costs. No finer account is known: delta is partly that of the perturbations."""
        spent = self.price.guarantee
        return ApproxDP(spent.epsilon, spent.delta + self.failure)

    @property
    def strength(self) -> float:
        """The eta of the objective: how many errors a perturbation is worth."""
        return strength_of(self.weight, self.n_points)

    @property
    def noise(self) -> float:
        """The standard deviation of the noise on a value in [-1, 1]."""
        (term,) = self.terms
        return float(term.scale / (self.runs * self.grid))

    @property
    def noise_on_rules(self) -> float:
        """How large the noise on a rule's agreement with the average, in [-1, 1], gets among the rules."""
        return self.noise * largest(self.n_labellings) / math.sqrt(self.n_points)

    @property
    def enough_records(self) -> int | None:
        """From how many records on that noise is at most 1, at an automatic strength; None if never."""
        (term,) = self.terms
        allowed = term.claim.bound / (term.scale * largest(self.n_labellings))
        low, high = LEAST_STRENGTH, MOST_STRENGTH
        if self._moved_at(high) > allowed:
            return None
        for _ in range(_BISECTIONS):
            middle = math.sqrt(low * high)
            low, high = (low, middle) if self._moved_at(middle) <= allowed else (middle, high)
        return math.ceil(high / STRENGTH_SHARE)

    def _moved_at(self, strength: float) -> float:
        weight = _weight(strength, self.n_points)
        return _moved(self.adjacency, weight, self.n_points, self.n_labellings, self.runs, self.failure)

    def __str__(self) -> str:
        records = "private" if self.n_records is None else f"{self.n_records:,} (public)"
        (term,) = self.terms
        goal = self.guarantee.epsilon, self.guarantee.delta
        sizes = theorem_2(_ALPHA, _BETA, *goal, complexity=largest(self.n_labellings), least_square=1.0)
        enough = "no number of" if self.enough_records is None else f"{self.enough_records:,}"
        return "\n".join(
            [
                "Plan",
                f"  neighbours   {self.adjacency} one record; number of records: {records}",
                f"  public       {self.n_points} of {self.n_public:,} points, which rules label in "
                f"{self.n_labellings} ways",
                f"  runs         {self.runs:,} of strength {self.strength:.4g}",
                f"  stability    one record moves values by {self.moved:.4g}, root mean square, but for "
                f"perturbations of chance {self.failure:.4g}",
                f"  releases     1 vector of {self.n_points} coordinates ({PROOF})",
                f"               {term.noise} noise of deviation {self.noise:.4g} on a value in [-1, 1]",
                f"               and of up to {self.noise_on_rules:.4g} on how well a rule agrees with them",
                f"  guarantee    {self.guarantee}; no finer account is known",
                f"  says nothing below some {enough} records: this noise is then above 1",
                f"  theorem 2    within {_ALPHA} of the best rule, {1 - _BETA:.0%} of the time, from "
                f"{sizes.records:.1e} records and {sizes.runs:.1e} runs on",
            ]
        )


def make_perturbed_plan(
    options: PerturbedOptions, *, n_public: int, n_points: int, n_labellings: int, n_records: int | None
) -> PerturbedPlan:
    """Settle what is "auto" from public numbers, and price the release.

    Parameters
    ----------
    options : PerturbedOptions
        The checked options.
    n_public, n_points, n_labellings : int
        How many public records there are, how many of them are used, and how many labellings of these the
        rules have.
    n_records : int or None
        The number of rows of the container; it is dropped here if the adjacency makes it private.
    """
    if options.adjacency == "add-remove":
        n_records = None
    elif n_records == 0:
        raise PlanError("the table has no records")
    size = options.expected_records if n_records is None else n_records
    share = STRENGTH_SHARE * size
    strength = share if isinstance(options.strength, str) else options.strength
    weight = _weight(min(max(strength, LEAST_STRENGTH), MOST_STRENGTH), n_points)
    if size * weight > _LARGEST_OBJECTIVE:
        raise PlanError("so small a strength for so many records is beyond exact 64-bit sums; raise it")
    failure = options.delta / 2
    moved = _moved(options.adjacency, weight, n_points, n_labellings, options.runs, failure)
    unit = math.sqrt(n_points) * options.runs * moved
    target = ApproxDP(options.epsilon, options.delta - failure)
    grid = 2 ** max(0, round(_SCALE_BITS - math.log2(_nominal_noise(target) * unit)))
    if options.runs * grid > VECTOR_LIMIT:
        raise PlanError("so large a budget leaves no noise to speak of; lower epsilon")
    return PerturbedPlan(
        adjacency=options.adjacency,
        n_records=n_records,
        n_public=n_public,
        n_points=n_points,
        n_labellings=n_labellings,
        runs=options.runs,
        weight=weight,
        moved=moved,
        failure=failure,
        grid=grid,
        price=_priced(target, released_l2(moved, n_points, options.runs, grid), n_points),
    )


def _weight(strength: float, n_points: int) -> int:
    return max(1, math.floor(PERTURBATION_SCALE * math.sqrt(n_points) / (2 * strength)))


def _moved(
    adjacency: Adjacency, weight: int, n_points: int, n_labellings: int, runs: int, failure: float
) -> float:
    mean = mean_distance(adjacency, weight, n_points, n_labellings)
    return average_distance(mean, runs, failure / NEARLY_NORMAL)


@lru_cache(maxsize=64)
def _nominal_noise(target: ApproxDP) -> float:
    """Return the deviation of the noise on a coordinate, for an L2 sensitivity of 1."""
    (term,) = _priced(target, _NOMINAL, 1).terms
    return term.scale / _NOMINAL


def _priced(target: ApproxDP, l2: int, coordinates: int) -> Priced:
    claim = Claim("vector", "l2", l2, 1, PROOF, unit=l2)
    return priced(target, lambda _: [Share(claim, 1)], coordinates=coordinates)
