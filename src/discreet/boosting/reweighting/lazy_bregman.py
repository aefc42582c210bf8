"""The lazy-Bregman measure in exact integers: exponential weights, projected to a fixed density (2).

The projection onto kappa-dense measures is capped scaling: w(s) = min(1, exp(lambda (theta - s))), theta
the largest value of a public grid of step 1/GRID whose mass is at most K = kappa n 2^BITS. Levels are
integers, so the weight is a function of one integer, m = GRID (theta - s) = GRID a + b, 0 <= b < GRID:

    W(m) = 2^BITS                                                          for m >= 0,
    W(m) = floor(min(coarse[a] fine[b], coarse[a + 1] fine[0]) / 2^SHIFT)  below.

Nothing about exp is assumed. The tables are integers; the inner minimum makes W monotone by construction;
and ``step`` and ``gap`` with W(m + 1) <= (1 + step)(W(m) + gap) are read off the tables as they came out.

Slack. Let M be the mass at theta and let the next grid value's exceed K. Then K < (1 + step)(M + gap n), so
M > K - K step - gap n: the mass lies in (K - G, K] with G = ceil(K step) + gap n.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from discreet.accounting.adjacency import Adjacency
from discreet.boosting.sensitivity import MassBounds
from discreet.engines.base import Counts, LevelWeights
from discreet.errors import PlanError

NEEDS_N = (
    "lazy-bregman needs the number of records, which add-remove keeps private: use "
    "reweighting='madaboost', or adjacency='replace'"
)

BITS = 30
"""A full weight is 2^30, so that rounding down n weights costs little of one weight."""

GRID = 2**20
"""Grid values of theta between two levels: K step is then below a thousandth of a weight for
n = 30,000 and the learning rates in use."""

_COARSE_BITS = 34
_FINE_BITS = 28
_SHIFT = _COARSE_BITS + _FINE_BITS - BITS


@dataclass(frozen=True)
class LazyBregman:
    """Exponential weights exp(-learning_rate s), scaled and capped to density ``density``.

    Parameters
    ----------
    learning_rate : float
        Lambda of the thesis.
    density : float
        Kappa: the weights sum to this share of the number of records.
    n_records : int
        The public number of records.
    """

    learning_rate: float
    density: float
    n_records: int

    @classmethod
    def from_losses(cls, rate: float, density: float, n_records: int) -> LazyBregman:
        """Weigh by exp(-rate sum of losses), as Bun, Carmosino and Sorrell do, loss = (1 + y h) / 2.

        The losses of t hypotheses sum to (t + s) / 2, so the weight is exp(-rate t / 2) exp(-(rate / 2) s).
        The first factor is the same for all records, and the projection removes it: what is left is the
        measure of half that learning rate.
        """
        return cls(rate / 2, density, n_records)

    def bounds(self, adjacency: Adjacency, max_records: int) -> MassBounds:
        """Declare a cap of 2^30 and the slack of the projection; replace-one only."""
        if adjacency != "replace":
            raise PlanError(NEEDS_N)
        slack = math.ceil(self._target * self._tables.step) + self._tables.gap * self.n_records
        return MassBounds(cap=2**BITS, slack=slack, adjacency=adjacency)

    def weights(self, done: int, max_level: int, counts: Callable[[], Counts]) -> LevelWeights:
        """Project; the answer depends on the private counts of records per level."""
        levels = np.arange(-max_level, max_level + 1, dtype=np.int64)
        per_level = counts().sum(axis=0)

        def mass(theta: int) -> int:
            return int(per_level @ self._tables.weight(theta - GRID * levels))

        low, high = self._ends(max_level)
        # A public number of steps, though the last ones may find low == high.
        for _ in range((high - low).bit_length()):
            middle = (low + high + 1) // 2
            if mass(middle) <= self._target:
                low = middle
            else:
                high = middle - 1
        return np.tile(self._tables.weight(low - GRID * levels), (2, 1))

    def _ends(self, max_level: int) -> tuple[int, int]:
        """Return the public ends of theta's grid: no weight above kappa, and all weights full."""
        low = math.floor(GRID * (-max_level + math.log(self.density) / self.learning_rate)) - 1
        heaviest = int(self._tables.weight(np.array([low + GRID * max_level]))[0])
        if self.n_records * heaviest > self._target:
            raise PlanError("lazy-bregman: theta's grid does not start below the target mass")
        return low, GRID * max_level

    @cached_property
    def _target(self) -> int:
        """K; masses are integers, so rounding down loses nothing."""
        target: int = math.floor(Fraction(self.density) * self.n_records * 2**BITS)
        return target

    @property
    def _tables(self) -> _Tables:
        return _tables_for(self.learning_rate)


class _Tables:
    """W(m) from two integer tables, and how much it can grow from one m to the next."""

    def __init__(self, learning_rate: float) -> None:
        reach = math.ceil((BITS + 1) * math.log(2) / learning_rate)
        # One zero in front: beyond the reach every weight is zero.
        exponents = learning_rate * np.arange(-reach, 1)
        self._coarse = np.append(0, np.floor(2.0**_COARSE_BITS * np.exp(exponents))).astype(np.int64)
        self._fine = np.floor(2.0**_FINE_BITS * np.exp(learning_rate * np.arange(GRID) / GRID)).astype(
            np.int64
        )
        self._reach = reach
        self.step = self._largest_step()
        self.gap = 1 + self._gap_at_joints()
        self._check()

    def weight(self, m: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return W(m), elementwise."""
        a, b = m // GRID, m % GRID
        index = np.clip(a + self._reach + 1, 0, len(self._coarse) - 2)
        product = np.minimum(self._coarse[index] * self._fine[b], self._coarse[index + 1] * self._fine[0])
        below = np.where(a < -self._reach, 0, product >> _SHIFT)
        return np.where(m >= 0, 2**BITS, below)

    def _largest_step(self) -> Fraction:
        """Return the largest relative step of ``fine``; found in floats, checked in integers."""
        rise, base = np.diff(self._fine), self._fine[:-1]
        at = int(np.argmax(rise / base))
        while np.any(larger := rise * base[at] > rise[at] * base):
            at = int(np.argmax(larger))
        return Fraction(int(rise[at]), int(base[at]))

    def _gap_at_joints(self) -> int:
        """Return by how much W grows beyond its step where ``fine`` starts again.

        Within one coarse entry the unrounded weight grows by at most the factor 1 + step, and rounding
        down adds 1. At a joint, coarse[a] fine[-1] may fall short of coarse[a + 1] fine[0] / (1 + step).
        """
        low, high = (part.astype(object) for part in (self._coarse[:-1], self._coarse[1:]))
        short = high * int(self._fine[0]) / (1 + self.step) - low * int(self._fine[-1])
        gap: int = math.ceil(Fraction(max(short)) / 2**_SHIFT)
        return max(0, gap)

    def _check(self) -> None:
        """Check what else the proof uses: sorted tables, full weight at m = 0, products within int64."""
        sound = (
            self._coarse[-1] == 2**_COARSE_BITS
            and self._fine[0] == 2**_FINE_BITS
            and bool(np.all(np.diff(self._fine) >= 0))
            and bool(np.all(np.diff(self._coarse) >= 0))
            and int(self._coarse[-2]) * int(self._fine[-1]) < 2**63
        )
        if not sound:
            raise PlanError("lazy-bregman: no exact weight table for this learning rate")


@lru_cache(maxsize=4)
def _tables_for(learning_rate: float) -> _Tables:
    """Keep the tables of a learning rate: they take a tenth of a second, and plan() and fit() both ask."""
    return _Tables(learning_rate)
