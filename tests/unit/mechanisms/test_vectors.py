"""Vectors: their loss as OpenDP states it, and what a release of one refuses."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from discreet import BoostedHalfspaceClassifier, Numeric, Schema, Target
from discreet.accounting import ZCDP, ApproxDP, GaussianDP
from discreet.boosting.features import NORM
from discreet.boosting.plan import make_plan
from discreet.boosting.reweighting.lazy_bregman import LazyBregman
from discreet.boosting.reweighting.madaboost import MadaBoost
from discreet.boosting.weak_learners.centring import Centring
from discreet.errors import PlanError, ReleaseRefused
from discreet.mechanisms.claims import Claim, Terms, noise_of
from discreet.mechanisms.pricing import release_loss
from discreet.mechanisms.release import Release
from discreet.mechanisms.selection import OpenDPSampler
from discreet.testing import SeededSampler, enumerate_outcomes

CLAIM = Claim("vector", "l2", 2**35, 1, "a page")
SELECTION = Claim("selection", "range", 4, 1, "a page")


def release(claim=CLAIM, noise="gaussian", times=1):
    return Release([Terms(claim, times, noise, 100.0, GaussianDP(1.0))], SeededSampler(0))


@pytest.mark.parametrize("bound", [2**35, 2**53 + 1, 2**61 - 1])
@pytest.mark.parametrize("ratio", [0.5, 1.0, 31.7, 1e4])
def test_the_loss_is_that_of_the_formula_and_never_below(bound, ratio):
    scale = bound * ratio
    loss = release_loss(Claim("vector", "l2", bound, 1, ""), "gaussian", scale)
    assert Fraction(loss.mu) >= Fraction(bound) / Fraction(scale)
    assert loss.mu == pytest.approx(bound / scale, rel=1e-9)


@pytest.mark.parametrize("scale", [0.3, 1.0, 100.0, 2.0**33 - 1])
def test_of_coarse_noise_only_a_rho_is_stated(scale):
    """At sigma = D = 1 the exact delta at epsilon 1 is 0.1414, above the 0.1269 of a normal one."""
    loss = release_loss(Claim("vector", "l2", 1, 1, ""), "gaussian", scale)
    assert isinstance(loss, ZCDP)
    assert loss.rho == pytest.approx(1 / (2 * scale**2))


@pytest.mark.parametrize("sigma", [2.0, 10.0, 1e3])
def test_rounded_normal_noise_is_as_close_as_the_proof_says(sigma):
    with mpmath.workdps(40):
        s = mpmath.mpf(sigma)
        normaliser = mpmath.sqrt(2 * mpmath.pi) * s * (1 + 2 * mpmath.exp(-2 * mpmath.pi**2 * s**2))
        for k in (0, 1, int(sigma), int(6 * sigma), int(30 * sigma)):
            rounded = (
                mpmath.ncdf((k + 0.5) / s) - mpmath.ncdf((k - 0.5) / s)
                if k < sigma
                else (mpmath.ncdf(-(k - 0.5) / s) - mpmath.ncdf(-(k + 0.5) / s))
            )
            discrete = mpmath.exp(-(mpmath.mpf(k) ** 2) / (2 * s**2)) / normaliser
            bound = 1 / (8 * s**2) + mpmath.mpf(k) ** 2 / (24 * s**4)
            assert abs(mpmath.log(rounded / discrete)) <= bound * (1 + mpmath.mpf(10) ** -9)


def test_too_many_coordinates_are_refused():
    schema = Schema({f"c{i}": Numeric(0, 1, bins=2) for i in range(2_000)}, target=Target("y", [0, 1]))
    with pytest.raises(PlanError, match="too many"):
        BoostedHalfspaceClassifier(schema=schema, rounds=9_000).plan(1_000)


def test_next_to_no_noise_costs_everything():
    assert math.isinf(release_loss(CLAIM, "gaussian", 1e-300).rho)


@pytest.mark.parametrize("sampler", [OpenDPSampler(), SeededSampler(0)], ids=["opendp", "seeded"])
def test_noise_is_added_coordinate_by_coordinate(sampler):
    values = np.array([0, 10**15, -(10**15)], dtype=np.int64)
    noise = sampler.vector(values, "gaussian", 1000.0) - values
    assert noise.dtype == np.int64
    assert (np.abs(noise) < 10_000).all()  # ten deviations
    assert len(set(noise.tolist())) > 1


@pytest.mark.parametrize(
    "values",
    [np.array([1.0]), np.array([[1]]), np.array([2**62 + 1]), [1], np.array([1], np.int32)],
    ids=["float", "matrix", "large", "list", "int32"],
)
def test_other_than_exact_vectors_are_refused(values):
    with pytest.raises((ReleaseRefused, AttributeError)):
        release().vector(CLAIM, values)


def test_a_vector_is_no_selection_and_the_other_way_round():
    with pytest.raises(ReleaseRefused, match="does not claim this selection"):
        release().select(CLAIM, np.array([1, 2]), np.zeros(2))
    with pytest.raises(ReleaseRefused, match="does not claim this vector"):
        release(SELECTION, "gumbel").vector(SELECTION, np.array([1, 2]))


def test_a_release_too_many_is_refused():
    once = release()
    once.vector(CLAIM, np.array([1, 2]))
    with pytest.raises(ReleaseRefused, match="used up"):
        once.vector(CLAIM, np.array([1, 2]))


def test_vectors_are_not_enumerated():
    outcomes = enumerate_outcomes(lambda sampler: sampler.vector(np.array([1]), "gaussian", 1.0))
    ((_, result),) = outcomes
    assert "too many outcomes" in result.text


def plan(measure, adjacency="replace", n=1000, delta=1e-6):
    return make_plan(
        measure=measure,
        learner=Centring(7, 1.0),
        rounds=10,
        target=ApproxDP(1.0, delta),
        adjacency=adjacency,
        n_records=n,
    )


def test_the_claims_of_a_plan():
    (term,) = plan(MadaBoost(0.1)).terms
    assert (term.noise, term.times, term.claim.bound) == ("gaussian", 10, 2 * 2**20 * NORM)
    (added,) = plan(MadaBoost(0.1), "add-remove", None).terms
    assert added.claim.bound == 2**20 * NORM
    projected = plan(LazyBregman(0.1, 0.5, 1000))
    (term,) = projected.terms
    assert term.claim.bound == (2 * 2**30 + projected.bounds.slack) * NORM
    assert "a vector of 7 coordinates" in str(projected)
    assert "moves the vector by an l2 norm of 2" in str(projected)


def test_there_is_no_pure_plan():
    with pytest.raises(PlanError, match="delta above 0"):
        plan(MadaBoost(0.1), delta=0.0)


L1_CLAIM = Claim("vector", "l1", 2**35, 1, "a page")


@pytest.mark.parametrize("bound", [1, 2**35, 2**53 + 1])
@pytest.mark.parametrize("ratio", [0.5, 1.0, 31.7])
def test_the_loss_of_laplace_noise_is_bound_over_scale_and_never_below(bound, ratio):
    scale = bound * ratio
    loss = release_loss(replace(L1_CLAIM, bound=bound), "laplace", scale)
    assert Fraction(loss.epsilon) >= Fraction(bound) / Fraction(scale)
    assert loss.epsilon == pytest.approx(1 / ratio, rel=1e-9)


def test_each_norm_has_its_noise():
    assert noise_of(CLAIM, "approximate") == "gaussian"
    assert noise_of(CLAIM, "pure") is None
    assert noise_of(L1_CLAIM, "pure") == "laplace"
    assert noise_of(L1_CLAIM, "approximate") is None
    for claim, noise in ((CLAIM, "laplace"), (L1_CLAIM, "gaussian")):
        with pytest.raises(TypeError, match="norms"):
            release_loss(claim, noise, 100.0)


def test_laplace_noise_with_next_to_no_scale_costs_everything():
    assert release_loss(L1_CLAIM, "laplace", 1e-300).epsilon == math.inf
