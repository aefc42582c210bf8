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

import numpy as np

import discreet
from discreet.boosting.plan import Plan
from discreet.mechanisms.rehearsal import Asked, ReplaySampler, SeededSampler
from discreet.mechanisms.release import Sampler
from tests.harness.procedures import Procedure
from tests.harness.universes import Table

PACKAGE = str(Path(discreet.__file__).parent)

# One cell decides what is done with that cell; how long that takes is a side channel, and out of scope.
PER_CELL = tuple(f"{PACKAGE}/schema/{module}.py" for module in ("cells", "encode"))


class Broken(AssertionError):
    """Neighbours were told apart by something that no release covers."""


@dataclass
class Run:
    """What one run did, and what came of it."""

    asked: list[Asked] = field(default_factory=list)
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
    if [(ask.noise, ask.scale, ask.scores.shape) for ask in first.asked] != [
        (ask.noise, ask.scale, ask.scores.shape) for ask in second.asked
    ]:
        raise Broken("neighbours ask for different releases")
    if first.calls != second.calls:  # or a cache was filled just now: once more
        first, second = (_run(procedure, table, outcomes, watch_calls) for table in (one, other))
    if first.calls != second.calls:
        raise Broken(f"neighbours take different paths: {_first_difference(first.calls, second.calls)}")
    if first.output != second.output:
        raise Broken(f"neighbours put out different things: {_first_difference(first.output, second.output)}")
    plan = procedure.plan_for(len(one))
    return max(
        (_share(plan, here, there) for here, there in zip(first.asked, second.asked, strict=True)),
        default=0.0,
    )


def outcomes_at_random(plan: Plan, rng: np.random.Generator) -> list[Any]:
    """Return releases that no fit would choose: any candidate; vectors ten times as long as their noise."""
    if all(term.noise == "gaussian" for term in plan.terms):
        shape, (term,) = (plan.rounds, plan.n_candidates), plan.terms
        return list(np.rint(rng.normal(scale=10 * term.scale, size=shape)).astype(np.int64))
    return rng.integers(plan.n_candidates, size=plan.rounds).tolist()


def outcomes_on(procedure: Procedure, table: Table, seed: int) -> list[Any]:
    """Return what a seeded run on a table releases."""
    sampler = _Kept(SeededSampler(seed))
    procedure.run(table, sampler)
    return sampler.outcomes


@dataclass
class _Kept:
    sampler: Sampler
    reason: str | None = "recorded outcomes"
    outcomes: list[Any] = field(default_factory=list)

    def select(self, *asked: Any) -> int:
        self.outcomes.append(self.sampler.select(*asked))
        return self.outcomes[-1]

    def vector(self, *asked: Any) -> np.ndarray:
        self.outcomes.append(self.sampler.vector(*asked))
        return self.outcomes[-1]


def _run(procedure: Procedure, table: Table, outcomes: Sequence[Any], watch_calls: bool) -> Run:
    run, sampler = Run(), ReplaySampler(outcomes)
    with _calls_into(run.calls) if watch_calls else nullcontext():
        try:
            run.output = procedure.run(table, sampler)
        except Exception as error:
            run.output = ("raised", type(error).__name__, str(error))
    run.asked = sampler.asked
    return run


def _share(plan: Plan, here: Asked, there: Asked) -> float:
    """Return the size of the difference over its claim; equal scales have equal claims."""
    bound = min(term.claim.bound for term in plan.terms if term.scale == here.scale)
    difference = there.scores - here.scores
    if here.noise == "gaussian":
        square = sum(int(moved) ** 2 for moved in difference)
        if square > bound**2:
            raise Broken(f"a vector moves by a norm of {math.isqrt(square)}, the claim is {bound}")
        return math.sqrt(square / bound**2)
    moved = int(difference.max()) - int(difference.min())
    if moved > bound:
        raise Broken(f"scores move by a range of {moved}, the claim is {bound}")
    return moved / bound


@contextmanager
def _calls_into(calls: list[tuple[str, str]]) -> Iterator[None]:
    """Collect the package's functions as they are called, but for those that see a single cell."""

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            if code.co_filename.startswith(PACKAGE) and code.co_filename not in PER_CELL:
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
    """Draw two neighbours: at random, all of one class, all equal; the second one in another order."""
    n_types, n = len(procedure.universe.types), int(rng.integers(1, 41))
    pool = [
        np.arange(n_types),
        procedure.universe.types_of_label(int(rng.integers(3))),
        rng.integers(0, n_types, 1),
        rng.integers(0, n_types, 3),
    ][rng.integers(4)]
    one = rng.choice(pool, n)
    other = np.delete(one, 0)
    if procedure.adjacency == "replace":
        other = np.append(other, rng.integers(n_types))
    return tuple(one.tolist()), tuple(rng.permutation(other).tolist())
