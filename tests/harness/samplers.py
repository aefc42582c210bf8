"""Samplers as used: do they draw what the proofs assume, and does nothing make them draw it again?"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
from scipy import stats

from discreet.mechanisms.claims import Noise
from discreet.mechanisms.release import Sampler
from discreet.mechanisms.selection import OpenDPSampler
from discreet.testing import selection_probabilities

DRAWS = 100_000
FALSE_ALARM = 1e-7
"""The probability of rejecting the true scale; every candidate is drawn some 3,000 times at least."""

GAPS = np.array([0.0, -2.0, -2.0, -2.0, -3.0])
"""Scores in scales: every candidate is drawn often, and how often depends on the scale."""

SCALES = (20.0, 1e3, 2.0**22 / 0.37, 1e9, 1e15)


@dataclass(frozen=True)
class Draws:
    """How often each candidate was drawn at a scale."""

    scores: np.ndarray
    noise: Noise
    counts: np.ndarray

    @classmethod
    def of(cls, sampler: Sampler, noise: Noise, scale: float, size: int = DRAWS) -> Draws:
        scores = np.rint(GAPS * scale).astype(np.int64)
        drawn = [sampler.select(scores, noise, scale) for _ in range(size)]
        return cls(scores, noise, np.bincount(drawn, minlength=len(GAPS)))

    def accept(self, scale: float) -> bool:
        """Test whether the draws may come from noise of this scale."""
        expected = self.counts.sum() * selection_probabilities(self.scores, self.noise, scale)
        return bool(stats.chisquare(self.counts, expected).pvalue > FALSE_ALARM)


VECTOR_SCALES = [float(f"{scale:.4g}") for scale in np.geomspace(20, 2.0**54, 20)]
"""From where a rounded normal and the discrete Gaussian differ by 2e-4 in variance to what plans allow."""


@dataclass(frozen=True)
class VectorDraws:
    """Noise on coordinates that are as large as sums of records get."""

    noise: np.ndarray

    @classmethod
    def of(cls, sampler: Sampler, scale: float, size: int, length: int = 1000) -> VectorDraws:
        values = np.resize(np.array([0, 2**61, -(2**61), 12345], dtype=np.int64), length)
        drawn = [sampler.vector(values, "gaussian", scale) - values for _ in range(size // length)]
        return cls(np.concatenate(drawn).astype(np.float64))

    def accept(self, scale: float) -> bool:
        """Test whether this may be Gaussian noise of this scale: its squares, its mean, and its shape."""
        size, scaled = len(self.noise), self.noise / scale
        squares = float((scaled**2).sum())
        tails = 2 * min(stats.chi2.cdf(squares, size), stats.chi2.sf(squares, size))
        mean = 2 * stats.norm.sf(abs(scaled.mean()) * np.sqrt(size))
        cuts = np.floor(stats.norm.ppf(np.arange(1, 20) / 20) * scale) + 0.5
        expected = size * np.diff(stats.norm.cdf(cuts / scale), prepend=0, append=1)
        counts = np.histogram(self.noise, [-np.inf, *cuts, np.inf])[0]
        shape = stats.chisquare(counts, expected).pvalue
        return bool(min(tails, mean, shape) > FALSE_ALARM / 3)


ALIKE = np.zeros(64, dtype=np.int64)


def six_bits_forty_times(noise: Noise) -> tuple[int, ...]:
    """Draw 40 times among 64 equal candidates; two such runs agree with probability 2^-240."""
    np.random.seed(0)
    return tuple(OpenDPSampler().select(ALIKE, noise, 1.0) for _ in range(40))


def runs_in_children(noise: Noise, start: str, children: int) -> list[tuple[int, ...]]:
    """Return such a run from each of some processes, all started from one that has drawn before."""
    if start == "fork":
        return [_forked(lambda: six_bits_forty_times(noise)) for _ in range(children)]
    with ProcessPoolExecutor(children, mp_context=multiprocessing.get_context(start)) as pool:
        return list(pool.map(six_bits_forty_times, [noise] * children))


def _forked(work: Callable[[], tuple[int, ...]]) -> tuple[int, ...]:
    """Run in a child that is a copy of this process, generator states and all."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, bytes(work()))
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        found = tuple(pipe.read())
    os.waitpid(child, 0)
    return found
