"""How far one record moves a perturbed leader, measured against what is proven (docs/proofs/leaders.md).

Each comparison of a frequency with a bound alarms falsely with a probability below 1e-9, and there are fewer
than a hundred; the classes and errors are drawn from fixed seeds.
"""

import math

import numpy as np
import pytest
from scipy import stats

from discreet import DiscreetError, PerturbedLeaderClassifier
from discreet.semiprivate.perturbed.stability import SLACK, average_distance, mean_distance, strength_of
from discreet.testing import seeded_noise
from tests.harness.artefacts import rule_artefacts_of
from tests.harness.canaries import counted, figures_in, left_by_an_error, planted, secrets_in
from tests.perturbed_problems import (
    charged_for_noise_and_perturbations,
    drew_perturbations_at_their_scale,
    moves_the_furthest,
    perturbations_stay_secret,
    rarely_beyond_the_claim,
)
from tests.tables import SCHEMA, people

DRAWS = 20_000
FALSE_ALARM = 1e-9


def symmetric_class(rng, n_points, size):
    """Return labellings by -1 and 1, each with its opposite."""
    some = np.unique(rng.choice([-1, 1], (size, n_points)), axis=0)
    return np.unique(np.concatenate([some, -some]), axis=0)


def leaders(labellings, errors, strength, normals):
    omega = normals @ labellings.T / math.sqrt(labellings.shape[1])
    return (errors + strength * omega).argmin(axis=1), omega


def worst_change(labellings, errors, strength, normals, adjacency):
    """Return the change of errors that helps the labellings least like the usual leader, and hurts others."""
    usual = np.bincount(leaders(labellings, errors, strength, normals)[0]).argmax()
    alike = labellings @ labellings[usual]
    helped = np.where(alike < np.median(alike), -1, 1)
    return helped if adjacency == "replace" else np.maximum(helped, 0)


def problems():
    rng = np.random.default_rng(0)
    for adjacency in ("replace", "add-remove"):
        for n_points, size in ((1, 1), (2, 2), (4, 3), (4, 8), (9, 12)):
            for spread in (0.0, 3.0):
                labellings = symmetric_class(rng, n_points, size)
                errors = np.rint(rng.normal(scale=spread, size=len(labellings)))
                yield adjacency, labellings, errors, float(rng.choice([3.0, 8.0, 30.0]))


def test_leaders_are_rarely_far_apart(report):
    """P(distance >= p) <= 2 slack E / (eta p^2) at every distance, E measured; a share of it is reached."""
    rng = np.random.default_rng(1)
    reached = 0.0
    for adjacency, labellings, errors, strength in problems():
        n_points = labellings.shape[1]
        normals = rng.normal(size=(DRAWS, n_points))
        change = worst_change(labellings, errors, strength, normals, adjacency)
        one, omega = leaders(labellings, errors, strength, normals)
        other, _ = leaders(labellings, errors + change, strength, normals)
        apart = np.sqrt(((labellings[one] - labellings[other]) ** 2).mean(axis=1))
        expected = omega.max(axis=1)
        mean = expected.mean() + 6.5 * expected.std() / math.sqrt(DRAWS)
        assert expected.mean() <= math.sqrt(2 * math.log(len(labellings)))
        for distance in np.unique(apart[apart > 0]):
            bound = 2 * SLACK[adjacency] * mean / (strength * distance**2)
            found = int((apart >= distance - 1e-9).sum())
            if bound < 1:
                assert found <= stats.binom.isf(FALSE_ALARM, DRAWS, bound)
                reached = max(reached, found / DRAWS / bound)
    report("perturbed leader: chance of a distance", f"{DRAWS:,} draws each", f"{reached:.4f} of the bound")
    assert reached > 0.4  # or the neighbours test nothing


