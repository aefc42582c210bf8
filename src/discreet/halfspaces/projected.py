"""The model: weights of components and a seed, which together are a halfspace of the columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from discreet.engines.projection import Projection
from discreet.errors import ModelFileError
from discreet.halfspaces.matrices import Projection as Matrix
from discreet.halfspaces.matrices import SignMatrix
from discreet.schema.points import Points


@dataclass(frozen=True)
class ProjectedHalfspace:
    """A halfspace in a projection, which is one of the columns as well: w R.

    Parameters
    ----------
    weights : tuple of int
        One a component.
    n_features : int
        How many columns there are.
    projection : {"dense", "sparse"} or None
        The kind of matrix; None if the components are the columns.
    seed : int
        Of the matrix.
    intercept : bool
        Whether rows are lifted by a constant, which is then the last column.
    checksum : str or None
        Of the matrix.
    """

    weights: tuple[int, ...]
    n_features: int
    projection: Matrix | None
    seed: int
    intercept: bool
    checksum: str | None

    @cached_property
    def coefficients(self) -> npt.NDArray[np.float64]:
        """One a column, the intercept's last, together of norm 1.

        Raises
        ------
        ModelFileError
            The matrix that the seed gives here is not the one that the model was learned with.
        """
        projection, checksum = projection_of(
            self.projection, len(self.weights), self.n_features, self.seed, self.intercept
        )
        if checksum != self.checksum:
            raise ModelFileError(
                "the random matrix of the model comes out differently here; its predictions would be wrong"
            )
        exact = projection.coefficients(np.array(self.weights, dtype=np.int64)).astype(np.float64)
        norm = math.sqrt(math.fsum(exact * exact))
        return exact / norm if norm > 0 else exact

    def scores(self, points: Points) -> npt.NDArray[np.float64]:
        """Return the signed distance of each row, brought to norm 1, from the hyperplane."""
        unprojected = Projection(self.n_features, len(self.weights), self.intercept)
        return unprojected.scores(points, self.coefficients)


def projection_of(
    matrix: Matrix | None, n_components: int, n_features: int, seed: int, intercept: bool
) -> tuple[Projection, str | None]:
    """Return the map of rows that a seed gives, and the checksum of its matrix."""
    if matrix is None:
        return Projection(n_features, n_components, intercept), None
    signs = SignMatrix.of(matrix, n_components, n_features + intercept, seed)
    return (
        Projection(n_features, n_components, intercept, signs.negative, signs.present),
        signs.checksum,
    )
