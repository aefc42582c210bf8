"""Labels: what is drawn, what it is said to cost, and the distribution that the enumeration assumes."""

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from discreet.accounting import PureDP
from discreet.errors import PlanError, ReleaseRefused
from discreet.mechanisms import labels as module
from discreet.mechanisms.claims import Claim, Terms
from discreet.mechanisms.labelling_probabilities import (
    OUTSIDE,
    answers_near,
    labelling_probabilities,
    labellings,
    least_errors,
)
from discreet.mechanisms.labels import LARGEST_SCALE, MOST_COST, MOST_POINTS, draw_costs
from discreet.mechanisms.pricing import release_loss
from discreet.mechanisms.release import Release
from discreet.mechanisms.selection import OpenDPSampler
from discreet.testing import ReplaySampler, SeededSampler, enumerate_outcomes


def claim(points=2):
    return Claim("labels", "range", 2, 1, "here", points=points)


def release(sampler, points=2, scale=1.0):
    return Release([Terms(claim(points), 1, "laplace", scale, PureDP(1))], sampler)


def minimiser(errors, n_points):
    """The cheapest of some labellings, given as places in lexicographic order, with their errors."""
    table = labellings(n_points)

    def minimise(costs):
        objective = {place: e + int(table[place] @ costs) for place, e in errors.items()}
        first = min(objective, key=lambda place: (objective[place], place))
        return SimpleNamespace(labels=table[first], objective=objective[first])

    return minimise


def test_the_loss_is_the_shift_over_the_scale():
    loss = release_loss(claim(points=5), "laplace", 4.0)
    assert isinstance(loss, PureDP)
    assert 2.5 < loss.epsilon < 2.5 + 1e-12


def test_clipping_is_below_a_rounding():
    """Figures of docs/proofs/private-labels.md: the logarithm of tail over the least probability."""
    records, shift = 2**40, 2
    far = (MOST_COST - shift - MOST_POINTS * (records + 1)) / LARGEST_SCALE
    assert math.log(2 * MOST_POINTS) + MOST_POINTS * math.log(2) - far < -1000 * math.log(2)
    assert MOST_POINTS * MOST_COST + records < 2**63


@pytest.mark.parametrize(("points", "scale"), [(MOST_POINTS + 1, 1.0), (2, 2 * LARGEST_SCALE)])
def test_beyond_exact_sums_is_refused(points, scale):
    with pytest.raises(PlanError, match="64-bit"):
        release_loss(claim(points), "laplace", scale)


def test_costs_are_clipped():
    assert module.clipped([2**62, -(2**62), 5]).tolist() == [MOST_COST, -MOST_COST, 5]
    drawn = draw_costs(1000, 2.0**40)
    assert drawn.dtype == np.int64
    assert np.abs(drawn).max() <= MOST_COST


def test_costs_are_handed_over_and_the_labels_come_out():
    seen = []

    def minimise(costs):
        seen.append(costs)
        return SimpleNamespace(labels=(costs < 0).astype(np.int8), objective=0)

    labels = release(OpenDPSampler(), points=50, scale=10.0).labels(claim(50), minimise)
    assert labels.tolist() == (seen[0] < 0).tolist()
    assert 0 < labels.sum() < 50
    assert len(set(seen[0].tolist())) > 10


def test_a_claim_is_used_once():
    allowed = release(SeededSampler(0))
    allowed.labels(claim(), minimiser({0: 0, 3: 1}, 2))
    with pytest.raises(ReleaseRefused):
        allowed.labels(claim(), minimiser({0: 0, 3: 1}, 2))
    with pytest.raises(ReleaseRefused):
        release(SeededSampler(0)).labels(claim(3), minimiser({0: 0}, 3))


@pytest.mark.parametrize("labels", [[0, 2], [0, 1, 1], [0]])
def test_anything_but_labels_stays_inside(labels):
    with pytest.raises(ReleaseRefused, match="0 or a 1"):
        release(SeededSampler(0)).labels(
            claim(), lambda costs: SimpleNamespace(labels=np.array(labels), objective=0)
        )


def test_least_errors_are_found_by_costs():
    errors = {0: 3, 1: 0, 4: 7}
    assert least_errors(minimiser(errors, 3), 3) == errors


