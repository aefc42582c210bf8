"""The exact distribution of a released labelling, for the enumeration that checks its claim.

The real oracle is asked for the least errors of each labelling, by costs that outweigh all records. Given
those, which labelling is cheapest depends on the noise alone, and its probability is a sum over a grid of
noise vectors. For small costs, among which are ties of every kind, the oracle itself is asked which labelling
it returns. What lies outside of the grid is counted at its ends; docs/proofs/enumeration.md bounds what that
does.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from discreet.mechanisms.release import Minimise

MOST_LABELLED = 4
MOST_NOISE_VECTORS = 2**24
MOST_SCALES = 500
OUTSIDE = 1e-13
"""The part of any probability that may lie outside of the grid."""

_FORCING = 2**41
"""Outweighs the errors of any table."""

_NEAR = {1: 8, 2: 6, 3: 2, 4: 1}
"""The oracle is asked about costs up to here, for so many points."""

Answers = tuple[tuple[tuple[int, ...], int], ...]
"""Costs, and the place of the labelling that the oracle returns for them."""


def labellings(n_points: int) -> npt.NDArray[np.int8]:
    """List all labellings of some points in lexicographic order, [labelling, point]."""
    numbers = np.arange(2**n_points)[:, None]
    return (numbers >> np.arange(n_points)[::-1] & 1).astype(np.int8)


def least_errors(minimise: Minimise, n_points: int) -> dict[int, int]:
    """Return the least errors of each labelling that a class attains, by its place among all."""
    found: dict[int, int] = {}
    for place, labelling in enumerate(labellings(n_points)):
        cheapest = minimise(np.where(labelling == 1, -_FORCING, _FORCING))
        if (cheapest.labels == labelling).all():
            found[place] = cheapest.objective + _FORCING * int(labelling.sum())
    return found


def answers_near(minimise: Minimise, n_points: int) -> Answers:
    """Ask the oracle about small costs."""
    near = range(-_NEAR[n_points], _NEAR[n_points] + 1)
    binary = 2 ** np.arange(n_points)[::-1]
    return tuple(
        (costs, int(minimise(np.array(costs)).labels @ binary))
        for costs in itertools.product(near, repeat=n_points)
    )


def labelling_probabilities(
    errors: dict[int, int], n_points: int, scale: float, answers: Answers = ()
) -> npt.NDArray[np.float64]:
    """Return the probability that each labelling is the cheapest under discrete Laplace costs.

    Parameters
    ----------
    errors : dict
        The least errors of each labelling, by its place.
    n_points : int
        How many points there are.
    scale : float
        That of the costs.
    answers : tuple
        What the oracle returned for some costs; for others, the first of the cheapest labellings.

    Raises
    ------
    ValueError
        There are more points, or noise is larger, than fits the grid.
    """
    least = min(errors.values())
    normal = tuple((place, e - least) for place, e in errors.items())
    return _probabilities(normal, n_points, scale, answers)


@lru_cache(maxsize=2**12)
def _probabilities(
    errors: tuple[tuple[int, int], ...], n_points: int, scale: float, answers: Answers
) -> npt.NDArray[np.float64]:
    reach = _reach(max(e for _, e in errors), n_points, scale)
    if n_points > MOST_LABELLED or (2 * reach + 1) ** n_points > MOST_NOISE_VECTORS:
        raise ValueError("the noise of so many labels does not fit a grid")
    if reach > MOST_SCALES * scale:
        raise ValueError("the error is proven for errors that are not too many scales apart")
    noise = np.arange(-reach, reach + 1)
    all_labels = labellings(n_points)
    shape = (len(noise),) * n_points
    cheapest, chosen = np.full(shape, np.iinfo(np.int64).max), np.empty(shape, dtype=np.int16)
    for place, e in errors:
        costs = np.full(shape, e)
        for point in np.flatnonzero(all_labels[place]):
            costs += noise.reshape([-1 if axis == point else 1 for axis in range(n_points)])
        # Strictly: of several labellings the first.
        better = costs < cheapest
        cheapest[better], chosen[better] = costs[better], place
    for costs_asked, place in answers:
        if max(map(abs, costs_asked)) > reach:
            continue
        chosen[tuple(reach + cost for cost in costs_asked)] = place
    share = _shares(noise, scale)
    weights = np.ones(())
    for _ in range(n_points):
        weights = np.multiply.outer(weights, share)
    return np.array([weights[chosen == place].sum() for place in range(len(all_labels))])


def _reach(errors: int, n_points: int, scale: float) -> int:
    """Return how far the grid goes: noise beyond it has at most the share ``OUTSIDE`` of any probability."""
    return math.ceil(scale * math.log(2 * n_points * 2**n_points / OUTSIDE)) + n_points * (errors + 1)


def _shares(noise: npt.NDArray[np.int64], scale: float) -> npt.NDArray[np.float64]:
    """Return the probabilities of discrete Laplace noise, that beyond an end counted at the end."""
    ratio = math.exp(-1 / scale)
    shares = -math.expm1(-1 / scale) / (1 + ratio) * np.exp(-np.abs(noise) / scale)
    shares[[0, -1]] = math.exp(-noise[-1] / scale) / (1 + ratio)
    return np.asarray(shares, dtype=np.float64)
