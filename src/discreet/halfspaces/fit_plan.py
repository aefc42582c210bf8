"""Everything about a fit by random projection that is settled before a record is read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from discreet.accounting.adjacency import Adjacency
from discreet.boosting.assembly import public_size
from discreet.engines.projection import MOST_FEATURES, NORM
from discreet.errors import OptionError, PlanError
from discreet.halfspaces.defaults import net_of, settled_components, settled_rounds, step_of
from discreet.halfspaces.matrices import Projection as Matrix
from discreet.halfspaces.net import Net
from discreet.halfspaces.options import Method, ProjectedOptions
from discreet.halfspaces.repeats import bill_of_repeats, repeats_for
from discreet.halfspaces.sensitivity import (
    SCORE,
    draw_distance,
    hinge_sum_sensitivity,
    margin_error_range,
)
from discreet.mechanisms.claims import Claim, Sampling
from discreet.mechanisms.priced import Priced, Share, priced
from discreet.mechanisms.vectors import MOST_COORDINATES

UNIT = 2**20
"""Sums are released in parts of a grid step, so fine that the noise is nearly a normal one."""

DIRECTION = 2**16
"""The length of a direction of norm 1, in its steps."""

PROOF = "docs/proofs/projected-halfspaces.md"
DRAWN_PROOF = "docs/proofs/stochastic-descent.md"

_ENOUGH = Fraction(96, 100)
"""A margin of this share is enough: what the projection leaves of it (the paper's Lemma 3)."""


@dataclass(frozen=True)
class ProjectedPlan(Priced):
    """What a fit will release, how often, and at what loss. Printing it shows all of it.

    Parameters
    ----------
    terms, loss, guarantee
        The releases, and what they cost; see `Priced`.
    adjacency : {"replace", "add-remove"}
        Which tables count as neighbours.
    n_records : int or None
        The public number of records; None where it is private.
    n_features, n_components : int
        How many columns there are, and how many numbers stand for them.
    projection : {"dense", "sparse"} or None
        The kind of matrix; None where there is no need for one.
    intercept : bool
        Whether rows are lifted by a constant.
    margin : float
        The public margin, of the lifted rows if they are.
    """

    adjacency: Adjacency
    n_records: int | None
    n_features: int
    n_components: int
    projection: Matrix | None
    intercept: bool
    margin: float

    method: ClassVar[Method]
    _unit: ClassVar[int]

    def __str__(self) -> str:
        records = "private" if self.n_records is None else f"{self.n_records:,} (public)"
        through = "as they are" if self.projection is None else f"by a {self.projection} matrix"
        lifted = " of rows lifted by a constant" if self.intercept else ""
        return "\n".join(
            [
                "Plan",
                f"  neighbours   {self.adjacency} one record; number of records: {records}",
                f"  projection   {self.n_features:,} columns {through} to {self.n_components:,} components",
                f"  settings     method {self.method}, margin {self.margin:.4g}{lifted}",
                *self._search,
                *self.described(self._unit),
            ]
        )

    @property
    def least_product(self) -> int:
        """The least inner product of a direction and a record that is enough; exact, rounded up."""
        return math.ceil(Fraction(self.margin) * _ENOUGH * DIRECTION * NORM)

    @property
    def summary(self) -> str:
        """Say in a few words what is released, for logs and ledgers."""
        raise NotImplementedError

    @property
    def _search(self) -> list[str]:
        """Say in lines how the halfspace is found."""
        raise NotImplementedError


@dataclass(frozen=True)
class DescentPlan(ProjectedPlan):
    """A plan for descent.

    Parameters
    ----------
    rounds : int
        How many steps it takes.
    step : float
        How far a released sum of one record moves the direction.
    """

    rounds: int
    step: float

    method = "descent"
    _unit = UNIT

    @property
    def summary(self) -> str:
        """Say how many rounds there are."""
        return f"{self.rounds} rounds"

    @property
    def _search(self) -> list[str]:
        return [
            f"  rounds       {self.rounds} of step {self.step:.4g}, each a vector of "
            f"{self.n_components:,} coordinates"
        ]


@dataclass(frozen=True)
class NetPlan(ProjectedPlan):
    """A plan for the choice from a net.

    Parameters
    ----------
    net : Net
        The candidates; not built yet.
    """

    net: Net

    method = "net"
    _unit = 1

    @property
    def summary(self) -> str:
        """Say how many candidates there are."""
        return f"{self.net.size} candidates"

    @property
    def _search(self) -> list[str]:
        return [f"  candidates   {self.net.size:,}, one within {self.net.radius:.4g} of any direction"]


@dataclass(frozen=True)
class StochasticPlan(ProjectedPlan):
    """A plan for stochastic descent, the paper's Algorithm 3.

    Parameters
    ----------
    repeats, steps : int
        How many descents there are, one of which is chosen, and how many steps each takes.
    printed_noise, proven_noise : float
        On each coordinate, as a share of a record: the paper's, and the least that is proven to meet the
        budget. The larger is taken.
    """

    repeats: int
    steps: int
    printed_noise: float
    proven_noise: float

    method = "stochastic"
    _unit = 1

    @property
    def noise(self) -> float:
        """What is taken."""
        return max(self.printed_noise, self.proven_noise)

    @property
    def summary(self) -> str:
        """Say how many steps there are."""
        return f"{self.repeats} x {self.steps} steps"

    @property
    def _search(self) -> list[str]:
        return [
            f"  repeats      {self.repeats} of {self.steps:,} steps, each on one secretly drawn record; "
            "one is chosen",
            f"  noise        of {self.noise:.4g} records: the paper has {self.printed_noise:.4g}, and "
            f"{self.proven_noise:.4g} is proven to be enough",
        ]


def make_projected_plan(options: ProjectedOptions, n_records: int | None, n_features: int) -> ProjectedPlan:
    """Settle what is "auto", and find the least noise that meets the budget; reads no record.

    Parameters
    ----------
    options : ProjectedOptions
        The checked options.
    n_records : int or None
        The number of rows of the container. It is dropped here, before anything could depend on it, if the
        adjacency makes it private.
    n_features : int
        The number of columns.

    Raises
    ------
    PlanError
        No noise meets the budget, or the table is too large.
    OptionError
        A net has more candidates than is allowed.
    """
    if n_features > MOST_FEATURES:
        raise PlanError(f"{n_features:,} columns are beyond exact 64-bit sums")
    n_records, size = public_size(options, n_records)
    width = n_features + options.intercept
    components = settled_components(options, size, width)
    shape = {
        "adjacency": options.adjacency,
        "n_records": n_records,
        "n_features": n_features,
        "n_components": components,
        "projection": None if components == width else options.projection,
        "intercept": options.intercept,
        "margin": options.margin,
    }
    if options.method == "net":
        return _net_plan(options, components, shape)
    if options.method == "stochastic":
        return _stochastic_plan(options, components, shape)
    return _descent_plan(options, components, size, shape)


def _descent_plan(
    options: ProjectedOptions, components: int, size: int, shape: dict[str, Any]
) -> DescentPlan:
    rounds = settled_rounds(options, size, components)
    bound = hinge_sum_sensitivity(options.adjacency, NORM) * UNIT
    claim = Claim("vector", "l2", bound, 1, PROOF, unit=NORM)
    bill = priced(options.target, lambda route: [Share(claim, rounds)], coordinates=rounds * components)
    deviation = bill.terms[0].scale / (NORM * UNIT)
    return DescentPlan(
        **vars(bill), **shape, rounds=rounds, step=step_of(size, components, rounds, deviation)
    )


def _net_plan(options: ProjectedOptions, components: int, shape: dict[str, Any]) -> NetPlan:
    if not isinstance(options.rounds, str):
        raise OptionError("method='net' has no rounds: it chooses once; leave them at 'auto'")
    net = net_of(options.margin, components)
    net.check_size(options.max_candidates)
    claim = Claim("selection", "range", margin_error_range(options.adjacency), 1, PROOF, unit=abs(SCORE))
    bill = priced(options.target, lambda route: [Share(claim, 1)])
    return NetPlan(**vars(bill), **shape, net=net)


def _stochastic_plan(options: ProjectedOptions, components: int, shape: dict[str, Any]) -> StochasticPlan:
    n_records = shape["n_records"]
    if n_records is None:
        raise PlanError(
            "method='stochastic' draws one of n records, and takes n^2 steps: choose adjacency='replace'"
        )
    if not isinstance(options.rounds, str):
        raise OptionError("method='stochastic' takes n^2 steps; leave rounds at 'auto'")
    repeats, steps = repeats_for(options.failure), max(1, n_records**2 - 1)
    if repeats * steps * components > MOST_COORDINATES:
        raise PlanError(
            f"method='stochastic' is for small n: {repeats} times {steps:,} steps of {components:,} "
            f"coordinates are more than {MOST_COORDINATES:,}; take fewer n_components, or method='descent'"
        )
    bound = hinge_sum_sensitivity("replace", NORM) * UNIT
    drawn = Sampling(1, draw_distance(n_records))
    step = Claim("vector", "l2", bound, 1, DRAWN_PROOF, drawn, NORM * UNIT)
    choice = Claim("selection", "range", margin_error_range("replace"), 1, PROOF, unit=abs(SCORE))
    bill = bill_of_repeats(options.target, Share(step, steps * repeats), choice, n_records, repeats)
    return StochasticPlan(
        **vars(bill.price),
        **shape,
        repeats=repeats,
        steps=steps,
        printed_noise=bill.printed_noise,
        proven_noise=bill.proven_noise,
    )
