"""The norm in which the leader is stable, from public points alone, and what a record is in it.

Public points have vectors x of the feature map. Their second moments, plus a ridge on the diagonal, make the
norm
|f|_m^2 = mean of f(Z_i)^2 + ridge |w|^2 of a linear function f(x) = <w, x>. `PublicGeometry` turns the axes
so that this norm is a sum of squares, and a record's vector into an integer vector V of norm at most
``NORM``, f(x) = <c, V / NORM>. With leverage clipping all axes are scaled alike, to 1/``leverage``, and V is
shortened where f(x) could exceed ``leverage`` |f|_m; without it the axes keep their lengths and nothing needs
to be shortened but for rounding.

A record's V is a function of the record and of public numbers, in exact integers: no other record can move
it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discreet.boosting.features import NORM, Vectors, shortened
from discreet.errors import PlanError

_AXIS_BITS = 20
# Floats hold integers below 2^53 exactly, and a vector that is to be shortened fits 30 bits.
_WIDEST = 2**30
_BLOCK = 2**14


@dataclass(frozen=True, eq=False)
class PublicGeometry:
    """Axes in which the norm of the public points is a sum of squares.

    Parameters
    ----------
    axes : array of int64, [coordinate, feature]
        A record's V is ``axes`` times its vector, in steps of 2^-20.
    lengths : array of float
        The norm of the k-th axis' function: |f|_m^2 = sum_k (lengths_k c_k)^2.
    leverage : float or None
        |f(x)| is at most this times |f|_m; None if it was left alone.
    typical : float
        The root of the mean squared leverage of the public points, clipped.
    ridge : float
        What was added to the diagonal of the second moments.
    n_points : int
        How many public points there are.
    """

    axes: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.float64]
    leverage: float | None
    typical: float
    ridge: float
    n_points: int

    @classmethod
    def of(cls, points: Vectors, ridge: float, clipping: bool) -> PublicGeometry:
        """Read the axes off public points.

        Parameters
        ----------
        points : array of int16
            Their vectors.
        ridge : float
            What is added to the diagonal of their second moments; above 0.
        clipping : bool
            Whether to clip leverages, at their median.
        """
        unit = points.astype(np.float64) / NORM
        moments = unit.T @ unit / len(unit) + ridge * np.eye(unit.shape[1])
        squares, turned = np.linalg.eigh(moments)
        lengths = np.sqrt(np.maximum(squares, ridge))
        leverages = np.linalg.norm(unit @ (turned / lengths), axis=1)
        leverage = float(np.median(leverages)) if clipping else None
        rows = turned.T
        if leverage is not None:
            rows = rows / lengths[:, None] / leverage
            lengths = np.full(len(lengths), 1 / leverage)
            leverages = np.minimum(leverages, leverage)
        typical = float(np.sqrt((leverages**2).mean()))
        return cls(_whole(rows), lengths, leverage, typical, ridge, len(unit))

    def records(self, vectors: Vectors) -> Vectors:
        """Return the V of each record's vector."""
        axes = self.axes.astype(np.float64).T
        records = np.empty((len(vectors), len(self.axes)), dtype=np.int16)
        # At least one block, so that the path is that of a table with records.
        for start in range(0, max(len(vectors), 1), _BLOCK):
            block = vectors[start : start + _BLOCK].astype(np.float64)
            # By Cauchy's inequality every partial sum is an integer below 2^50: exact in whatever order.
            turned = (block @ axes).astype(np.int64) >> _AXIS_BITS
            records[start : start + _BLOCK] = shortened(turned)
        return records

    def coefficients(self, point: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return w with f(x) = <w, x> for the function of this point."""
        return np.asarray(point @ self.axes / 2.0**_AXIS_BITS)


def _whole(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Round the axes to integers with which inner products are exact in floats."""
    longest = float(np.linalg.norm(rows, axis=1).max()) + 1
    if not longest * NORM < _WIDEST:
        raise PlanError("the public points are too much alike for so small a ridge; raise it")
    return np.rint(rows * 2.0**_AXIS_BITS).astype(np.int64)