def test_two_opposite_labellings_exactly():
    """Where the chance is known: one record turns the sign of the difference of their errors."""
    for strength in (1.0, 4.0, 100.0):
        chance = stats.norm.cdf(0.5 / strength) - stats.norm.cdf(-0.5 / strength)
        bound = 2 * SLACK["replace"] * math.sqrt(2 / math.pi) / (strength * 4)
        assert 0.45 * bound < chance <= bound / 2


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_the_mean_distance_is_within_its_bound(adjacency, report):
    rng = np.random.default_rng(2)
    shares = []
    for n_points, size in ((1, 1), (4, 8), (9, 12)):
        labellings = symmetric_class(rng, n_points, size)
        weight = round(strength_of(1, n_points) / 20)
        normals, errors = rng.normal(size=(DRAWS, n_points)), np.zeros(len(labellings))
        strength = strength_of(weight, n_points)
        change = worst_change(labellings, errors, strength, normals, adjacency)
        one, _ = leaders(labellings, errors, strength, normals)
        other, _ = leaders(labellings, errors + change, strength, normals)
        apart = np.sqrt(((labellings[one] - labellings[other]) ** 2).mean(axis=1))
        bound = mean_distance(adjacency, weight, n_points, len(labellings))
        slack = 6.5 * apart.std() / math.sqrt(DRAWS)
        assert apart.mean() <= bound + slack
        shares.append(apart.mean() / bound)
    report(f"perturbed leader: mean distance, {adjacency}", f"{DRAWS:,} draws", f"{max(shares):.4f} of it")
    assert max(shares) > 0.1


@pytest.mark.parametrize("runs", [1, 4, 64, 1024, 16384])
@pytest.mark.parametrize("mean", [1e-4, 0.01, 0.3, 1.5, 2.0])
@pytest.mark.parametrize("failure", [0.1, 1e-7])
def test_averages_exceed_their_bound_rarely_enough(mean, runs, failure):
    """Exactly, for distances of 0 and 2, which are the worst; and never above Hoeffding's simpler bound."""
    bound = average_distance(mean, runs, failure)
    assert stats.binom.sf(math.floor(bound / 2 * runs), runs, mean / 2) <= failure
    assert mean <= bound <= max(mean, mean + math.sqrt(2 * math.log(1 / failure) / runs)) * (1 + 1e-8)


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
@pytest.mark.parametrize("n_points", [1, 4, 16, 256])
def test_the_mean_distance_is_never_above_that_of_the_notes(adjacency, n_points):
    """PRIVACY.md 8: (4/3) A^(1/4), A = 8 slack E / eta; grids add less than a millionth."""
    for weight in np.unique(np.logspace(0, 9, 40).astype(int)):
        largest = math.sqrt(2 * math.log(60))
        notes = 4 / 3 * (8 * SLACK[adjacency] * largest / strength_of(int(weight), n_points)) ** 0.25
        assert mean_distance(adjacency, int(weight), n_points, 60) <= min(2.0, notes) * (1 + 1e-6)


def test_one_record_moves_the_vector_by_all_of_its_claim(report):
    share = moves_the_furthest()
    report("perturbed leader: few runs, no perturbations", "1 pair", f"{share:.4f} of the claim")
    assert 0.999 < share <= 1


def test_perturbations_seldom_let_one_record_move_it_further(report):
    share = rarely_beyond_the_claim()
    report("perturbed leader: claim of 64 runs", "4,000 draws", f"{share:.4f} of the claim")
    assert share > 0.1


def test_delta_is_that_of_the_noise_and_of_the_perturbations():
    charged_for_noise_and_perturbations()


def test_perturbations_are_drawn_at_their_scale():
    drew_perturbations_at_their_scale()


def test_perturbations_stay_secret():
    perturbations_stay_secret()


def left_by_a_fit(df, y, **options):
    model = PerturbedLeaderClassifier(schema=SCHEMA, points=6, runs=64, **options)
    artefacts = rule_artefacts_of(model, df, y, public=people(300)[0])
    return "\n".join(f"{name}: {content.decode('latin-1')}" for name, content in artefacts)


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
def test_a_fit_leaves_no_cell_and_no_count_behind(adjacency, report):
    left = left_by_a_fit(*planted(), adjacency=adjacency)
    report(f"canaries: perturbed leader, {adjacency}", "200 secrets", f"{len(left):,} letters")
    assert secrets_in(left) == set()
    df, y, figures = counted()
    with seeded_noise(0):
        left = left_by_a_fit(df, y, adjacency=adjacency)
    if adjacency == "add-remove":
        figures |= {str(len(df)), f"{len(df):,}"}
    assert figures_in(left, figures) == set()


def test_no_error_shows_a_cell():
    df, y = planted()
    fit = PerturbedLeaderClassifier(1e3, schema=SCHEMA, points=4, runs=64).fit
    public = people(30)[0]
    for breakage in (
        lambda: fit(df, y),
        lambda: fit(df, y[:10], public=public),
        lambda: fit(df[["age"]], y, public=public),
        lambda: fit(df, y, public=public, sample_weight=df["age"]),
        lambda: fit(df, y, public="zq1secret"),
    ):
        error, shown = left_by_an_error(breakage)
        assert isinstance(error, DiscreetError)
        assert secrets_in(shown) == set()
