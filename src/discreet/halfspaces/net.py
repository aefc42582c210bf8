"""A net of the unit sphere: vectors of which one is within the radius of every unit vector.

Public geometry: nothing here knows a record. The learner of Le Nguyen, Ullman and Zakynthinou (PRIVACY.md 7)
chooses from a net of the ball of radius gamma/10. Its proof uses the net once: some candidate lies within
gamma/10 of the unit vector w*_A. So a net of the sphere is enough. The norm of a candidate is nowhere used:
the margin step is y<c, x> >= y<w*_A, x> - |c - w*_A| |x|, the selection counts candidates only, and the
error outside the sample depends on signs.

Construction, by latitudes. Write a unit vector of R^m as (cos(phi) u, sin(phi)), u a unit vector of
R^(m-1), phi in [-pi/2, pi/2]. Divide the latitudes into equal bands; the net has, for the middle phi_i of
each, the vectors (cos(phi_i) v, sin(phi_i)) for all v of a net of the smaller sphere. On the circle it has
equidistant points.

Covering. For |u - v| <= rho,

    |(cos(phi) u, sin(phi)) - (cos(phi_i) v, sin(phi_i))|^2
        = 2 - 2 cos(phi) cos(phi_i) <u, v> - 2 sin(phi) sin(phi_i)
        = 4 sin((phi - phi_i)/2)^2 + cos(phi) cos(phi_i) |u - v|^2 <= a^2 + c_i cos(phi_i) rho^2,

with a = 2 sin(pi/(4 bands)), as phi is within pi/(2 bands) of phi_i, and c_i the largest cosine in the band.
So rho^2 = (r^2 - a^2)/(c_i cos(phi_i)) gives radius r. One vector covers a sphere if r >= 2. With N points on
the circle none is further than pi/N from the next, a chord of 2 sin(pi/(2N)). The number of bands takes a^2
just below its share r^2/(m - 1): cells are then cubes, the largest with this diagonal.

Rounding. Radii are rounded down to 2^(level/256), so that few are different and sizes are quickly counted.
Coordinates are rounded to whole numbers of 1/UNIT, which moves a vector by at most sqrt(m)/(2 UNIT): the net
of real numbers is built for a radius smaller by that, and by 1e-9, which covers floating-point arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt

from discreet.errors import OptionError

UNIT = 2**16
"""What a 1 is in the coordinates of a candidate. Inner products with records of norm 2^14 fit 32 bits."""

MARGIN_SHARE = Fraction(1, 10)
"""A record counts as an error below this share of the margin; the paper's radius is the same share."""

_FINENESS = 256
_ARITHMETIC = 1e-9

Candidates = npt.NDArray[np.int32]
"""[candidate, coordinate], in units of 1/UNIT; their order is fixed and public."""


