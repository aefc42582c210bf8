"""How far one record moves the regularised leader, measured and searched; and that a fit leaves nothing else.

Distances are those of points certified to a 2^20th of the bound; what is compared with the claim is the
integer vector itself, of points that are certified as loosely as a fit's. Pairs are drawn from a fixed seed:
no false alarm is possible.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from discreet import DiscreetError, RegularizedLeaderClassifier
from discreet.boosting.features import NORM
from discreet.semiprivate.leader.leader import whole as released
from discreet.semiprivate.leader.minimiser import certified_minimiser
from discreet.semiprivate.leader.plan import TOLERANCE
from discreet.semiprivate.leader.stability import by_slopes, by_values, released_l1, released_l2, stability
from discreet.testing import seeded_noise
from tests.harness.artefacts import artefacts_of
from tests.harness.canaries import counted, figures_in, left_by_an_error, planted, secrets_in
from tests.leader_problems import (
    GRID,
    alone,
    distance,
    drawn,
    far_apart,
    near_the_minimisers,
    released_furthest,
    whole,
    within_the_claims,
)
from tests.tables import SCHEMA, people


def leader(problem, tolerance):
    return certified_minimiser(problem.objective, problem.vectors, problem.labels, tolerance)


def moved(one, other, adjacency):
    """Return how far neighbours' leaders are apart, as shares of both bounds and of both claims."""
    objective = one.objective
    bound = stability(objective, adjacency)
    exact = [leader(problem, bound / 2**20) for problem in (one, other)]
    apart = distance(objective, *(point.coordinates for point in exact))
    points = [released(objective, GRID, leader(problem, bound * TOLERANCE)) for problem in (one, other)]
    change = [abs(int(a) - int(b)) for a, b in zip(*points, strict=True)]
    fixed = objective, adjacency, bound * TOLERANCE, GRID
    claims = released_l2(*fixed), released_l1(*fixed)
    l2, l1 = math.isqrt(sum(step**2 for step in change)), sum(change)
    return (
        (apart - float(bound) / 2**19) / float(by_slopes(objective, adjacency)),
        (apart - float(bound) / 2**19) / float(by_values(objective, adjacency)),
        *(step / claim for step, claim in zip((l2, l1), claims, strict=True)),
    )


def neighbours(problem, rng, adjacency):
    if adjacency == "add-remove":
        return problem, problem.removed()
    turned = whole(rng.normal(size=(1, problem.vectors.shape[1])) * 9)[0]
    options = [-problem.vectors[0], turned, problem.vectors[-1]]
    return problem, problem.replaced(options[rng.integers(3)], int(rng.choice([-1, 1, 1, 0])))


def searched(problem, rng, adjacency, steps):
    """Climb towards neighbours that are as far apart as can be; yield all that were met."""
    best = problem
    highest = 0.0
    for _ in range(steps):
        pair = neighbours(problem, rng, adjacency)
        shares = moved(*pair, adjacency)
        yield shares
        if max(shares[:2]) >= highest:
            best, highest = problem, max(shares[:2])
        vectors, labels = best.vectors.copy(), best.labels.copy()
        for place in rng.integers(0, len(vectors), rng.integers(1, 4)):
            step = vectors[place] / NORM + rng.normal(size=vectors.shape[1]) * rng.choice([0.03, 0.3])
            vectors[place] = whole(step[None])[0]
            labels[place] = rng.choice([-1, 1])
        if rng.random() < 0.3:
            double = rng.integers(0, len(vectors), len(vectors))
            vectors, labels = np.vstack([vectors, vectors[double]]), np.hstack([labels, labels[double]])
        problem = replace(best, vectors=vectors[:400], labels=labels[:400])


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
@pytest.mark.parametrize("pairs", [50, pytest.param(2_000, marks=pytest.mark.slow)])
def test_no_pair_is_further_apart_than_either_bound(adjacency, pairs, report):
    rng = np.random.default_rng(pairs)
    random = [moved(*neighbours(drawn(rng), rng, adjacency), adjacency) for _ in range(pairs // 2)]
    starts = [drawn(rng) if place % 2 else alone(rng) for place in range(max(2, pairs // 100))]
    steps = pairs // 2 // len(starts)
    climbs = [shares for start in starts for shares in searched(start, rng, adjacency, steps)]
    worst = np.max(random + climbs, axis=0)
    for name, share in zip(("slopes", "values", "L2 claim", "L1 claim"), worst, strict=True):
        report(f"leader, {adjacency}: {name}", f"{len(random) + len(climbs):,} pairs", f"{share:.4f} of it")
    assert (worst <= 1).all()
    assert worst[:3].min() > 0.2  # or the pairs test nothing


def test_the_bound_by_slopes_is_nearly_reached(report):
    shares = moved(*far_apart(), "replace")
    report("leader: slopes, a pair made for it", "1 pair", f"{shares[0]:.4f} of the bound")
    assert 0.9985 < shares[0] <= 1
    assert shares[2] <= 1


def test_certified_points_as_far_from_the_minimisers_as_allowed_are_within_the_claim(report):
    """The tolerance is charged twice: the pair above, and both points moved apart by nearly all of it."""
    one, other = far_apart()
    bound = stability(one.objective, "replace")
    reached = math.isqrt(sum(step**2 for step in released_furthest(one, other, GRID)))
    claim = released_l2(one.objective, "replace", bound * TOLERANCE, GRID)
    report("leader: claim, with the solver's gap", "1 pair", f"{reached / claim:.4f} of the claim")
    assert released_l2(one.objective, "replace", Fraction(0), GRID) < reached <= claim
    within_the_claims()


def test_another_method_finds_the_same_minimisers():
    near_the_minimisers()


EVERY_WAY = [
    {"adjacency": "replace", "delta": 1e-6},
    {"adjacency": "add-remove", "delta": 0.0},
    {"adjacency": "replace", "bound": "values"},
]
every_way = pytest.mark.parametrize(
    "options", EVERY_WAY, ids=lambda options: ", ".join(map(str, options.values()))
)


def left_by_a_fit(df, y, **options):
    model = RegularizedLeaderClassifier(schema=SCHEMA, **options)
    artefacts = artefacts_of(model, df, y, public=people(300)[0])
    return "\n".join(f"{name}: {content.decode('latin-1')}" for name, content in artefacts)


@every_way
def test_a_fit_leaves_no_cell_behind(options, report):
    left = left_by_a_fit(*planted(), **options)
    way = ", ".join(map(str, options.values()))
    report(f"canaries: leader, {way}", "200 secrets", f"{len(left):,} letters")
    assert "fit: a regularised leader, epsilon = 1" in left
    assert secrets_in(left) == set()


@every_way
def test_a_fit_shows_no_exact_count_and_no_extreme(options):
    df, y, figures = counted()
    with seeded_noise(0):
        left = left_by_a_fit(df, y, **options)
    if options["adjacency"] == "add-remove":
        figures |= {str(len(df)), f"{len(df):,}"}
    assert figures_in(left, figures) == set()


def test_no_error_shows_a_cell():
    df, y = planted()
    fit = RegularizedLeaderClassifier(schema=SCHEMA).fit
    public = people(30)[0]
    for breakage in (
        lambda: fit(df, y),
        lambda: fit(df, y[:10], public=public),
        lambda: fit(df[["age"]], y, public=public),
        lambda: fit(df, y, public=df[["age"]]),
        lambda: fit(df, y, public=public, sample_weight=df["age"]),
        lambda: fit(df, y, public="zq1secret"),
    ):
        error, shown = left_by_an_error(breakage)
        assert isinstance(error, DiscreetError)
        assert secrets_in(shown) == set()
