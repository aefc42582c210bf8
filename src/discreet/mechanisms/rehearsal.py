"""Samplers without a guarantee: seeded for tests and benchmarks, replay and enumeration for proofs.

Each says in ``reason`` why a model made with it protects nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from discreet.mechanisms.claims import Noise
from discreet.mechanisms.release import Sampler, Scores, Vector

MOST_CANDIDATES = 16
MOST_SCALES = 500
PROBABILITY_ERROR = 5e-12
"""Relative error of ``selection_probabilities`` within these limits (docs/proofs/enumeration.md)."""


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

    def vector(self, values: Vector, noise: Noise, scale: float) -> Vector:
        """Draw a noisy vector: a rounded normal, whose variance is 1/12 above the discrete Gaussian's."""
        return values + np.rint(self._generator.normal(scale=scale, size=values.shape)).astype(np.int64)


class Asked(NamedTuple):
    """One question to a sampler; ``scores`` is the vector, where Gaussian noise is asked for."""

    scores: Scores | Vector
    noise: Noise
    scale: float


class ReplaySampler:
    """Returns outcomes that were fixed beforehand, and keeps what it was asked in ``asked``."""

    reason: str | None = "replayed outcomes"

    def __init__(self, outcomes: Iterable[int | Vector]) -> None:
        self._outcomes = iter(outcomes)
        self.asked: list[Asked] = []

    def select(self, scores: Scores, noise: Noise, scale: float) -> int:
        """Return the next outcome."""
        self.asked.append(Asked(scores.copy(), noise, scale))
        return int(next(self._outcomes))

    def vector(self, values: Vector, noise: Noise, scale: float) -> Vector:
        """Return the next outcome."""
        self.asked.append(Asked(values.copy(), noise, scale))
        return np.array(next(self._outcomes), dtype=np.int64)


class _Undecided(BaseException):
    """Carries a question out of a run that was not told the answer.

    Not an ``Exception``, so that no procedure under test can catch it.
    """

    def __init__(self, asked: Asked) -> None:
        self.asked = asked


class _PathSampler:
    reason: str | None = "enumerated outcomes"

    def __init__(self, path: Sequence[int]) -> None:
        self._path = iter(path)

    def select(self, scores: Scores, noise: Noise, scale: float) -> int:
        for outcome in self._path:
            return outcome
        raise _Undecided(Asked(scores, noise, scale))

    def vector(self, values: Vector, noise: Noise, scale: float) -> Vector:
        raise TypeError("a vector has too many outcomes to list; replay it instead")


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
        try:
            result = run(_PathSampler(path))
        except _Undecided as undecided:
            for outcome, share in enumerate(selection_probabilities(*undecided.asked)):
                open_paths.append(((*path, outcome), probability * float(share)))
            continue
        except Exception as error:
            result = Raised(type(error).__name__, str(error))
        finished[path, result] = probability
    return finished


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
    nodes, node_weights = np.polynomial.legendre.leggauss(len(p) // 2 + 1)
    times = (nodes + 1) / 2
    declined = 1 - times[:, None] * p[None, :]
    others = np.stack([np.delete(declined, i, axis=1).prod(axis=1) for i in range(len(p))], axis=1)
    return np.asarray(p * ((node_weights / 2) @ others), dtype=np.float64)
