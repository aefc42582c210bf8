"""Samplers without a guarantee: seeded for tests and benchmarks, replay and enumeration for proofs.

Each says in ``reason`` why a model made with it protects nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from discreet.mechanisms.above_threshold import AboveThreshold
from discreet.mechanisms.claims import Noise
from discreet.mechanisms.labelling_probabilities import (
    answers_near,
    labelling_probabilities,
    labellings,
    least_errors,
)
from discreet.mechanisms.labels import clipped
from discreet.mechanisms.perturbations import PERTURBATION_SCALE
from discreet.mechanisms.release import Minimise, Sampler, Scores, ThresholdTest, Vector
from discreet.mechanisms.stopping_probabilities import stopping_probabilities

MOST_CANDIDATES = 16
MOST_SCALES = 500
PROBABILITY_ERROR = 5e-12
"""Relative error of the probabilities of one release within these limits (docs/proofs/enumeration.md)."""


class SeededSampler:
    """The same distributions from a seeded generator, in floating point."""

    reason: str | None = "seeded noise"

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def select(self, scores: Scores, noise: Noise, scale: float) -> int:
        """Draw the index of a candidate."""
        draw = self._generator.exponential if noise == "exponential" else self._generator.gumbel
        # Differences of integers are exact; a float64 of a large score need not be.
        return int(np.argmax((scores - scores.max()) + draw(scale=scale, size=scores.shape)))

    def threshold_test(self, scale: float) -> ThresholdTest:
        """Begin a run of AboveThreshold."""
        return AboveThreshold(self._laplace, scale)

    def draw(self, ends: npt.NDArray[np.int64]) -> int:
        """Draw a place."""
        return int(np.searchsorted(ends, self._generator.integers(ends[-1]), side="right"))

    def _laplace(self, scale: float) -> int:
        """Draw discrete Laplace noise: the difference of two geometric draws."""
        up, down = np.floor(self._generator.exponential(scale, 2))
        return int(up) - int(down)

    def vector(self, values: Vector, noise: Noise, scale: float) -> Vector:
        """Draw a noisy vector: rounded normals have a variance 1/12 above the discrete Gaussian's."""
        if noise == "laplace":
            up, down = np.floor(self._generator.exponential(scale, (2, *values.shape))).astype(np.int64)
            return np.asarray(values + up - down)
        return values + np.rint(self._generator.normal(scale=scale, size=values.shape)).astype(np.int64)

    def labels(self, minimise: Minimise, n_points: int, scale: float) -> npt.NDArray[np.int8]:
        """Draw costs, and return the cheapest labelling."""
        return minimise(clipped([self._laplace(scale) for _ in range(n_points)])).labels

    def perturbations(self, n_runs: int, n_points: int) -> npt.NDArray[np.int64]:
        """Draw costs: rounded normals."""
        drawn = self._generator.normal(scale=PERTURBATION_SCALE, size=(n_runs, n_points))
        return np.rint(drawn).astype(np.int64)


class Asked(NamedTuple):
    """One question to a sampler: scores; all queries of a threshold test up to this one; or a vector.

    For labels, ``scores`` are the least errors of every labelling that the class attains.
    """

    scores: Scores | Vector
    noise: Noise
    scale: float
    n_points: int = 0


class ReplaySampler:
    """Returns outcomes that were fixed beforehand, and keeps what it was asked in ``asked``."""

    reason: str | None = "replayed outcomes"

    def __init__(self, outcomes: Iterable[int | Vector]) -> None:
        self._outcomes = iter(outcomes)
        self.asked: list[Asked] = []

    def select(self, scores: Scores, noise: Noise, scale: float) -> int:
        """Return the next outcome."""
        return self._next(Asked(scores.copy(), noise, scale))

    def threshold_test(self, scale: float) -> ThresholdTest:
        """Begin a run whose answers are the next outcomes: 0 for no, 1 for yes."""
        return _Answered(self._next, scale)

    def draw(self, ends: npt.NDArray[np.int64]) -> int:
        """Return the next outcome."""
        return int(next(self._outcomes))

    def vector(self, values: Vector, noise: Noise, scale: float) -> Vector:
        """Return the next outcome."""
        self.asked.append(Asked(values.copy(), noise, scale))
        return np.array(next(self._outcomes), dtype=np.int64)

    def labels(self, minimise: Minimise, n_points: int, scale: float) -> npt.NDArray[np.int8]:
        """Return the next outcome."""
        errors = np.array(list(least_errors(minimise, n_points).values()), dtype=np.int64)
        self.asked.append(Asked(errors, "laplace", scale, n_points))
        return np.array(next(self._outcomes), dtype=np.int8)

    def perturbations(self, n_runs: int, n_points: int) -> npt.NDArray[np.int64]:
        """Return the next outcome."""
        return np.array(next(self._outcomes), dtype=np.int64)

    def _next(self, asked: Asked) -> int:
        self.asked.append(asked)
        return int(next(self._outcomes))


class _Answered:
    """A threshold test whose answers come from somewhere else, which sees the queries so far."""

    def __init__(self, answer: Callable[[Asked], int], scale: float) -> None:
        self._answer = answer
        self._scale = scale
        self._queries: list[int] = []

    def above(self, value: int) -> bool:
        self._queries.append(value)
        return bool(self._answer(Asked(np.array(self._queries, dtype=np.int64), "laplace", self._scale)))


