"""The plan: every part bound and every release priced before any record is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discreet.accounting import ApproxDP
from discreet.accounting.adjacency import Adjacency
from discreet.boosting.options import MAX_RECORDS
from discreet.boosting.reweighting.base import Measure
from discreet.boosting.sensitivity import MassBounds, check_mass
from discreet.boosting.stopping import MassBelow
from discreet.boosting.weak_learners.base import WeakLearner
from discreet.errors import PlanError
from discreet.mechanisms.claims import Route
from discreet.mechanisms.priced import LossOfScale, Priced, Share, priced
from discreet.mechanisms.pricing import release_loss


@dataclass(frozen=True)
class Plan(Priced):
    """What a fit will release, how often, and at what loss. Printing it shows all of it.

    Parameters
    ----------
    terms, loss, guarantee
        The releases, and what they cost; see `Priced`.
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
    """

    adjacency: Adjacency
    n_records: int | None
    n_candidates: int
    rounds: int
    settings: tuple[tuple[str, object], ...]
    bounds: MassBounds

    def __str__(self) -> str:
        records = "private" if self.n_records is None else f"{self.n_records:,} (public)"
        lines = [
            "Plan",
            f"  neighbours   {self.adjacency} one record; number of records: {records}",
            f"  settings     {', '.join(f'{name} {value}' for name, value in self.settings)}",
            f"  rounds       {self._rounds}, each {self._asks}",
            *self.described(self.bounds.cap),
        ]
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
    shares = [Share(claim, rounds * claim.count) for claim in claims]

    def shares_on(route: Route) -> list[Share]:
        """Add the test that ends the rounds: paid once, with its own share of the budget."""
        if stop is None:
            return shares
        factor = stop.noise_factor(route, sum(share.times for share in shares))
        return [*shares, Share(stop.claim, 1, factor)]

    bill = priced(
        target,
        shares_on,
        coordinates=learner.n_candidates * sum(s.times for s in shares if s.claim.kind == "vector"),
        loss_of=loss_of,
    )
    return Plan(
        **vars(bill),
        adjacency=adjacency,
        n_records=n_records,
        n_candidates=learner.n_candidates,
        rounds=rounds,
        settings=settings,
        bounds=bounds,
    )
