"""Samplers without a guarantee: seeded for tests and benchmarks, replay and enumeration for proofs.

Each says in ``reason`` why a model made with it protects nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from discreet.mechanisms.claims import Noise
from discreet.mechanisms.release import Scores


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


class ReplaySampler:
    """Returns outcomes that were fixed beforehand, and keeps the scores that it was shown."""

    reason: str | None = "replayed outcomes"

    def __init__(self, outcomes: Sequence[int]) -> None:
        self._outcomes = iter(outcomes)
        self.seen: list[Scores] = []

    def select(self, scores: Scores, noise: Noise, scale: float) -> int:
        """Return the next outcome."""
        self.seen.append(scores.copy())
        return next(self._outcomes)


class _Undecided(Exception):
    """Carries the distribution of the next outcome out of a run that was not told it."""

    def __init__(self, probabilities: npt.NDArray[np.float64]) -> None:
        self.probabilities = probabilities


class _PathSampler:
    reason: str | None = "enumerated outcomes"

    def __init__(self, path: Sequence[int]) -> None:
        self._path = iter(path)

    def select(self, scores: Scores, noise: Noise, scale: float) -> int:
        for outcome in self._path:
            return outcome
        raise _Undecided(selection_probabilities(scores, noise, scale))


def enumerate_outcomes(run: Callable[[_PathSampler], object]) -> dict[tuple[int, ...], float]:
    """Return the probability of every sequence of releases that ``run`` can make.

    Parameters
    ----------
    run : callable
        Takes a sampler and performs the whole procedure with it; called once for every prefix of every
        sequence of outcomes.
    """
    finished: dict[tuple[int, ...], float] = {}
    open_paths: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while open_paths:
        path, probability = open_paths.pop()
        try:
            run(_PathSampler(path))
        except _Undecided as undecided:
            for outcome, share in enumerate(undecided.probabilities):
                open_paths.append(((*path, outcome), probability * float(share)))
        else:
            finished[path] = probability
    return finished


def selection_probabilities(scores: Scores, noise: Noise, scale: float) -> npt.NDArray[np.float64]:
    """Return the exact distribution of a noisy maximum, up to floating-point rounding.

    Gumbel noise gives the exponential mechanism. Exponential noise gives permute-and-flip (McKenna,
    Sheldon 2020): in a random order, candidate j is accepted with p_j = exp((q_j - max q)/scale). With t
    the uniform arrival time of candidate i, all earlier ones must have been declined, so
    P(i) = p_i * integral over [0, 1] of the product over j != i of (1 - t p_j): a polynomial.
    """
    p = np.exp((scores - scores.max()) / scale)
    if noise == "gumbel":
        return np.asarray(p / p.sum(), dtype=np.float64)
    # Gauss-Legendre with k nodes integrates polynomials of degree 2k - 1 exactly.
    nodes, node_weights = np.polynomial.legendre.leggauss(len(p) // 2 + 1)
    times = (nodes + 1) / 2
    declined = 1 - times[:, None] * p[None, :]
    others = np.stack([np.delete(declined, i, axis=1).prod(axis=1) for i in range(len(p))], axis=1)
    return np.asarray(p * ((node_weights / 2) @ others), dtype=np.float64)