@dataclass(frozen=True)
class Net:
    """A net of the unit sphere, counted before it is built.

    Parameters
    ----------
    dimension : int
        Of the vectors; at least 2.
    radius : float
        Every unit vector is within this distance of a candidate, as a candidate over UNIT is rounded.

    Examples
    --------
    >>> net = Net(dimension=3, radius=0.1)
    >>> net.size, net.candidates().shape
    (666, (666, 3))
    """

    dimension: int
    radius: float

    def __post_init__(self) -> None:
        if isinstance(self.dimension, bool) or not isinstance(self.dimension, int) or self.dimension < 2:
            raise OptionError("dimension must be a whole number of at least 2")
        if not 2.0**-10 < self._exact_radius < math.inf:
            raise OptionError(
                "radius must be above 0.001, and finite: a finer net is beyond the step of its coordinates"
            )

    @property
    def size(self) -> int:
        """The exact number of candidates."""
        return _size(self.dimension, _level(self._exact_radius))

    def check_size(self, max_candidates: int) -> int:
        """Return the size, or refuse a net that is larger than the caller allows.

        From 3 dimensions on, a cap of chord r has at most the area of the flat ball of radius r, so any net
        has as many candidates as the sphere has such areas. That is computed first: in many dimensions even
        counting takes long.
        """
        n = self.dimension - 1
        # ln(sphere) - ln(ball): 2 pi^(m/2)/Gamma(m/2) over pi^(n/2)/Gamma(n/2 + 1) r^n.
        at_least = (
            math.log(2 * math.sqrt(math.pi))
            + math.lgamma(n / 2 + 1)
            - math.lgamma(self.dimension / 2)
            - n * math.log(self.radius)
        )
        if n > 1 and at_least > math.log(max_candidates) + _ARITHMETIC:
            size = f"at least 10^{at_least / math.log(10):.1f}"
        elif self.size > max_candidates:
            size = f"{self.size:,}"
        else:
            return self.size
        raise OptionError(
            f"a net of radius {self.radius:g} in {self.dimension} dimensions has {size} candidates, more "
            f"than max_candidates = {max_candidates:,}: allow more, project to fewer dimensions, or learn by "
            "descent"
        )

    def candidates(self) -> Candidates:
        """Build the net."""
        points = _points(self.dimension, _level(self._exact_radius))
        return np.rint(UNIT * points).astype(np.int32)

    @property
    def _exact_radius(self) -> float:
        return self.radius - math.sqrt(self.dimension) / (2 * UNIT) - _ARITHMETIC


def least_product(margin: float, norm: int) -> int:
    """Return the least inner product of a candidate and a record that counts as a margin.

    A record is an error of a candidate if y<w, x> < margin/10, both as real vectors. In units of 1/UNIT and
    1/norm the left side is a whole number, so that the right may be rounded up: nothing is lost.

    Parameters
    ----------
    margin : float
        The margin of the source, read as the exact binary fraction that it is.
    norm : int
        The length of a unit vector among the records.
    """
    return math.ceil(Fraction(margin) * MARGIN_SHARE * UNIT * norm)


def _level(radius: float) -> int:
    return min(math.floor(_FINENESS * math.log2(radius)), _FINENESS)


def _circle(radius: float) -> int:
    """Return the least number of equidistant points of the circle that leaves none further than this."""
    return math.ceil(math.pi / (2 * math.asin(radius / 2)))


def _bands(dimension: int, radius: float) -> Iterator[tuple[float, int]]:
    """Yield the middle latitude of each band, and the level of the radius of its smaller net."""
    share = radius / math.sqrt(dimension - 1)
    bands = math.ceil(math.pi / (4 * math.asin(share / 2)))
    left = radius**2 - (2 * math.sin(math.pi / (4 * bands))) ** 2
    for band in range(bands):
        low, high = (math.pi * (place / bands - 0.5) for place in (band, band + 1))
        middle = (low + high) / 2
        widest = 1.0 if low <= 0 <= high else max(math.cos(low), math.cos(high))
        yield middle, _level(math.sqrt(left / (widest * math.cos(middle))))


@cache
def _size(dimension: int, level: int) -> int:
    if level >= _FINENESS:
        return 1
    radius = 2.0 ** (level / _FINENESS)
    if dimension == 2:
        return _circle(radius)
    return sum(_size(dimension - 1, smaller) for _, smaller in _bands(dimension, radius))


def _points(dimension: int, level: int) -> npt.NDArray[np.float64]:
    if level >= _FINENESS:
        return np.eye(1, dimension)
    radius = 2.0 ** (level / _FINENESS)
    if dimension == 2:
        angles = 2 * np.pi / _circle(radius) * np.arange(_circle(radius))
        return np.stack([np.cos(angles), np.sin(angles)], axis=1)
    parts = []
    for middle, smaller in _bands(dimension, radius):
        inner = _points(dimension - 1, smaller)
        height = np.full((len(inner), 1), math.sin(middle))
        parts.append(np.concatenate([math.cos(middle) * inner, height], axis=1))
    return np.concatenate(parts)
