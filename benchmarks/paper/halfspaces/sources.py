"""Sources of records with a margin, in as many columns as one likes: what Theorem 2 of the paper learns from.

Every record x has norm 1, and a hidden unit vector w* has y<w*, x> >= margin on every record, y = 1 or -1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.special import betainc

Floats = npt.NDArray[np.floating]

_BLOCK_CELLS = 2**23
_MARGINS = 2000
N_TEST = 20_000


class Source(Protocol):
    """Draws records, and knows the error of a halfspace."""

    def draw(
        self, n: int, random: np.random.Generator
    ) -> tuple[Floats | sp.csr_array, npt.NDArray[np.int64]]:
        """Return records in rows, and labels 0 and 1."""
        ...

    def error(self, coefficients: Floats) -> float:
        """Return the probability that a halfspace through the origin gives a record the wrong label."""
        ...


@dataclass(frozen=True)
class SphereSource:
    """Records y (t w* + sqrt(1 - t^2) z), with z uniform on the unit vectors orthogonal to w*.

    Parameters
    ----------
    direction : array
        w*, of norm 1.
    margin : float
        gamma.
    spread : bool
        Whether the margin t of a record is uniform on [gamma, 1], rather than gamma on all.
    """

    direction: Floats = field(repr=False)
    margin: float
    spread: bool = False

    @classmethod
    def random(
        cls, n_features: int, margin: float, random: np.random.Generator, spread: bool = False
    ) -> SphereSource:
        """Hide a uniform direction."""
        direction = random.standard_normal(n_features)
        return cls(direction / np.linalg.norm(direction), margin, spread)

    def draw(self, n: int, random: np.random.Generator) -> tuple[Floats, npt.NDArray[np.int64]]:
        """Return dense records of 32-bit floats, made in blocks of rows, and labels."""
        w = self.direction.astype(np.float32)
        records = np.empty((n, len(w)), dtype=np.float32)
        y = random.integers(0, 2, n)
        margins = random.uniform(self.margin, 1, n) if self.spread else np.full(n, self.margin)
        rows = max(1, _BLOCK_CELLS // len(w))
        for start in range(0, n, rows):
            block, t = records[start : start + rows], margins[start : start + rows]
            random.standard_normal(out=block, dtype=np.float32)
            along = block @ w
            across = np.sqrt(np.einsum("ij,ij->i", block, block) - along**2)
            sign, factor = 2 * y[start : start + rows] - 1, np.sqrt(1 - t**2) / across
            block *= (sign * factor)[:, None].astype(np.float32)
            for row, amount in zip(block, sign * (t - factor * along), strict=True):
                row += np.float32(amount) * w
        return records, y

    def error(self, coefficients: Floats) -> float:
        """Return the error exactly; nothing is drawn.

        v = a w* + b u with u a unit vector orthogonal to w*. A record is on the wrong side if
        sqrt(1 - t^2) b <u, z> < -t a, and <u, z>^2 has the Beta distribution (1/2, (d - 2)/2).
        """
        if not coefficients.any():
            return 0.5
        a = float(coefficients @ self.direction)
        b = float(np.linalg.norm(coefficients - a * self.direction))
        middles = (np.arange(_MARGINS) + 0.5) / _MARGINS
        t = self.margin + (1 - self.margin) * middles if self.spread else np.array([self.margin])
        cut = np.clip(t * a / np.maximum(b * np.sqrt(1 - t**2), 1e-300), -1, 1)
        beyond = betainc((len(self.direction) - 2) / 2, 0.5, 1 - cut**2) / 2
        return float(np.where(cut < 0, 1 - beyond, beyond).mean())


@dataclass(frozen=True)
class PulledSource:
    """Records y (gamma w* + s p u + q e_j): seven in ten are pulled one way, s = 1, three the other, s = -1.

    w*, u and the e_j are columns, j uniform on the others; p^2 is 0.9 and q^2 0.1 of what gamma^2 leaves. The
    mean of y x points along u, and so has error 0.3: it takes a descent that looks again at the records that
    it gets wrong.

    Parameters
    ----------
    n_features : int
        The number of columns, at least 3.
    margin : float
        gamma.
    """

    n_features: int
    margin: float

    _AGAINST = 0.3

    @property
    def _parts(self) -> npt.NDArray[np.float64]:
        """gamma, p and q."""
        left = 1 - self.margin**2
        return np.array([self.margin, np.sqrt(0.9 * left), np.sqrt(0.1 * left)])

    def draw(self, n: int, random: np.random.Generator) -> tuple[sp.csr_array, npt.NDArray[np.int64]]:
        """Return sparse records with 3 non-zeros each, and labels."""
        y = random.integers(0, 2, n)
        pull = np.where(random.random(n) < self._AGAINST, -1, 1)
        own = random.integers(2, self.n_features, n)
        columns = np.column_stack([np.zeros(n, int), np.ones(n, int), own])
        values = (2 * y - 1)[:, None] * self._parts * np.column_stack([np.ones(n), pull, np.ones(n)])
        shape = n, self.n_features
        return sp.csr_array((values.ravel(), columns.ravel(), np.arange(0, 3 * n + 1, 3)), shape), y

    def error(self, coefficients: Floats) -> float:
        """Return the error exactly: a sum over both pulls and all columns. On the plane is wrong."""
        along, across, own = self._parts
        ahead = along * coefficients[0] + own * coefficients[2:]
        pulled, against = ((ahead + s * across * coefficients[1] <= 0).mean() for s in (1, -1))
        return float((1 - self._AGAINST) * pulled + self._AGAINST * against)


@dataclass(frozen=True)
class TextSource:
    """Texts of 100 different words: 25 of 50 that speak for the label, 5 of 50 against it, 70 others.

    w* is 1/10 or -1/10 on the 100 words that speak, so the margin is (25 - 5)/100 = 0.2 on every record. The
    other words: one from each of 70 ranges of columns whose widths grow geometrically. So a few words are in
    every text, and most in hardly any.

    Parameters
    ----------
    n_features : int
        The number of words of the language; at least 500.
    """

    n_features: int

    _SPEAKING, _FOR, _AGAINST, _OTHERS = 50, 25, 5, 70
    margin = 0.2

    def draw(self, n: int, random: np.random.Generator) -> tuple[sp.csr_array, npt.NDArray[np.int64]]:
        """Return sparse records with 100 non-zeros each, and labels."""
        y = random.integers(0, 2, n)
        chosen = random.random((2, n, self._SPEAKING)).argsort(axis=2)
        speak_for = chosen[0, :, : self._FOR] + (self._SPEAKING * y)[:, None]
        against = chosen[1, :, : self._AGAINST] + (self._SPEAKING * (1 - y))[:, None]
        edges = self._edges
        others = 2 * self._SPEAKING + random.integers(edges[:-1], edges[1:], (n, self._OTHERS))
        columns = np.sort(np.hstack([speak_for, against, others]), axis=1)
        words = columns.shape[1]
        shape = n, self.n_features
        values = np.full(columns.size, 1 / np.sqrt(words))
        return sp.csr_array((values, columns.ravel(), np.arange(0, columns.size + 1, words)), shape), y

    def error(self, coefficients: Floats) -> float:
        """Return the error on 20,000 texts that are always the same, and that no learner sees."""
        X, y = self.draw(N_TEST, np.random.default_rng(2**32 + self.n_features))
        return float(((X @ coefficients > 0) != y).mean())

    @property
    def _edges(self) -> npt.NDArray[np.int64]:
        """Where the ranges of the other words begin, and where the last ends."""
        left_over = self.n_features - 2 * self._SPEAKING - self._OTHERS
        steps = np.arange(self._OTHERS + 1)
        growth = np.expm1(np.log1p(left_over) * steps / self._OTHERS) / left_over
        return steps + np.rint(left_over * growth).astype(np.int64)
