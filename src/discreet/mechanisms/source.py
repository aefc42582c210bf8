"""Where the noise of a fit comes from: OpenDP, unless a test asked for seeded noise in this context."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar

from discreet.mechanisms.rehearsal import SeededSampler
from discreet.mechanisms.release import Sampler
from discreet.mechanisms.selection import OpenDPSampler

_override: ContextVar[Sampler | None] = ContextVar("_override", default=None)


def current_sampler() -> tuple[Sampler, str | None]:
    """Return the sampler that a fit started here and now must use, and why its guarantee is void, if so.

    A sampler that was put in place by ``use_sampler`` voids the guarantee, whatever it says of itself.
    """
    replaced = _override.get()
    if replaced is None:
        return OpenDPSampler(), None
    return replaced, replaced.reason or "noise that is not OpenDP's"


@contextmanager
def use_sampler(sampler: Sampler) -> Iterator[None]:
    """Replace the sampler within a ``with`` block; for tests, which it marks in every model it makes."""
    token = _override.set(sampler)
    try:
        yield
    finally:
        _override.reset(token)


def seeded_noise(seed: int) -> AbstractContextManager[None]:
    """Make the fits of a ``with`` block repeatable, and worthless as a guarantee.

    A model fitted inside says "no guarantee: seeded noise" in its privacy statement, its file and its
    print. Only for tests and benchmarks.

    Parameters
    ----------
    seed : int
        Seed of the generator.

    Examples
    --------
    >>> with seeded_noise(0):
    ...     pass
    """
    return use_sampler(SeededSampler(seed))
