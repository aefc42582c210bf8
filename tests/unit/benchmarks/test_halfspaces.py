"""What the measurements of projected halfspaces rest on: the sources, the peers, the search for n."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from benchmarks.paper.halfspaces import sample_size
from benchmarks.paper.halfspaces.peers import _settled, objective_perturbation, unprojected_descent
from benchmarks.paper.halfspaces.sample_size import exponent
from benchmarks.paper.halfspaces.sources import PulledSource, SphereSource, TextSource
from discreet import ProjectedHalfspaceClassifier
from discreet.testing import seeded_noise

MARGIN = 0.3


def sphere(spread=False, n_features=50, n=200_000):
    random = np.random.default_rng([7, spread])
    source = SphereSource.random(n_features, MARGIN, random, spread)
    return source, *source.draw(n, random)


@pytest.mark.parametrize("spread", [False, True])
def test_a_sphere_has_its_margins_and_errors(spread):
    source, X, y = sphere(spread)
    margins = (2 * y - 1) * (X @ source.direction)
    assert np.linalg.norm(X, axis=1) == pytest.approx(1, abs=1e-5)
    assert margins.min() == pytest.approx(MARGIN, abs=1e-5)
    assert margins.max() == pytest.approx(1 if spread else MARGIN, abs=1e-4)
    assert margins.mean() == pytest.approx((MARGIN + 1) / 2 if spread else MARGIN, abs=0.005)
    # Across the margin nothing tells the classes apart.
    mean = ((2 * y - 1)[:, None] * X).mean(axis=0)
    assert np.linalg.norm(mean - margins.mean() * source.direction) < 0.01
    random = np.random.default_rng(8)
    for noise in (0.1, 0.2, 0.4):
        tilted = source.direction + noise * random.standard_normal(50)
        counted = ((X @ tilted > 0) != y).mean()
        # Six standard deviations: a false alarm in fewer than 1e-8 of all streams.
        assert abs(counted - source.error(tilted)) < 6 * np.sqrt(counted / len(y))
    assert source.error(source.direction) == 0
    assert source.error(-source.direction) == 1
    assert source.error(np.zeros(50)) == 0.5


@pytest.mark.parametrize("n_features", [500, 100_000])
def test_a_text_has_its_words_and_margin(n_features):
    source = TextSource(n_features)
    X, y = source.draw(2000, np.random.default_rng(0))
    assert X.shape == (2000, n_features)
    assert X.has_canonical_format
    assert (np.diff(X.indptr) == 100).all()
    assert np.allclose(X.multiply(X).sum(axis=1), 1)
    best = np.zeros(n_features)
    best[:50], best[50:100] = -0.1, 0.1
    assert np.allclose((2 * y - 1) * (X @ best), source.margin)
    assert source.error(best) == 0
    # The most frequent other word is in every text, the rare ones in few.
    counts = np.bincount(X.indices, minlength=n_features)[100:]
    assert counts.max() == 2000
    assert counts[-1] < 2000 / 5


def test_the_mean_of_pulled_records_errs_on_three_in_ten():
    source = PulledSource(50, MARGIN)
    X, y = source.draw(100_000, np.random.default_rng(5))
    signs = 2 * y - 1
    assert np.allclose(X.multiply(X).sum(axis=1), 1)
    assert np.allclose(signs * X[:, [0]].toarray()[:, 0], MARGIN)
    assert source.error(np.eye(1, 50)[0]) == 0
    assert source.error(X.T @ signs) == pytest.approx(0.3)
    tilted = np.random.default_rng(6).standard_normal(50)
    counted = (signs * (X @ tilted) <= 0).mean()
    assert 0.01 < counted < 0.99
    assert abs(counted - source.error(tilted)) < 6 * np.sqrt(counted / len(y))


def test_the_descent_without_projection_is_the_librarys():
    source, X, y = sphere(n_features=300, n=600)
    random = np.random.default_rng(1)
    for epsilon, likeness in ((1000.0, 0.99), (8.0, 0.5)):
        ours = unprojected_descent(X, y, MARGIN, epsilon, 1e-6, random)
        with seeded_noise(2):
            model = ProjectedHalfspaceClassifier(epsilon, 1e-6, MARGIN, [0, 1], n_components=300).fit(X, y)
        assert ours @ model.coef_[0] > likeness * np.linalg.norm(ours)
        assert source.error(ours) < 0.05
        assert source.error(model.coef_[0]) < 0.05


def test_objective_perturbation_without_noise_is_logistic_regression():
    _, X, y = sphere(n_features=20, n=1000)
    found = objective_perturbation(X, y, 0.01, 1e9, np.random.default_rng(3))
    plain = LogisticRegression(C=1 / (0.01 * 1000), fit_intercept=False, tol=1e-8).fit(X, y)
    assert np.allclose(found, plain.coef_[0], atol=1e-3)


def test_objective_perturbation_has_the_papers_noise():
    """Records of zeros leave the noise alone: f = -b/(n L), and |b| has mean 2 d/epsilon'."""
    n, d, epsilon = 50, 30, 1.0
    left, strength = _settled(n, 0.1, epsilon)
    assert left == pytest.approx(epsilon - np.log(1 + 2 * 0.25 / (n * 0.1) + (0.25 / (n * 0.1)) ** 2))
    random = np.random.default_rng(4)
    X, y = np.zeros((n, d)), np.zeros(n, dtype=int)
    norms = [
        n * strength * np.linalg.norm(objective_perturbation(X, y, 0.1, epsilon, random)) for _ in range(400)
    ]
    # The mean of 400 has a deviation of 2 sqrt(d/400)/epsilon'; six of them.
    assert np.mean(norms) == pytest.approx(2 * d / left, abs=12 * np.sqrt(d / 400) / left)
    assert np.std(norms) == pytest.approx(2 * np.sqrt(d) / left, rel=0.25)


def test_objective_perturbation_raises_too_weak_a_regulariser():
    left, strength = _settled(100, 1e-6, 1.0)
    assert left == 0.5
    assert strength == pytest.approx(0.25 / (100 * (np.exp(0.25) - 1)))


def test_the_search_finds_the_least_n(monkeypatch):
    monkeypatch.setattr(sample_size, "error", lambda name, margin, epsilon, n, seed: 0.1 * 700 / n)
    assert 700 <= sample_size.least_n("exact", 0.1, 1.0, range(3)) <= 700 * 1.05
    assert 700 <= sample_size.least_n("exact", 0.4, 100.0, range(3)) <= 700 * 1.05
    assert 700 <= sample_size.least_n("exact", 0.01, 0.01, range(3)) <= 700 * 1.05


def test_an_exponent_is_that_of_the_power_law():
    rows = [
        (g, e, group, 7 * (1 + group) * e**-1.5)
        for group in range(3)
        for g, e in ((1, 0.1), (1, 0.3), (1, 2))
    ]
    table = pd.DataFrame(rows, columns=["margin", "epsilon", "group", "records"])
    assert exponent(table, "epsilon") == (pytest.approx(1.5), pytest.approx(0, abs=1e-9))
