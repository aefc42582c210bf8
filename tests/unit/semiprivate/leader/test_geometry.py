"""The geometry of public points: what a record becomes, and what the norm of a function is."""

import numpy as np
import pytest

from discreet.boosting.features import NORM
from discreet.errors import PlanError
from discreet.semiprivate.leader.geometry import PublicGeometry

RIDGE = 1e-3


def points(rng, n=300, dimension=6):
    lengths = 2.0 ** -np.arange(dimension)
    vectors = rng.normal(size=(n, dimension)) * lengths
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)
    return np.trunc(vectors * NORM).astype(np.int16)


@pytest.fixture(params=[True, False], ids=["clipped", "not clipped"])
def geometry(request):
    return PublicGeometry.of(points(np.random.default_rng(0)), RIDGE, request.param)


def test_no_record_is_longer_than_the_norm(geometry):
    rng = np.random.default_rng(1)
    wild = np.vstack([points(rng), np.eye(6) * NORM, -np.eye(6) * NORM]).astype(np.int16)
    records = geometry.records(wild).astype(np.int64)
    assert (records**2).sum(axis=1).max() <= NORM**2
    assert (records**2).sum(axis=1).max() > 0.9 * NORM**2


def test_a_record_is_a_function_of_itself_alone(geometry):
    rng = np.random.default_rng(2)
    vectors = points(rng, 40_000)
    together = geometry.records(vectors)
    order = rng.permutation(len(vectors))[:700]
    assert (geometry.records(vectors[order]) == together[order]).all()
    for place in order[:50]:
        assert (geometry.records(vectors[[place]]) == together[[place]]).all()


def test_the_norm_is_a_sum_of_squares(geometry):
    """Of a function's values on the public points, and of the ridge."""
    rng = np.random.default_rng(0)
    vectors = points(rng) / NORM
    for _ in range(20):
        c = rng.normal(size=6)
        w = geometry.coefficients(c)
        norm = ((vectors @ w) ** 2).mean() + RIDGE * (w**2).sum()
        assert ((geometry.lengths * c) ** 2).sum() == pytest.approx(norm, rel=1e-4)


def test_a_function_has_the_value_of_its_point_on_a_record(geometry):
    """But where the record was shortened: there it has the value's sign, and is smaller."""
    rng = np.random.default_rng(3)
    vectors = points(rng)
    records = geometry.records(vectors) / NORM
    c = rng.normal(size=6)
    values = vectors @ geometry.coefficients(c) / NORM
    kept = np.linalg.norm(records, axis=1) < 0.999
    assert kept.any()
    assert records[kept] @ c == pytest.approx(values[kept], abs=1e-3)
    shorter = (records @ c)[~kept]
    assert (np.abs(shorter) <= np.abs(values[~kept]) + 1e-3).all()


def test_half_of_the_public_points_keep_their_length():
    vectors = points(np.random.default_rng(0))
    geometry = PublicGeometry.of(vectors, RIDGE, clipping=True)
    lengths = np.linalg.norm(geometry.records(vectors) / NORM, axis=1)
    assert 0.45 < (lengths > 0.9995).mean() < 0.55
    assert geometry.typical < geometry.leverage
    assert PublicGeometry.of(vectors, RIDGE, clipping=False).leverage is None


def test_one_public_point_is_enough():
    geometry = PublicGeometry.of(np.array([[NORM, 0]], dtype=np.int16), RIDGE, clipping=True)
    assert (np.abs(geometry.records(np.array([[0, NORM]], dtype=np.int16))) <= NORM).all()


def test_axes_that_do_not_fit_are_refused():
    with pytest.raises(PlanError, match="raise it"):
        PublicGeometry.of(np.array([[1, 0]], dtype=np.int16), 1e-30, clipping=True)
