"""Stochastic descent against its definition in real numbers, and what it refuses."""

import math
from fractions import Fraction

import numpy as np
import pytest

import discreet
from discreet import ProjectedHalfspaceClassifier
from discreet.accounting import BoundedRange, SampledGaussianDP, guarantee
from discreet.engines.hinge import HingeEngine
from discreet.engines.margin_errors import MarginErrors
from discreet.engines.projection import NORM
from discreet.errors import OptionError, PlanError
from discreet.halfspaces.fit_plan import UNIT
from discreet.halfspaces.repeats import printed_noise, repeats_for
from discreet.halfspaces.stochastic import descend_repeatedly
from discreet.mechanisms.claims import Claim, Sampling
from discreet.mechanisms.pricing import release_loss
from discreet.mechanisms.release import Release
from discreet.testing import SeededSampler, seeded_noise


def model(epsilon=1.0, **options):
    options = {"margin": 0.3, "classes": [0, 1], "method": "stochastic"} | options
    return ProjectedHalfspaceClassifier(epsilon, **options)


class Kept(SeededSampler):
    """Seeded noise, with what was drawn and added."""

    def __init__(self, seed):
        super().__init__(seed)
        self.drawn, self.noise, self.chosen = [], [], None

    def draw(self, ends):
        self.drawn.append(super().draw(ends))
        return self.drawn[-1]

    def vector(self, values, noise, scale):
        released = super().vector(values, noise, scale)
        self.noise.append((released - values) / (NORM * UNIT))
        return released

    def select(self, scores, noise, scale):
        self.scores, self.chosen = scores, super().select(scores, noise, scale)
        return self.chosen


def test_it_is_what_the_definition_says():
    rng = np.random.default_rng(0)
    n, m, margin = 9, 4, 0.2
    rows = rng.normal(size=(n, m))
    vectors = np.trunc(NORM * rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.int16)
    labels = rng.integers(0, 3, n).astype(np.int8)
    plan = model(500.0, margin=margin, failure=0.9).plan(n, m)
    assert (plan.repeats, plan.steps) == (3, 80)
    sampler = Kept(0)
    errors = MarginErrors(vectors, labels, NORM)
    engine = HingeEngine(vectors.copy(), labels, NORM)
    weights = descend_repeatedly(range(3), plan, engine, errors, Release(plan.terms, sampler))

    signed = vectors / NORM * np.array([-1, 1, 0])[labels][:, None]
    noise = iter(sampler.noise)
    drawn = iter(sampler.drawn)
    last = []
    for _ in range(3):
        w = np.zeros(m)
        for t in range(1, n * n):
            v = signed[next(drawn)]
            v = v * (v @ (np.trunc(w * 2**16) / 2**16) < 0.96 * margin)
            w = w + 2 / math.sqrt(t * (1 + m * plan.noise**2)) * (v + next(noise))
            w /= max(1.0, np.linalg.norm(w))
        last.append(w)
    assert next(noise, None) is None
    unit = np.array(last) / np.linalg.norm(last, axis=1, keepdims=True)
    counts = ((signed @ unit.T < margin / 10) & (labels < 2)[:, None]).sum(axis=0)
    assert sampler.scores.tolist() == (-2 * counts).tolist()
    best = last[sampler.chosen]
    assert weights / np.abs(weights).max() == pytest.approx(best / np.abs(best).max(), abs=1e-9)


def test_the_papers_noise():
    n, k, epsilon, delta, slope = 50, 6, 0.125, 1e-6 / 6, 100 / (86 * 0.3)
    sigma = math.sqrt(32 * slope**2 * n**2 * math.log(n / delta) * math.log(1 / delta)) / epsilon
    assert printed_noise(epsilon, delta, n) == pytest.approx(sigma / (n * slope))
    plan = model().plan(n, 10)
    assert (plan.repeats, plan.steps, repeats_for(0.999)) == (k, 2_499, 3)
    assert plan.printed_noise == plan.noise == pytest.approx(sigma / (n * slope))
    step, choice = plan.terms
    assert step.times == 6 * 2_499
    assert step.scale == pytest.approx(plan.noise * NORM * UNIT)
    assert vars(step.loss) == pytest.approx({"mu": 2 / plan.noise, "share": 1 / n})
    assert vars(choice.loss) == pytest.approx({"width": 0.25})


def test_the_noise_is_enough_and_what_is_stated_is_its_loss():
    for epsilon in (0.1, 1.0, 30.0, 3_000.0):
        plan = model(epsilon).plan(40, 10)
        assert plan.noise >= plan.proven_noise
        assert plan.guarantee == guarantee(plan.losses, 1e-6)
        assert plan.guarantee.epsilon <= epsilon
        needed = [
            (SampledGaussianDP(2 / plan.proven_noise, 1 / 40), 6 * 1599),
            (BoundedRange(min(epsilon / 4, 100)), 1),
        ]
        assert guarantee(needed, 1e-6).epsilon == pytest.approx(epsilon, rel=1e-4)
    assert "is proven to be enough" in str(plan)
    assert "6 of 1,599 steps" in str(plan)


def test_a_vector_of_a_drawn_record_has_its_price():
    claim = Claim("vector", "l2", 2 * NORM * UNIT, 1, "test", Sampling(1, Fraction(1, 7)))
    for scale in (2.0**33, 2.0**40):
        loss = release_loss(claim, "gaussian", scale)
        assert isinstance(loss, SampledGaussianDP)
        assert vars(loss) == pytest.approx({"mu": claim.bound / scale, "share": 1 / 7})
    with pytest.raises(TypeError, match="single draw"):
        release_loss(Claim("vector", "l2", 1, 1, "test", Sampling(2, Fraction(1, 7))), "gaussian", 1.0)


def test_it_learns_and_a_file_keeps_it(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 30)
    X = rng.normal(size=(30, 12)) * 0.3
    X[:, 0] = 2 * y - 1
    with seeded_noise(0):
        fitted = model(400.0, failure=0.9).fit(X, y)
    assert fitted.score(X, y) > 0.9
    fitted.save(tmp_path / "model.json")
    again = discreet.load_model(tmp_path / "model.json")
    assert again.options_ == fitted.options_
    assert again.failure == 0.9
    assert (again.decision_function(X) == fitted.decision_function(X)).all()
    assert again.privacy_ == fitted.privacy_
    assert again.privacy_.epsilon <= 400
    assert again.privacy_.rho > 0


def test_what_is_refused(tmp_path):
    X, y = np.eye(4), [0, 1, 0, 1]
    with pytest.raises(PlanError, match="adjacency='replace'"):
        model(adjacency="add-remove").fit(X, y)
    with pytest.raises(PlanError, match="delta above 0"):
        model(delta=0).fit(X, y)
    with pytest.raises(PlanError, match="small n"):
        model().plan(10_000, 10)
    with pytest.raises(OptionError, match="rounds"):
        model(rounds=3).plan(10, 10)
    with pytest.raises(OptionError, match="no ledger"):
        model(ledger=tmp_path / "none.db", account="survey").fit(X, y)
    for failure in (0, 1, "rare"):
        with pytest.raises(OptionError, match="failure"):
            model(failure=failure).plan(10, 10)
    with pytest.raises(OptionError, match="failure"):
        model(method="descent", failure=0.1).plan(10, 10)
    assert model().plan(1, 3).steps == 1
    assert model().plan(200, 1_000).n_components == 64