class _Undecided(BaseException):
    """Carries the distribution of an answer out of a run that was not told the answer.

    Not an ``Exception``, so that no procedure under test can catch it.
    """

    def __init__(self, probabilities: Callable[[], npt.NDArray[np.float64]]) -> None:
        self.probabilities = probabilities


class _PathSampler:
    reason: str | None = "enumerated outcomes"

    def __init__(self, path: Sequence[int]) -> None:
        self._path = iter(path)
        self.released: list[int] = []

    def select(self, scores: Scores, noise: Noise, scale: float) -> int:
        return self._next(Asked(scores, noise, scale))

    def threshold_test(self, scale: float) -> ThresholdTest:
        return _Answered(self._next, scale)

    def draw(self, ends: npt.NDArray[np.int64]) -> int:
        return self._told(lambda: np.diff(ends, prepend=0) / ends[-1])

    def _next(self, asked: Asked) -> int:
        self.released.append(self._told(lambda: _probabilities(asked)))
        return self.released[-1]

    def _told(self, probabilities: Callable[[], npt.NDArray[np.float64]]) -> int:
        for outcome in self._path:
            return outcome
        raise _Undecided(probabilities)

    def vector(self, values: Vector, noise: Noise, scale: float) -> Vector:
        raise TypeError("a vector has too many outcomes to list; replay it instead")

    def perturbations(self, n_runs: int, n_points: int) -> npt.NDArray[np.int64]:
        raise TypeError("perturbations have too many values to list; replay them instead")

    def labels(self, minimise: Minimise, n_points: int, scale: float) -> npt.NDArray[np.int8]:
        def probabilities() -> npt.NDArray[np.float64]:
            errors, answers = least_errors(minimise, n_points), answers_near(minimise, n_points)
            return labelling_probabilities(errors, n_points, scale, answers)

        self.released.append(self._told(probabilities))
        chosen: npt.NDArray[np.int8] = labellings(n_points)[self.released[-1]]
        return chosen


@dataclass(frozen=True)
class Raised:
    """An exception, as an outsider sees it: an output like any other."""

    kind: str
    text: str


Outcome: TypeAlias = tuple[tuple[int, ...], Hashable]
"""What was released, in order; and what the run returned, or the exception that ended it."""


def enumerate_outcomes(run: Callable[[Sampler], Hashable]) -> dict[Outcome, float]:
    """Return the probability of everything that ``run`` can put out.

    Parameters
    ----------
    run : callable
        Takes a sampler and performs the whole procedure with it; called once for every prefix of every
        sequence of releases. What it returns counts as an output beside the releases, and so does an
        exception: neither may tell more about the records than the releases do.
    """
    finished: dict[Outcome, float] = {}
    open_paths: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while open_paths:
        path, probability = open_paths.pop()
        sampler = _PathSampler(path)
        try:
            result = run(sampler)
        except _Undecided as undecided:
            for outcome, share in enumerate(undecided.probabilities()):
                if share > 0:
                    open_paths.append(((*path, outcome), probability * float(share)))
            continue
        except Exception as error:
            result = Raised(type(error).__name__, str(error))
        # Secret draws are summed over: paths that release and return the same are one output.
        output = tuple(sampler.released), result
        finished[output] = finished.get(output, 0.0) + probability
    return finished


def _probabilities(asked: Asked) -> npt.NDArray[np.float64]:
    """Return the distribution of the answer to a question."""
    if asked.noise == "laplace":
        return stopping_probabilities(asked.scores.tolist(), asked.scale)
    return selection_probabilities(asked.scores, asked.noise, asked.scale)


def selection_probabilities(scores: Scores, noise: Noise, scale: float) -> npt.NDArray[np.float64]:
    """Return the exact distribution of a noisy maximum, up to a relative ``PROBABILITY_ERROR``.

    Gumbel noise gives the exponential mechanism. Exponential noise gives permute-and-flip (McKenna,
    Sheldon 2020): in a random order, candidate j is accepted with p_j = exp((q_j - max q)/scale). With t
    the uniform arrival time of candidate i, all earlier ones must have been declined, so
    P(i) = p_i * integral over [0, 1] of the product over j != i of (1 - t p_j): a polynomial.

    Raises
    ------
    ValueError
        More than ``MOST_CANDIDATES`` candidates, or scores more than ``MOST_SCALES`` scales apart.
    """
    gaps = (scores - scores.max()) / scale
    if len(gaps) > MOST_CANDIDATES or gaps.min() < -MOST_SCALES:
        raise ValueError("the error is proven for few candidates and bounded gaps only")
    p = np.exp(gaps)
    if noise == "gumbel":
        return np.asarray(p / p.sum(), dtype=np.float64)
    # Gauss-Legendre with k nodes integrates polynomials of degree 2k - 1 exactly.
    nodes, node_weights = _gauss_legendre(len(p) // 2 + 1)
    times = (nodes + 1) / 2
    # [time, candidate, other]: what each candidate waits for, with 1 for itself.
    declined = np.repeat(1 - times[:, None, None] * p[None, None, :], len(p), axis=1)
    declined[:, np.arange(len(p)), np.arange(len(p))] = 1
    return np.asarray(p * ((node_weights / 2) @ declined.prod(axis=2)), dtype=np.float64)


_gauss_legendre = lru_cache(maxsize=None)(np.polynomial.legendre.leggauss)
"""An enumeration asks for the same few nodes a million times."""
