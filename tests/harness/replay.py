"""Neighbour replay: run on S, then on S' with the released outputs frozen to those of S.

What may differ is what no release has covered yet, and that by no more than its claim. So on S and S'
the same functions must be called in the same order, the same questions be put to the sampler, everything
that is put out be equal byte for byte, and each score move within the claimed range, as integers.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import numpy as np

import discreet
from discreet.mechanisms.claims import Claim, Noise, Terms
from discreet.mechanisms.rehearsal import Asked, ReplaySampler
from discreet.mechanisms.release import Minimise, Release, Sampler, Scores, ThresholdTest, Vector
from tests.harness.procedures import Procedure
from tests.harness.universes import Table

PACKAGE = str(Path(discreet.__file__).parent)

# One cell decides what is done with that cell, and an oracle searches as its objective bids; how long that
# takes is a side channel, and out of scope.
UNWATCHED = tuple(
    f"{PACKAGE}/{part}" for part in ("schema/cells.py", "schema/encode.py", "semiprivate/oracles/")
)


class Broken(AssertionError):
    """Neighbours were told apart by something that no release covers."""


@dataclass
class Run:
    """What one run did, and what came of it."""

    asked: list[Asked] = field(default_factory=list)
    taken: list[tuple[Claim, int]] = field(default_factory=list)
    """Each release of a claim, and how many questions were put to the sampler before it."""
    calls: list[tuple[str, str]] = field(default_factory=list)
    output: Hashable = None


def replay(
    procedure: Procedure, one: Table, other: Table, outcomes: Sequence[Any], watch_calls: bool = True
) -> float:
    """Compare neighbours under the same outcomes; return the largest share of a claim that scores reach.

    Parameters
    ----------
    procedure : Procedure
        What is run.
    one, other : Table
        The neighbours.
    outcomes : sequence of int or array
        What both release.
    watch_calls : bool
        Compare the functions that are called, too, which takes as long again.

    Raises
    ------
    Broken
        Something differs that must not, or by more than was claimed.
    """
    first, second = (_run(procedure, table, outcomes, watch_calls) for table in (one, other))
    if _questions(first) != _questions(second):
        raise Broken("neighbours ask for different releases")
    if first.calls != second.calls:  # or a cache was filled just now: once more
        first, second = (_run(procedure, table, outcomes, watch_calls) for table in (one, other))
    if first.calls != second.calls:
        raise Broken(f"neighbours take different paths: {_first_difference(first.calls, second.calls)}")
    if first.output != second.output:
        raise Broken(f"neighbours put out different things: {_first_difference(first.output, second.output)}")
    return max(
        (
            _share(claim, here, there)
            for (claim, here), (_, there) in zip(_by_release(first), _by_release(second), strict=True)
        ),
        default=0.0,
    )


def outcomes_on(procedure: Procedure, table: Table, sampler: Sampler) -> list[Any]:
    """Return what a run on a table releases, for instance with a ``SeededSampler`` or with ``AnyOutcome``."""
    kept = _Kept(sampler)
    procedure.run(table, kept)
    return kept.outcomes


@dataclass
class AnyOutcome:
    """Draws every candidate alike, whatever its score."""

    generator: np.random.Generator
    reason: str | None = "scores that do not count"

    def select(self, scores: Scores, *_: Any) -> int:
        return int(self.generator.integers(len(scores)))

    def threshold_test(self, scale: float) -> ThresholdTest:
        return _Never()

    def draw(self, ends: np.ndarray) -> int:
        return int(self.generator.integers(len(ends)))

    def vector(self, values: Vector, noise: Noise, scale: float) -> Vector:
        """Draw a vector ten times as long as its noise."""
        return np.rint(self.generator.normal(scale=10 * scale, size=values.shape)).astype(np.int64)

    def labels(self, minimise: Minimise, n_points: int, scale: float) -> np.ndarray:
        """Label the points by costs that outweigh all records: a labelling that the class has."""
        costs = self.generator.integers(-(2**41), 2**41, n_points)
        return minimise(costs).labels

    def perturbations(self, n_runs: int, n_points: int) -> np.ndarray:
        """Draw next to nothing, so that one record moves every run as far as can be."""
        return self.generator.integers(-1, 2, (n_runs, n_points))


class _Never:
    """Lets a run go on to its last round."""

    def above(self, value: int) -> bool:
        return False


@dataclass
class _Kept:
    sampler: Sampler
    reason: str | None = "recorded outcomes"
    outcomes: list[Any] = field(default_factory=list)

    def select(self, *asked: Any) -> int:
        self.outcomes.append(self.sampler.select(*asked))
        return self.outcomes[-1]

    def draw(self, ends: np.ndarray) -> int:
        self.outcomes.append(self.sampler.draw(ends))
        return self.outcomes[-1]

    def threshold_test(self, scale: float) -> _KeptTest:
        return _KeptTest(self.sampler.threshold_test(scale), self.outcomes)

    def vector(self, *asked: Any) -> np.ndarray:
        self.outcomes.append(self.sampler.vector(*asked))
        return self.outcomes[-1]

    def labels(self, *asked: Any) -> np.ndarray:
        self.outcomes.append(self.sampler.labels(*asked))
        return self.outcomes[-1]

    def perturbations(self, *asked: Any) -> np.ndarray:
        self.outcomes.append(self.sampler.perturbations(*asked))
        return self.outcomes[-1]


@dataclass
class _KeptTest:
    test: ThresholdTest
    outcomes: list[int]

    def above(self, value: int) -> bool:
        self.outcomes.append(int(self.test.above(value)))
        return bool(self.outcomes[-1])


def _run(procedure: Procedure, table: Table, outcomes: Sequence[Any], watch_calls: bool) -> Run:
    run, sampler = Run(), ReplaySampler(outcomes)
    with _releases_into(run.taken, sampler), _calls_into(run.calls) if watch_calls else nullcontext():
        try:
            run.output = procedure.run(table, sampler)
        except Exception as error:
            run.output = ("raised", type(error).__name__, str(error))
    run.asked = sampler.asked
    return run


def _questions(run: Run) -> list[Any]:
    """Return all of what was asked but the scores themselves."""
    return [*run.taken, *((ask.noise, ask.scale, ask.scores.shape) for ask in run.asked)]


def _by_release(run: Run) -> list[tuple[Claim, list[Asked]]]:
    """Put the questions of one release together; those of a threshold test come between others' questions."""
    groups: list[tuple[Claim, list[Asked]]] = [(claim, []) for claim, _ in run.taken]
    for place, asked in enumerate(run.asked):
        of_laplace = asked.noise == "laplace" and not asked.n_points
        mine = [
            group
            for group, (claim, begin) in zip(groups, run.taken, strict=True)
            if begin <= place and (claim.kind == "threshold" or claim.norm == "l1") == of_laplace
        ]
        mine[-1][1].append(asked)
    return groups


