"""Releases that are priced together: the least noise with which all of them meet one budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from discreet.accounting import ZCDP, ApproxDP, Loss, Part, PureDP, calibrate, compose, guarantee
from discreet.errors import PlanError
from discreet.mechanisms.above_threshold import QUERY_NOISE
from discreet.mechanisms.claims import Claim, Kind, Noise, Route, Terms, noise_of
from discreet.mechanisms.pricing import release_loss
from discreet.mechanisms.release import OFFSET_LIMIT
from discreet.mechanisms.vectors import MOST_COORDINATES

LossOfScale = Callable[[Claim, Noise, float], Loss]

_OFFSET_ROOM = 64
"""Base measures down to exp(-64) fit beside the scores."""

_MOVED: dict[Kind, str] = {
    "selection": "scores by a range",
    "selections": "scores by a range",
    "threshold": "scores by a change",
    "vector": "vector by an {norm} norm",
    "labels": "errors of labellings by a range",
}


@dataclass(frozen=True)
class Share:
    """What one claim takes of a budget.

    Parameters
    ----------
    claim : Claim
        What is released.
    times : int
        How often, over the whole fit.
    factor : float, default 1.0
        Noise in proportion to the claim's bound, times this.
    """

    claim: Claim
    times: int
    factor: float = 1.0


@dataclass(frozen=True)
class Priced:
    """Releases with their noise, and what they cost together.

    Parameters
    ----------
    terms : tuple of Terms
        The releases, each with its noise and its loss.
    loss : PureDP or ZCDP
        The composed loss of all.
    guarantee : ApproxDP
        What the releases cost together as (epsilon, delta), rounded up; below what ``loss`` alone implies,
        where more is known than a rho.
    """

    terms: tuple[Terms, ...]
    loss: PureDP | ZCDP
    guarantee: ApproxDP

    @property
    def losses(self) -> list[Part]:
        """What is spent, and how often."""
        return _losses(self.terms)

    def described(self, unit: int) -> list[str]:
        """Say in lines what is released and at what loss; ``unit`` is the full weight of a record."""
        lines = []
        for term in self.terms:
            claim, full = term.claim, unit * term.claim.unit
            moved, scale = f"{claim.bound / full:.6g} records", f"{term.scale / full:.6g} records"
            spent = f"scale {scale}: {term.loss} each"
            who = "one record" if claim.sampling is None else f"one of {claim.sampling.draws} drawn records"
            if claim.kind == "threshold":
                spent = f"scale {scale}, of {QUERY_NOISE} times that on a query: {term.loss} for all queries"
            lines += [
                f"  releases     {term.times} x {claim.kind} ({claim.proof})",
                f"               {who} moves the {_MOVED[claim.kind].format(norm=claim.norm)} of {moved}",
                f"               {term.noise} noise of {spent}",
            ]
        return [*lines, f"  total loss   {self.loss}", f"  guarantee    {self.guarantee}"]


def priced(
    target: ApproxDP,
    shares_on: Callable[[Route], Sequence[Share]],
    *,
    coordinates: int = 0,
    loss_of: LossOfScale = release_loss,
) -> Priced:
    """Find the least noise with which all releases meet the target.

    With ``target.delta == 0`` everything is pure; otherwise the route with the smaller noise is taken,
    everything pure or everything approximate (PRIVACY.md 0).

    Parameters
    ----------
    target : ApproxDP
        The budget.
    shares_on : callable
        The releases on a route; the first one's noise decides between routes.
    coordinates : int, default 0
        How many coordinates the vectors among them have, all releases together.
    loss_of : callable
        The loss of one release of a claim; the mechanisms' own map.

    Raises
    ------
    PlanError
        No noise meets the target.
    """
    if coordinates > MOST_COORDINATES:
        raise PlanError(f"{coordinates:,} coordinates are too many for one account of Gaussian noise")
    terms = min(
        (_calibrated(shares_on(route), target, route, loss_of) for route in _routes(target, shares_on)),
        key=lambda candidate: candidate[0].scale,
    )
    return billed(terms, target)


def billed(terms: tuple[Terms, ...], target: ApproxDP) -> Priced:
    """Compose releases whose noise is settled; their losses together must meet the target."""
    if max(term.scale for term in terms) * _OFFSET_ROOM > OFFSET_LIMIT:
        raise PlanError("so small a budget needs noise beyond 64 bits; raise epsilon or delta")
    loss = compose(_losses(terms))
    delta = 0.0 if isinstance(loss, PureDP) else target.delta
    return Priced(terms, loss, guarantee(_losses(terms), delta))


def _routes(target: ApproxDP, shares_on: Callable[[Route], Sequence[Share]]) -> list[Route]:
    """List the routes within the budget on which every claim has a noise."""
    within: tuple[Route, ...] = ("pure",) if target.delta == 0 else ("approximate", "pure")
    routes = [route for route in within if all(noise_of(share.claim, route) for share in shares_on(route))]
    if not routes:
        raise PlanError("a vector is released with Gaussian noise, which is never pure: choose delta above 0")
    return routes


def _calibrated(
    shares: Sequence[Share], target: ApproxDP, route: Route, loss_of: LossOfScale
) -> tuple[Terms, ...]:
    """Give every claim noise in proportion to its bound: the same loss for each release of a kind."""
    noises = [noise_of(share.claim, route) for share in shares]

    def terms_at(multiplier: float) -> tuple[Terms, ...]:
        return tuple(
            Terms(
                claim=share.claim,
                times=share.times,
                noise=noise,
                scale=(scale := multiplier * share.factor * share.claim.bound),
                loss=loss_of(share.claim, noise, scale),
            )
            for share, noise in zip(shares, noises, strict=True)
            if noise is not None
        )

    budget = ApproxDP(target.epsilon, 0.0) if route == "pure" else target
    return terms_at(calibrate(lambda multiplier: _losses(terms_at(multiplier)), budget))


def _losses(terms: tuple[Terms, ...]) -> list[Part]:
    return [(term.loss, term.times) for term in terms]
