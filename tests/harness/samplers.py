"""Samplers as used: do they draw what the proofs assume, and does nothing make them draw it again?"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
from scipy import stats

from discreet.mechanisms.claims import NOISE, Noise
from discreet.mechanisms.release import Sampler
from discreet.mechanisms.selection import OpenDPSampler
from discreet.testing import selection_probabilities, stopping_probabilities

SELECTION_NOISES: tuple[Noise, ...] = tuple(
    dict.fromkeys(noise for (kind, _), noise in NOISE.items() if kind == "selection")
)

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


STOPPING_QUERIES = np.array([-2.0, -0.5, 0.5])
"""In scales of the noise on the threshold: each may be the first that is answered with yes, or none."""


def stops(sampler: Sampler, scale: float, size: int) -> np.ndarray:
    """Count the runs of AboveThreshold that end at each query, and those that end at none."""
    queries = np.rint(STOPPING_QUERIES * scale).astype(np.int64).tolist()

    def end() -> int:
        test = sampler.threshold_test(scale)
        return next((place for place, query in enumerate(queries) if test.above(query)), len(queries))

    return np.bincount([end() for _ in range(size)], minlength=len(queries) + 1)


def stop_shares(scale: float, queries_at: float) -> np.ndarray:
    """Return the probability of each end of a run, at a scale, for the queries that belong to another."""
    queries = np.rint(STOPPING_QUERIES * queries_at).astype(np.int64).tolist()
    left, shares = 1.0, []
    for place in range(len(queries)):
        no, yes = stopping_probabilities(queries[: place + 1], scale)
        shares.append(left * yes)
        left *= no
    return np.array([*shares, left])


def stops_as_at(scale: float, queries_at: float, counts: np.ndarray) -> bool:
    """Test whether the ends of runs may come from noise of a scale."""
    return bool(stats.chisquare(counts, counts.sum() * stop_shares(scale, queries_at)).pvalue > FALSE_ALARM)


LAPLACE_SCALES = tuple(float(scale) for scale in np.geomspace(0.4, 2.0**56, 20))


def laplace_ends(scale: float) -> np.ndarray:
    """Return sizes that divide the draws of a scale into up to eight parts, nearly equal."""
    return np.unique(np.floor(-scale * np.log(1 - np.arange(1, 8) / 8)))


def laplace_shares(scale: float, ends: np.ndarray) -> np.ndarray:
    """Return the probabilities of the classes between ``ends``, on both sides, for discrete Laplace draws."""
    # P(x > m) = a^(m + 1) / (1 + a) for m >= 0, and as much on the other side.
    beyond = np.exp(-(ends + 1) / scale) / (1 + np.exp(-1 / scale))
    one_side = -np.diff(beyond, append=0.0)
    return np.concatenate([one_side[::-1], [1 - 2 * beyond[0]], one_side])


def laplace_as_at(scale: float, draws: np.ndarray) -> bool:
    """Test whether integers may be discrete Laplace draws of a scale."""
    ends = laplace_ends(scale)
    shares = laplace_shares(scale, ends)
    place = np.sign(draws).astype(np.int64) * np.searchsorted(ends, np.abs(draws))
    counts = np.bincount(place + len(ends), minlength=len(shares))
    return bool(stats.chisquare(counts, counts.sum() * shares / shares.sum()).pvalue > FALSE_ALARM)


def laplace_vectors(sampler: Sampler, scale: float, size: int, length: int = 1000) -> np.ndarray:
    """Draw Laplace noise on coordinates that are as large as those of a leader get."""
    values = np.resize(np.array([0, 2**61, -(2**61), 12345], dtype=np.int64), length)
    drawn = [sampler.vector(values, "laplace", scale) - values for _ in range(size // length)]
    return np.concatenate(drawn).astype(np.float64)


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