def _share(claim: Claim, here: Sequence[Asked], there: Sequence[Asked]) -> float:
    """Return how far the questions of one release moved, in its norm, as a share of its claim."""
    differences = [other.scores - one.scores for one, other in zip(here, there, strict=True)]
    if claim.norm == "change":
        moved = max((int(np.abs(difference).max()) for difference in differences), default=0)
    elif claim.norm == "l2":
        # Rounded up: a norm within the bound is not above it, and one above it is by a square at least.
        square = sum(int(moved) ** 2 for difference in differences for moved in difference)
        moved = math.isqrt(square - 1) + 1 if square else 0
    elif claim.norm == "l1":
        moved = sum(abs(int(moved)) for difference in differences for moved in difference)
    else:
        moved = sum(int(np.ptp(difference)) for difference in differences)
    if moved > claim.bound:
        raise Broken(f"scores move by a {claim.norm} of {moved}, the claim is {claim.bound}")
    return moved / claim.bound


@contextmanager
def _releases_into(taken: list[tuple[Claim, int]], sampler: ReplaySampler) -> Iterator[None]:
    """Collect the claims as they are released, each with the number of questions before it."""
    honest = Release._take

    def take(self: Release, claim: Claim, kind: str) -> Terms:
        taken.append((claim, len(sampler.asked)))
        return honest(self, claim, kind)

    with patch.object(Release, "_take", take):
        yield


@contextmanager
def _calls_into(calls: list[tuple[str, str]]) -> Iterator[None]:
    """Collect the package's functions as they are called, but for those that are not watched."""

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            if code.co_filename.startswith(PACKAGE) and not code.co_filename.startswith(UNWATCHED):
                calls.append((code.co_filename.removeprefix(PACKAGE), code.co_qualname))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)


def _first_difference(one: Any, other: Any) -> object:
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        for here, there in zip(one, other, strict=False):
            if here != there:
                return here, there
        return "one of them ends earlier"
    return one, other


Tables = Callable[[np.random.Generator], Table]


def neighbours(procedure: Procedure, rng: np.random.Generator) -> tuple[Table, Table]:
    """Draw two neighbours: at random, all of one class, all equal, but for the record that is replaced.

    The second one comes in another order.
    """
    n_types, n = len(procedure.universe.types), int(rng.integers(1, 41))
    pool = [
        np.arange(n_types),
        procedure.universe.types_of_label(int(rng.integers(3))),
        rng.integers(0, n_types, 1),
        rng.integers(0, n_types, 3),
    ][rng.integers(4)]
    one = rng.choice(pool, n)
    if rng.integers(2):
        one[0] = rng.integers(n_types)
    other = np.delete(one, 0)
    if procedure.adjacency == "replace":
        other = np.append(other, rng.integers(n_types))
    return tuple(one.tolist()), tuple(rng.permutation(other).tolist())
