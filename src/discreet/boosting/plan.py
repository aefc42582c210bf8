"""The plan: every part bound and every release priced before any record is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from discreet.accounting import ZCDP, ApproxDP, Loss, Part, PureDP, calibrate, compose, guarantee
from discreet.accounting.adjacency import Adjacency
from discreet.boosting.options import MAX_RECORDS
from discreet.boosting.reweighting.base import Measure
from discreet.boosting.sensitivity import MassBounds, check_mass
from discreet.boosting.stopping import MassBelow
from discreet.boosting.weak_learners.base import WeakLearner
from discreet.errors import PlanError
from discreet.mechanisms.above_threshold import QUERY_NOISE
from discreet.mechanisms.claims import NOISE, Claim, Kind, Noise, Route, Terms
from discreet.mechanisms.pricing import release_loss
from discreet.mechanisms.release import OFFSET_LIMIT
from discreet.mechanisms.vectors import MOST_COORDINATES

LossOfScale = Callable[[Claim, Noise, float], Loss]

_OFFSET_ROOM = 64
"""Base measures down to exp(-64) fit beside the scores."""


@dataclass(frozen=True)
class Plan:
    """What a fit will release, how often, and at what loss. Printing it shows all of it.

    Parameters
    ----------
    adjacency : {"replace", "add-remove"}
        Which tables count as neighbours.
    n_records : int or None
        The public number of records; None where it is private.
    n_candidates : int
        How many candidates compete in one selection, at the most; or how many coordinates a vector has.
    rounds : int
        How often the weak learner runs.
    settings : tuple of (name, value)
        What the re-weighting was set to; for the reader.
    bounds : MassBounds
        What sensitivities were derived from.
    terms : tuple of Terms
        The releases, each with its noise and its loss.
    loss : PureDP or ZCDP
        The composed loss of the whole fit.
    guarantee : ApproxDP
        What the releases cost together as (epsilon, delta), rounded up; below what ``loss`` alone implies,
        where more is known than a rho.
    """

    adjacency: Adjacency
    n_records: int | None
    n_candidates: int
    rounds: int
    settings: tuple[tuple[str, object], ...]
    bounds: MassBounds
    terms: tuple[Terms, ...]
    loss: PureDP | ZCDP
    guarantee: ApproxDP

    @property
    def losses(self) -> list[Part]:
        """What is spent, and how often."""
        return _losses(self.terms)

    def __str__(self) -> str:
        records = "private" if self.n_records is None else f"{self.n_records:,} (public)"
        lines = [
            "Plan",
            f"  neighbours   {self.adjacency} one record; number of records: {records}",
            f"  settings     {', '.join(f'{name} {value}' for name, value in self.settings)}",
            f"  rounds       {self._rounds}, each {self._asks}",
        ]
        for term in self.terms:
            claim, unit = term.claim, self.bounds.cap * term.claim.unit
            moved, scale = f"{claim.bound / unit:.6g} records", f"{term.scale / unit:.6g} records"
            spent = f"scale {scale}: {term.loss} each"
            who = "one record" if claim.sampling is None else f"one of {claim.sampling.draws} drawn records"
            if claim.kind == "threshold":
                spent = f"scale {scale}, of {QUERY_NOISE} times that on a query: {term.loss} for all queries"
            lines += [
                f"  releases     {term.times} x {claim.kind} ({claim.proof})",
                f"               {who} moves the {_MOVED[claim.kind]} of {moved}",
                f"               {term.noise} noise of {spent}",
            ]
        lines += [f"  total loss   {self.loss}", f"  guarantee    {self.guarantee}"]
        return "\n".join(lines)

    @property
    def _rounds(self) -> str:
        stops = any(term.claim.kind == "threshold" for term in self.terms)
        return f"at most {self.rounds}, until a test stops them" if stops else str(self.rounds)

    @property
    def releases_vectors(self) -> bool:
        """Whether a round releases vectors rather than choices."""
        return any(term.claim.kind == "vector" for term in self.terms)

    @property
    def _asks(self) -> str:
        if self.releases_vectors:
            return f"a vector of {self.n_candidates:,} coordinates"
        return f"among {self.n_candidates:,} candidates"


_MOVED: dict[Kind, str] = {
    "selection": "scores by a range",
    "selections": "scores by a range",
    "threshold": "scores by a change",
    "vector": "vector by an l2 norm",
}


def make_plan(
    *,
    measure: Measure,
    learner: WeakLearner[Any],
    rounds: int,
    target: ApproxDP,
    adjacency: Adjacency,
    n_records: int | None,
    settings: tuple[tuple[str, object], ...] = (),
    loss_of: LossOfScale = release_loss,
    stop: MassBelow | None = None,
) -> Plan:
    """Bind a measure and a weak learner, and find the least noise that meets the target.

    With ``target.delta == 0`` everything is pure; otherwise the route with the smaller noise is taken,
    everything pure or everything approximate (PRIVACY.md 0).

    Parameters
    ----------
    measure, learner
        The parts. They are asked for their bounds and claims only.
    rounds : int
        Public number of rounds.
    target : ApproxDP
        The budget.
    adjacency : {"replace", "add-remove"}
        Which tables count as neighbours.
    n_records : int or None
        The public number of records; None under add-remove.
    settings : tuple of (name, value)
        For the plan's print.
    loss_of : callable
        The loss of one release of a claim; the mechanisms' own map.
    stop : MassBelow, optional
        What ends the rounds early.

    Raises
    ------
    PlanError
        The parts do not fit each other, the table is too large, or no noise meets the target.
    """
    if (n_records is None) != (adjacency == "add-remove"):
        raise PlanError("n_records is public under replace, and must be None under add-remove")
    max_records = MAX_RECORDS if n_records is None else n_records
    bounds = measure.bounds(adjacency, max_records)
    check_mass(bounds, max_records)
    claims = learner.claims(bounds)
    if len(set(claims)) < len(claims):
        raise PlanError("a weak learner lists the same claim twice; it says how often by `count`")
    coordinates = rounds * learner.n_candidates * sum(c.count for c in claims if c.kind == "vector")
    if coordinates > MOST_COORDINATES:
        raise PlanError(f"{coordinates:,} coordinates are too many for one account of Gaussian noise")
    terms = min(
        (_calibrated(claims, stop, rounds, target, route, loss_of) for route in _routes(target, claims)),
        key=lambda candidate: candidate[0].scale,
    )
    if max(term.scale for term in terms) * _OFFSET_ROOM > OFFSET_LIMIT:
        raise PlanError("so small a budget needs noise beyond 64 bits; raise epsilon or delta")
    loss = compose(_losses(terms))
    return Plan(
        adjacency=adjacency,
        n_records=n_records,
        n_candidates=learner.n_candidates,
        rounds=rounds,
        settings=settings,
        bounds=bounds,
        terms=terms,
        loss=loss,
        guarantee=guarantee(_losses(terms), 0.0 if isinstance(loss, PureDP) else target.delta),
    )


def _routes(target: ApproxDP, claims: tuple[Claim, ...]) -> list[Route]:
    """List the routes within the budget on which every claim has a noise."""
    within: tuple[Route, ...] = ("pure",) if target.delta == 0 else ("approximate", "pure")
    routes = [route for route in within if all((claim.kind, route) in NOISE for claim in claims)]
    if not routes:
        raise PlanError("a vector is released with Gaussian noise, which is never pure: choose delta above 0")
    return routes


def _calibrated(
    claims: tuple[Claim, ...],
    stop: MassBelow | None,
    rounds: int,
    target: ApproxDP,
    route: Route,
    loss_of: LossOfScale,
) -> tuple[Terms, ...]:
    """Give every claim noise in proportion to its bound: the same loss for each release of a kind.

    The test that ends the rounds is paid once, and has its share of the budget.
    """
    shares = [(claim, rounds * claim.count, 1.0) for claim in claims]
    if stop is not None:
        shares.append((stop.claim, 1, stop.noise_factor(route, sum(times for _, times, _ in shares))))

    def terms_at(multiplier: float) -> tuple[Terms, ...]:
        return tuple(
            Terms(
                claim=claim,
                times=times,
                noise=(noise := NOISE[claim.kind, route]),
                scale=(scale := multiplier * factor * claim.bound),
                loss=loss_of(claim, noise, scale),
            )
            for claim, times, factor in shares
        )

    budget = ApproxDP(target.epsilon, 0.0) if route == "pure" else target
    return terms_at(calibrate(lambda multiplier: _losses(terms_at(multiplier)), budget))


def _losses(terms: tuple[Terms, ...]) -> list[Part]:
    return [(term.loss, term.times) for term in terms]
