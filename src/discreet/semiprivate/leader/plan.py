"""Everything about a fit of the regularised leader that is settled before a record is read."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from discreet.accounting import ApproxDP, Part
from discreet.accounting.adjacency import Adjacency
from discreet.boosting.features import Coding, Vectors
from discreet.errors import PlanError
from discreet.mechanisms.claims import Claim, Noise
from discreet.mechanisms.priced import Priced, Share, priced
from discreet.semiprivate.leader.geometry import PublicGeometry
from discreet.semiprivate.leader.minimiser import curvature
from discreet.semiprivate.leader.objective import ROOT_BITS, Objective
from discreet.semiprivate.leader.options import CODINGS, LeaderOptions
from discreet.semiprivate.leader.stability import released_l1, released_l2, stability
from discreet.theory import theorem_3

PROOF = "docs/proofs/leaders.md"

TOLERANCE = Fraction(1, 1024)
"""How far from the minimiser a certified point may be, in stabilities: it costs 0.2% more noise."""

# Measured on Adult (docs/decisions/0009): noise on a typical prediction of 1/25 costs next to nothing, and
# what a larger strength shrinks besides, it shrinks evenly.
_VALUES_PER_NOISE = 25.0
_SHARE_OF_RECORDS = 0.25
_RIDGE = 1e-3
_MUCH_NOISE = 0.1
_MOST_RIDGES = 30.0
_RADIUS_PER_LEVERAGE = 8
_RADIUS_OF_VALUES = 1

# The noise is some 2^36 steps of the grid: a Gaussian loss from 2^33 on, and 2^62 is the largest coordinate.
_SCALE_BITS = 36
_LARGEST_COORDINATE = 2**61
_NOMINAL = 2**40

_LONGEST_WALK = 10**5
"""Steps of the exact walk for a bit of precision: whether a fit needs it at all depends on the records, so
it has to end in reasonable time wherever a plan is made."""

# What a plan shows of Theorem 3; the complexity is that of <w, x>, |w| <= 1, on the unit ball, 1 at most.
_ALPHA, _BETA, _COMPLEXITY = 0.1, 0.05, 1.0


@dataclass(frozen=True)
class LeaderPlan:
    """What a fit will release, and at what loss. Printing it shows all of it.

    Parameters
    ----------
    adjacency : {"replace", "add-remove"}
        Which tables count as neighbours.
    n_records : int or None
        The public number of records; None where it is private.
    settings : tuple of (name, value)
        For the reader.
    coding : {"thermometer", "numeric"}
        How numeric columns become features.
    geometry : PublicGeometry
        What the public records say.
    strength : float
        The eta of the objective.
    objective : Objective
        What is minimised.
    tolerance : Fraction
        How near to the minimum a point is certified to be.
    grid : Fraction
        Steps of the released vector to a unit of the regulariser's norm.
    price : Priced
        The release.
    gain : float
        Values are this many times too small: the regulariser shrinks them evenly.
    """

    adjacency: Adjacency
    n_records: int | None
    settings: tuple[tuple[str, object], ...]
    coding: Coding
    geometry: PublicGeometry
    strength: float
    objective: Objective
    tolerance: Fraction
    grid: Fraction
    price: Priced
    gain: float

    @property
    def terms(self) -> Any:
        """The releases with their noise."""
        return self.price.terms

    @property
    def losses(self) -> list[Part]:
        """What is spent."""
        return self.price.losses

    @property
    def guarantee(self) -> ApproxDP:
        """What it costs as (epsilon, delta)."""
        return self.price.guarantee

    @property
    def stability(self) -> float:
        """How far one record moves the leader, root mean square over the public points."""
        return float(stability(self.objective, self.adjacency)) / math.sqrt(self.strength)

    def __str__(self) -> str:
        records = "private" if self.n_records is None else f"{self.n_records:,} (public)"
        (term,) = self.terms
        goal = self.guarantee.epsilon, self.guarantee.delta
        needed = theorem_3(_ALPHA, _BETA, *goal, complexity=_COMPLEXITY)
        return "\n".join(
            [
                "Plan",
                f"  neighbours   {self.adjacency} one record; number of records: {records}",
                f"  settings     {', '.join(f'{name} {value}' for name, value in self.settings)}",
                f"  public       {self.geometry.n_points:,} points",
                f"  stability    one record moves values by {self.stability:.4g}, root mean square",
                f"  releases     1 vector of {len(self.objective.roots)} coordinates ({PROOF})",
                f"               {term.noise} noise of scale {term.scale / term.claim.bound:.4g} times its "
                f"{term.claim.norm} sensitivity: {term.loss}",
                f"  total loss   {self.price.loss}",
                f"  guarantee    {self.guarantee}",
                f"  theorem 3    within {_ALPHA} of the best function with values in [-1, 1], "
                f"{1 - _BETA:.0%} of the time,",
                f"               from {needed.records:.1e} records and {needed.points:.1e} public points on, "
                "by the paper's settings",
            ]
        )


def make_leader_plan(
    options: LeaderOptions, points: Callable[[Coding], Vectors], n_records: int | None
) -> LeaderPlan:
    """Settle what is "auto" from public numbers, and price the release.

    Parameters
    ----------
    options : LeaderOptions
        The checked options.
    points : callable
        The vectors of the public records, by coding.
    n_records : int or None
        The number of rows of the container; it is dropped here if the adjacency makes it private.
    """
    if options.adjacency == "add-remove":
        n_records = None
    elif n_records == 0:
        raise PlanError("the table has no records")
    size = options.expected_records if n_records is None else n_records
    coding, geometry = _settled(options, points, size)
    nominal = _nominal_noise(options.target, len(geometry.lengths))
    strength = _strength(options, geometry, nominal, size)
    objective = _objective(geometry, strength)
    if curvature(objective, size)[1] > _LONGEST_WALK:
        raise PlanError("so small a strength or ridge does not hold the leader in place; raise it")
    moved = stability(objective, options.adjacency)
    tolerance = moved * TOLERANCE
    grid = Fraction(2) ** round(_SCALE_BITS - math.log2(nominal * float(moved)))
    l2, l1 = (bound(objective, options.adjacency, tolerance, grid) for bound in (released_l2, released_l1))
    reach = max(objective.roots) * objective.radius * grid / 2**ROOT_BITS
    if reach > _LARGEST_COORDINATE:
        raise PlanError("so large a strength is beyond exact 64-bit vectors; lower it")
    return LeaderPlan(
        adjacency=options.adjacency,
        n_records=n_records,
        settings=_described(options, coding, geometry, strength),
        coding=coding,
        geometry=geometry,
        strength=strength,
        objective=objective,
        tolerance=tolerance,
        grid=grid,
        price=_priced(options.target, l2, l1, len(objective.roots)),
        gain=1 + 4 * strength / size,
    )


def _settled(
    options: LeaderOptions, points: Callable[[Coding], Vectors], size: int
) -> tuple[Coding, PublicGeometry]:
    """Choose coding and ridge: the more noise there will be, the fewer directions are worth it."""
    codings = CODINGS if options.coding == "auto" else (options.coding,)
    ridge = _RIDGE if isinstance(options.ridge, str) else options.ridge
    for coding in codings:
        vectors = points(coding)
        geometry = PublicGeometry.of(vectors, ridge, options.bound == "leverage")
        noise = _relative_noise(options.target, geometry, size)
        if noise <= _MUCH_NOISE:
            break
    if options.ridge == "auto" and noise > _MUCH_NOISE:
        ridge *= min(_MOST_RIDGES, (noise / _MUCH_NOISE) ** 3)
        geometry = PublicGeometry.of(vectors, ridge, options.bound == "leverage")
    return coding, geometry


def _relative_noise(target: ApproxDP, geometry: PublicGeometry, size: int) -> float:
    """Return the noise of a typical value at the largest strengths, in values that are not shrunk."""
    if geometry.leverage is None:
        return 0.0
    noise = _nominal_noise(target, len(geometry.lengths))
    return 4 * noise * geometry.leverage * geometry.typical / size


@lru_cache(maxsize=64)
def _nominal_noise(target: ApproxDP, dimension: int) -> float:
    """Return the deviation of the noise on a coordinate, for an L2 sensitivity of 1."""
    return _noise(_priced(target, _NOMINAL, math.isqrt(dimension * _NOMINAL**2) + 1, dimension)) / _NOMINAL


def _strength(options: LeaderOptions, geometry: PublicGeometry, nominal: float, size: int) -> float:
    if not isinstance(options.strength, str):
        return options.strength
    if geometry.leverage is None:
        return _SHARE_OF_RECORDS * size
    records = 1.0 if options.adjacency == "replace" else 0.5
    best = _VALUES_PER_NOISE * records * nominal * geometry.leverage * geometry.typical
    # At budgets beyond meaning it would be next to nothing; this one walks half as long as is allowed.
    return max(best, size * geometry.leverage**2 / (2 * _LONGEST_WALK))


def _objective(geometry: PublicGeometry, strength: float) -> Objective:
    roots = [int(root) for root in np.floor(math.sqrt(strength) * geometry.lengths * 2.0**ROOT_BITS)]
    if min(roots) < 1:
        raise PlanError("so small a strength does not hold the leader in place; raise it")
    if geometry.leverage is None:
        return Objective(tuple(roots), _RADIUS_OF_VALUES)
    return Objective(tuple(roots), math.ceil(_RADIUS_PER_LEVERAGE * geometry.leverage))


def _priced(target: ApproxDP, l2: int, l1: int, dimension: int) -> Priced:
    """Price the form with less noise: Laplace for the L1 norm, or with delta Gaussian for the L2 norm."""
    pure = Claim("vector", "l1", l1, 1, PROOF, unit=l1)
    forms = [pure] if target.delta == 0 else [Claim("vector", "l2", l2, 1, PROOF, unit=l2), pure]
    prices = (
        priced(target, lambda _, form=form: [Share(form, 1)], coordinates=dimension)  # type: ignore[misc]
        for form in forms
    )
    return min(prices, key=_noise)


def _noise(price: Priced) -> float:
    """Return the standard deviation of the noise on a coordinate."""
    (term,) = price.terms
    noise: Noise = term.noise
    return term.scale * (math.sqrt(2) if noise == "laplace" else 1.0)


def _described(
    options: LeaderOptions, coding: Coding, geometry: PublicGeometry, strength: float
) -> tuple[tuple[str, object], ...]:
    clipped = () if geometry.leverage is None else (("leverage", f"{geometry.leverage:.4g}"),)
    guess = () if options.adjacency == "replace" else (("expected_records", options.expected_records),)
    return (
        ("bound", options.bound),
        *clipped,
        ("strength", f"{strength:.4g}"),
        ("ridge", f"{geometry.ridge:.4g}"),
        ("coding", coding),
        *guess,
    )