def exact(errors, n_points, scale, reach=60):
    """The definition, in rationals of exp(-1/scale) rounded once; the rest of the noise at the ends."""
    ratio = Fraction(math.exp(-1 / scale))
    share = {c: (1 - ratio) / (1 + ratio) * ratio ** abs(c) for c in range(-reach, reach + 1)}
    share[reach] = share[-reach] = ratio**reach / (1 + ratio)
    assert sum(share.values()) == 1
    found = dict.fromkeys(range(2**n_points), Fraction(0))
    minimise = minimiser(errors, n_points)
    number = {tuple(labelling.tolist()): place for place, labelling in enumerate(labellings(n_points))}
    for costs in itertools.product(share, repeat=n_points):
        place = number[tuple(minimise(np.array(costs)).labels.tolist())]
        found[place] += math.prod(share[c] for c in costs)
    return [float(found[place]) for place in range(2**n_points)]


@pytest.mark.parametrize(
    ("errors", "n_points", "scale"),
    [({0: 0, 1: 4}, 1, 0.5), ({0: 2, 1: 0}, 1, 2.0), ({0: 1, 1: 0, 3: 2}, 2, 0.7), ({1: 0, 2: 1}, 2, 1.0)],
)
def test_the_probabilities_against_rationals(errors, n_points, scale):
    found = labelling_probabilities(errors, n_points, scale)
    np.testing.assert_allclose(found, exact(errors, n_points, scale), rtol=1e-12)
    assert abs(found.sum() - 1) < 1e-12
    assert OUTSIDE < 1e-12


def test_one_point_in_closed_form():
    """Label 1 wins if its cost is below the difference of errors: a tie goes to 0."""
    for difference, scale in itertools.product(range(-3, 4), (0.5, 3.0)):
        ratio = math.exp(-1 / scale)
        below = (
            ratio ** (1 - difference) / (1 + ratio)
            if difference <= 0
            else 1 - ratio**difference / (1 + ratio)
        )
        found = labelling_probabilities({0: max(difference, 0), 1: max(-difference, 0)}, 1, scale)
        np.testing.assert_allclose(found, [1 - below, below], rtol=1e-12)


def test_seeded_draws_follow_them():
    errors, size = {0: 1, 1: 0, 3: 2}, 20_000
    sampler, number = SeededSampler(1), {(0, 0): 0, (0, 1): 1, (1, 1): 3}
    minimise = minimiser(errors, 2)
    counts = np.zeros(4)
    for _ in range(size):
        counts[number[tuple(sampler.labels(minimise, 2, 2.0).tolist())]] += 1
    expected = size * labelling_probabilities(errors, 2, 2.0)
    assert np.abs(counts - expected).max() < 5.5 * math.sqrt(size / 4)


def test_enumeration_and_replay_know_labels():
    minimise = minimiser({0: 1, 2: 0}, 2)
    found = enumerate_outcomes(lambda sampler: tuple(release(sampler).labels(claim(), minimise).tolist()))
    assert dict(found.keys()) == {(0,): (0, 0), (2,): (1, 0)}
    assert abs(sum(found.values()) - 1) < 1e-12
    replayed = ReplaySampler([np.array([1, 0])])
    assert release(replayed).labels(claim(), minimise).tolist() == [1, 0]
    assert replayed.asked[0].scores.tolist() == [1, 0]


def test_too_much_noise_for_a_grid_is_refused():
    with pytest.raises(ValueError, match="grid"):
        labelling_probabilities({0: 0}, 3, 100.0)
    with pytest.raises(ValueError, match="scales apart"):
        labelling_probabilities({0: 0, 1: 100}, 1, 0.1)


def test_the_oracles_own_ties_count():
    """One that returns the last of equal labellings has another distribution."""
    errors, table = {0: 1, 1: 0, 3: 1}, labellings(2)

    def last(costs):
        objective = {place: e + int(table[place] @ costs) for place, e in errors.items()}
        place = min(objective, key=lambda place: (objective[place], -place))
        return SimpleNamespace(labels=table[place], objective=objective[place])

    first = minimiser(errors, 2)
    found = [labelling_probabilities(errors, 2, 1.0, answers_near(m, 2)) for m in (first, last)]
    np.testing.assert_allclose(found[0], labelling_probabilities(errors, 2, 1.0), rtol=1e-14)
    assert abs(found[1] - found[0]).max() > 0.05
