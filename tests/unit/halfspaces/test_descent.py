"""What "auto" means, and the descent against its definition, written out for records in real numbers."""

import math

import numpy as np
import pytest

from discreet import ProjectedHalfspaceClassifier
from discreet.engines.hinge import HingeEngine
from discreet.engines.projection import NORM
from discreet.halfspaces.descent import WEIGHT, descend, within_ball
from discreet.halfspaces.fit_plan import UNIT
from discreet.mechanisms.release import Release
from discreet.testing import SeededSampler


class Kept(SeededSampler):
    """Seeded noise, and the sums to which it was added."""

    def __init__(self, seed):
        super().__init__(seed)
        self.noise = []

    def vector(self, values, noise, scale):
        released = super().vector(values, noise, scale)
        self.noise.append((released - values) / (NORM * UNIT))
        return released


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_the_descent_is_what_the_definition_says(rounds):
    rng = np.random.default_rng(rounds)
    n, m, margin = 300, 6, 0.2
    rows = rng.normal(size=(n, m))
    vectors = np.trunc(NORM * rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.int16)
    labels = rng.integers(0, 3, n).astype(np.int8)
    plan = ProjectedHalfspaceClassifier(5.0, margin=margin, rounds=rounds).plan(n, m)
    sampler = Kept(0)
    engine = HingeEngine(vectors.copy(), labels, NORM)
    weights = descend(range(rounds), plan, engine, Release(plan.terms, sampler))

    signed = vectors / NORM * np.array([-1, 1, 0])[labels][:, None]
    w, kept = np.zeros(m), []
    for noise in sampler.noise:
        steps = np.trunc(w * 2**16) / 2**16
        below = signed @ steps < 0.96 * margin
        w = w + plan.step * (signed[below].sum(axis=0) + noise)
        w /= max(1.0, np.linalg.norm(w))
        kept.append(w)
    average = np.sum(kept[rounds // 2 :], axis=0)
    assert weights / WEIGHT == pytest.approx(average / np.abs(average).max(), abs=1e-9)
    assert np.abs(weights).max() == WEIGHT


def test_the_ball():
    assert within_ball(np.array([0.3, -0.4])).tolist() == [0.3, -0.4]
    assert np.linalg.norm(within_ball(np.array([1e200, 1.0]) / 1e190)) == pytest.approx(1)


def test_settings_follow_public_numbers():
    model = ProjectedHalfspaceClassifier(margin=0.1)
    assert model.plan(100, 10**6).n_components == 256
    assert model.plan(100, 200).n_components == 200
    assert model.plan(10**6, 10**6).n_components == 1_000  # 10 / margin^2
    assert ProjectedHalfspaceClassifier(margin=0.01).plan(10**6, 10**6).n_components == 4_096
    assert [model.plan(n, 10**6).rounds for n in (100, 1_000, 10**6)] == [20, 48, 60]
    plan = model.plan(1_000, 10**6)
    deviation = plan.terms[0].scale / (NORM * UNIT)
    assert plan.step == pytest.approx(2 / math.sqrt(plan.rounds * (1_000**2 + 256 * deviation**2)))
    private = ProjectedHalfspaceClassifier(adjacency="add-remove", expected_records=1_000)
    assert private.plan(n_features=10**6).rounds == plan.rounds


def test_the_threshold_is_exact():
    plan = ProjectedHalfspaceClassifier(margin=0.5).plan(10, 3)
    assert plan.least_product == 12 * 2**30 // 25 + 1
