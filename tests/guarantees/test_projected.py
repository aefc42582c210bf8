"""Projected halfspaces: the noise of whole fits against their stated epsilon, and nothing left behind."""

import contextlib
import io
import math

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import binom

from discreet import DiscreetError, ProjectedHalfspaceClassifier
from discreet.accounting.gaussian import gaussian_delta
from discreet.engines.hinge import HingeEngine
from discreet.engines.projection import NORM
from discreet.halfspaces.descent import descend
from discreet.halfspaces.fit_plan import UNIT
from discreet.halfspaces.projected import projection_of
from discreet.mechanisms.release import Release
from discreet.mechanisms.selection import OpenDPSampler
from discreet.schema.points import open_points
from tests.harness.artefacts import artefacts_of
from tests.harness.canaries import left_by_an_error, secrets_in
from tests.harness.points import shown

EPSILON, DELTA, ROUNDS = 1.0, 1e-2, 4
RUNS = 20_000
FALSE_ALARM = 1e-7


class Kept(OpenDPSampler):
    """OpenDP's noise, and everything that was released with it."""

    def __init__(self):
        self.released = []

    def vector(self, values, noise, scale):
        self.released.append(super().vector(values, noise, scale))
        return self.released[-1]


def log_ratios(runs):
    """Run the descent on each of two neighbours; return how much likelier each of them makes what it released.

    One record, and its opposite: in every round whose direction the record is not yet right for, they move the
    sum by twice its norm, which is the whole claim. The test is the best that there is: the sum of log ratios of
    Gaussian densities over all coordinates of all rounds, each at the sum that either neighbour would have had.
    """
    one = np.array([[3.0, -4.0, 12.0]])
    model = ProjectedHalfspaceClassifier(
        EPSILON, DELTA, 1.0, classes=[0, 1], rounds=ROUNDS, n_components=2
    )
    plan = model.plan(1, 3)
    (terms,) = plan.terms
    projection, _ = projection_of("dense", 2, 3, 0, False)
    label = np.array([1], dtype=np.int8)
    engines = [HingeEngine(projection.vectors(open_points(row)), label, NORM) for row in (one, -one)]
    ratios = np.empty((2, runs))
    for side in (0, 1):
        for run in range(runs):
            sampler, asked = Kept(), [[], []]
            ask = Asking(engines, side, asked)
            descend(range(ROUNDS), plan, ask, Release(plan.terms, sampler))
            released = np.array(sampler.released, dtype=float)
            here, there = (np.array(sums, dtype=float) * UNIT for sums in (asked[side], asked[1 - side]))
            squares = ((released - there) ** 2 - (released - here) ** 2).sum()
            ratios[side, run] = squares / (2 * terms.scale**2)
    return ratios


class Asking:
    """Answers with the sums of one neighbour, and notes those of both."""

    def __init__(self, engines, side, asked):
        self.engines, self.side, self.asked = engines, side, asked

    def sum_below(self, direction, least):
        for engine, sums in zip(self.engines, self.asked, strict=True):
            sums.append(engine.sum_below(direction, least))
        return self.asked[self.side][-1]


def shown_epsilons(ratios, delta):
    """Return bounds, each wrong with probability ``FALSE_ALARM`` at most, of the epsilon at this delta.

    For the set A of outputs that are at least exp(t) times as likely on one side, (epsilon, delta) promises
    P(A) - exp(epsilon) P'(A) <= delta. Both probabilities are bounded by their counts (Clopper, Pearson), for a t
    that half of the runs choose and the other half are judged by.
    """
    choosing, judging = np.array_split(ratios, 2, axis=1)

    def bound(runs, t, failure):
        hits, misses = int((runs[0] > t).sum()), int((-runs[1] > t).sum())
        size = runs.shape[1]
        at_least = binom_lower(hits, size, failure / 2)
        at_most = binom_upper(misses, size, failure / 2)
        return math.log(max(at_least - delta, 1e-300) / at_most)

    best = max(np.linspace(-1, 4, 101), key=lambda t: bound(choosing, t, FALSE_ALARM))
    return bound(judging, best, FALSE_ALARM)


def binom_lower(hits, size, failure):
    return 0.0 if hits == 0 else float(_root(lambda p: binom.sf(hits - 1, size, p) - failure))


def binom_upper(hits, size, failure):
    return 1.0 if hits == size else float(_root(lambda p: failure - binom.cdf(hits, size, p)))


def _root(rising):
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2
