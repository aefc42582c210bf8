"""The net covers the sphere: searched at random, by ascent, and at every hole that it has."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.spatial import ConvexHull, KDTree

from discreet.errors import OptionError
from discreet.halfspaces.net import UNIT, Net, least_product

SEARCHED = [(2, 0.03), (2, 0.5), (3, 0.03), (3, 0.2), (3, 0.9), (4, 0.05), (4, 0.1), (4, 0.3), (4, 1.3)]


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def tree_of(dimension, radius):
    return KDTree(Net(dimension, radius).candidates() / UNIT)


def ascended(tree, starts, step, generator):
    """Move each start uphill, away from its nearest candidate, by ever smaller random steps."""
    here = starts
    far = tree.query(here)[0]
    for _ in range(60):
        there = unit(here + step * generator.normal(size=here.shape))
        distance = tree.query(there)[0]
        better = distance > far
        here, far = np.where(better[:, None], there, here), np.maximum(far, distance)
        step *= 0.93
    return far


@pytest.mark.parametrize(("dimension", "radius"), SEARCHED)
def test_no_search_leaves_the_radius(dimension, radius):
    tree = tree_of(dimension, radius)
    generator = np.random.default_rng(dimension)
    starts = unit(generator.normal(size=(20_000, dimension)))
    far = tree.query(starts)[0]
    worst = starts[np.argsort(far)[-500:]]
    climbed = ascended(tree, worst, radius / 2, generator).max()
    assert far.max() <= climbed <= radius
    # The search reaches what there is to find: a radius a tenth smaller is not covered.
    assert climbed > 0.9 * radius or Net(dimension, radius).size < 30


@pytest.mark.parametrize(
    ("dimension", "radius"), [(3, 0.03), (3, 0.1), (3, 0.7), (4, 0.1), (4, 0.25), (4, 0.8)]
)
def test_the_deepest_hole_is_within_the_radius(dimension, radius):
    """The points of a sphere furthest from a finite set are the normals of its convex hull's facets."""
    points = unit(Net(dimension, radius).candidates() / UNIT)
    hull = ConvexHull(np.unique(points, axis=0), qhull_options="Qt")
    holes = hull.equations[:, :-1]
    deepest = tree_of(dimension, radius).query(holes)[0].max()
    assert deepest <= radius
    assert deepest > 0.9 * radius


@pytest.mark.parametrize("dimension", range(2, 6))
@pytest.mark.parametrize("radius", [0.1, 0.25, 0.6, 1.0, 1.5, 1.99])
def test_the_size_is_known_before_the_net_is_built(dimension, radius):
    if Net(dimension, radius).size > 10**6:
        pytest.fail("choose a coarser net")
    candidates = Net(dimension, radius).candidates()
    assert candidates.shape == (Net(dimension, radius).size, dimension)
    assert np.abs(np.linalg.norm(candidates / UNIT, axis=1) - 1).max() <= math.sqrt(dimension) / 2 / UNIT
    assert len(np.unique(candidates, axis=0)) == len(candidates)
    assert (candidates == Net(dimension, radius).candidates()).all()


@pytest.mark.parametrize("dimension", range(2, 9))
@pytest.mark.parametrize("radius", [0.03, 0.05])
def test_no_net_is_much_smaller_by_cubes(dimension, radius):
    """At least one candidate a cap; at most a fifth more than the sphere has cubes of this diagonal."""
    size = Net(dimension, radius).size
    sphere = 2 * math.pi ** (dimension / 2) / math.gamma(dimension / 2)
    n = dimension - 1
    cap = math.pi ** (n / 2) / math.gamma(n / 2 + 1) * radius**n
    cubes = sphere / (2 * radius / math.sqrt(n)) ** n
    assert dimension == 2 or sphere / cap <= size
    assert size <= 1.2 * cubes
    assert Net(dimension, radius).check_size(size) == size
    with pytest.raises(
        OptionError, match=f"has {size:,} candidates, more than max_candidates = {size - 1:,}"
    ):
        Net(dimension, radius).check_size(size - 1)
    if dimension > 2:
        with pytest.raises(OptionError, match=r"has at least 10\^"):
            Net(dimension, radius).check_size(math.floor(0.999 * sphere / cap))


def test_a_net_of_many_dimensions_is_refused_without_counting():
    with pytest.raises(OptionError, match=r"in 5000 dimensions has at least 10\^\d+\.\d candidates"):
        Net(5000, 0.03).check_size(10**6)


def test_beyond_the_sphere_one_candidate_is_enough():
    assert Net(4, 2.1).size == 1
    assert Net(4, 2.1).candidates().tolist() == [[UNIT, 0, 0, 0]]


@pytest.mark.parametrize("dimension", [1, 0, -3, 2.0, True])
def test_a_dimension_is_a_whole_number(dimension):
    with pytest.raises(OptionError, match="dimension must be a whole number of at least 2"):
        Net(dimension, 0.1)


@pytest.mark.parametrize("radius", [0, -1, 0.0009, float("nan"), float("inf")])
def test_a_radius_has_a_least_value(radius):
    with pytest.raises(OptionError, match=r"radius must be above 0\.001"):
        Net(3, radius)


@pytest.mark.parametrize("margin", [0.1, 0.3, 1 / 3, 0.005, 1.0, 5 / 2**19])
def test_the_threshold_loses_nothing(margin):
    """For whole products, below the real threshold and below its ceiling are the same."""
    norm = 2**14
    threshold = Fraction(margin) / 10 * UNIT * norm
    least = least_product(margin, norm)
    assert [least - 1 < threshold, least < threshold] == [True, False]
