"""Checks of the perturbed leader that a planted bug must fail as well."""

import math

import numpy as np
from scipy import stats

from discreet import Boolean, PerturbedLeaderClassifier, Schema
from discreet.mechanisms.perturbations import PERTURBATION_SCALE
from discreet.mechanisms.rehearsal import ReplaySampler
from discreet.mechanisms.release import Release
from discreet.mechanisms.selection import OpenDPSampler
from discreet.schema.encode import Codes
from discreet.semiprivate.labelling import PublicPoints
from discreet.semiprivate.oracles.rules import ExactRules
from discreet.semiprivate.perturbed import leader
from discreet.semiprivate.perturbed.options import PerturbedOptions
from discreet.semiprivate.perturbed.plan import make_perturbed_plan
from discreet.semiprivate.perturbed.stability import mean_distance
from discreet.testing import SeededSampler, use_sampler
from tests.harness.artefacts import rule_artefacts_of
from tests.harness.replay import Broken
from tests.harness.samplers import VectorDraws
from tests.tables import SCHEMA, people

FLAG = Schema({"flag": Boolean()})
"""Rules over it: the flag, a constant, and their opposites; they label one point in two ways."""


def codes(flags):
    return Codes(np.array([flags], dtype=np.uint8), (FLAG.columns["flag"].n_codes,))


def points(flags):
    return PublicPoints.chosen_for(ExactRules(), FLAG, codes(flags), 2)


def plan_for(public, n_records, **options):
    defaults = {
        "epsilon": 1.0,
        "delta": 1e-6,
        "points": 2,
        "strength": 128.0,
        "runs": 64,
        "adjacency": "replace",
        "expected_records": 1,
    }
    return make_perturbed_plan(
        PerturbedOptions.checked(defaults | options),
        n_public=2,
        n_points=len(public.chosen),
        n_labellings=len(leader.labellings_of(public)),
        n_records=n_records,
    )


def sums(plan, public, flags, labels, perturbations):
    """Return the vector before noise, under these perturbations."""
    sampler = ReplaySampler([perturbations, np.zeros(plan.n_points, dtype=np.int64)])
    leader.release_average(
        plan, public, codes(flags), np.array(labels, dtype=np.int8), Release(plan.terms, sampler)
    )
    return sampler.asked[0].scores


def share_of_claim(plan, public, one, other, perturbations):
    """Return how far neighbours' vectors are apart, in claims."""
    moved = sums(plan, public, *one, perturbations) - sums(plan, public, *other, perturbations)
    (term,) = plan.terms
    return math.sqrt(sum(int(step) ** 2 for step in moved)) / term.claim.bound


UNDECIDED = ([0], [0]), ([0], [1])
"""Neighbours that disagree on which of a rule and its opposite errs."""

OPPOSITE = ([0], [0]), ([1], [0])
"""The first rules without an error are opposites."""


def moves_the_furthest():
    """Without perturbations one record turns all labels of all runs, as far as can be."""
    public = points([0, 1])
    plan = plan_for(public, 1, runs=2)
    share = share_of_claim(plan, public, *OPPOSITE, np.zeros((2, 2), dtype=np.int64))
    if share > 1:
        raise Broken("one record moves the vector beyond its claim")
    return share


def rarely_beyond_the_claim(draws=4_000):
    """Return the largest share of a claim over seeded perturbations.

    Perturbations beyond the claim have the chance 5e-12 each: a false alarm below 1e-7.
    """
    public = points([0])
    plan = plan_for(public, 1, delta=1e-11)
    costs = [SeededSampler(seed).perturbations(plan.runs, 1) for seed in range(draws)]
    minimiser = ExactRules().on(FLAG, public.points)
    one, other = (
        minimiser.minimise_many(
            codes(flags), np.array(labels, dtype=np.int8), plan.weight, np.concatenate(costs)
        ).reshape(draws, plan.runs)
        for flags, labels in UNDECIDED
    )
    turned = np.abs(one.sum(axis=1, dtype=int) - other.sum(axis=1, dtype=int))
    worst = float(2 * turned.max() * plan.grid / plan.terms[0].claim.bound)
    if worst > 1:
        raise Broken("perturbations under which one record moves too much are not rare")
    return worst


def charged_for_noise_and_perturbations():
    """The noise's own delta, by the curve of a normal distribution, and the chance of the perturbations."""
    plan = plan_for(points([0, 1]), 1000, runs=512)
    (term,) = plan.terms
    mu, epsilon = term.claim.bound / term.scale, plan.guarantee.epsilon
    noise = stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)
    mean = mean_distance("replace", plan.weight, plan.n_points, plan.n_labellings)
    failure = chernoff(term.claim.bound / (plan.runs * plan.grid * math.sqrt(plan.n_points)), mean, plan.runs)
    if not 0.9 * plan.guarantee.delta < noise + failure <= plan.guarantee.delta * (1 + 1e-6):
        raise Broken("delta is not that of the noise and of the perturbations")


def chernoff(distance, mean, runs):
    """Return the best bound by moments, found numerically, on the average of numbers in [0, 2]."""
    tilts = np.linspace(0, 40, 400_001)
    logs = np.log1p(mean / 2 * np.expm1(tilts)) - tilts * distance / 2
    return math.exp(runs * logs.min())


class _Shaped:
    """Perturbations in the shape of a noisy vector."""

    def vector(self, values, noise, scale):
        return values + OpenDPSampler().perturbations(2, len(values) // 2).ravel()


def drew_perturbations_at_their_scale():
    draws = VectorDraws.of(_Shaped(), PERTURBATION_SCALE, 20_000)
    if not draws.accept(PERTURBATION_SCALE):
        raise Broken("perturbations are not normal at their scale")


def perturbations_stay_secret():
    """With what was released frozen, other perturbations leave the same bytes."""
    X, y = people(200)
    left = set()
    for seed in range(3):
        model = PerturbedLeaderClassifier(schema=SCHEMA, points=4, runs=32)
        n_points = model.plan(200, public=X).n_points
        outcomes = [SeededSampler(seed).perturbations(32, n_points), np.arange(n_points) * 2**36]
        with use_sampler(ReplaySampler(outcomes)):
            left.add(rule_artefacts_of(model, X, y, public=X))
    if len(left) > 1:
        raise Broken("the perturbations show in what a fit leaves behind")
