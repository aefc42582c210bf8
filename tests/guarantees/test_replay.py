"""Neighbours, replayed: nothing differs but what no release has covered yet, and that within its claim.

Pairs are drawn from a fixed seed: no false alarm is possible, since the comparisons are exact.
"""

import numpy as np
import pytest

from discreet.testing import SeededSampler
from tests.harness.labelled import PublicFit
from tests.harness.points import replay_projection
from tests.harness.primitives import replay_encoding, replay_engine
from tests.harness.procedures import SemiprivateFit, WholeFit
from tests.harness.registered import REPLAYED
from tests.harness.replay import AnyOutcome, neighbours, outcomes_on, replay

WHOLE = (WholeFit, PublicFit)

LOOPS = {name: procedure for name, procedure in REPLAYED.items() if not isinstance(procedure, WHOLE)}
FITS = {name: procedure for name, procedure in REPLAYED.items() if isinstance(procedure, WHOLE)}
LEADERS = [name for name, procedure in FITS.items() if isinstance(procedure, SemiprivateFit)]
OTHER_FITS = [name for name in FITS if name not in LEADERS]


def sizes(ordinary, full):
    return pytest.mark.parametrize("pairs", [ordinary, pytest.param(full, marks=pytest.mark.slow)])


def replayed(procedure, pairs, watch_every):
    """Return the largest share of a claim that is reached; half of the outcomes are as a fit draws them."""
    rng = np.random.default_rng(pairs)
    worst = 0.0
    for place in range(pairs):
        one, other = neighbours(procedure, rng)
        outcomes = outcomes_on(procedure, one, SeededSampler(place) if place % 2 else AnyOutcome(rng))
        share = replay(procedure, one, other, outcomes, watch_calls=place % watch_every == 0)
        worst = max(worst, share)
    return worst


# Where a pair takes many times as long, the long battery has fewer of them: it ends within the hour.
COSTLY = {
    "labels": (60, 3_000),
    "tree": (200, 5_000),
    "centring": (500, 20_000),
    "weights": (500, 20_000),
    "smooth": (500, 20_000),
    "margins": (200, 5_000),
    "projected": (200, 20_000),
    "stochastic": (200, 10_000),
}


def sized(names, ordinary, full, costly):
    """Give each name its number of pairs, on every change and in the long battery."""
    for name in names:
        few, many = next((sizes for word, sizes in costly.items() if word in name), (ordinary, full))
        yield pytest.param(name, few, id=f"{name}-{few}")
        yield pytest.param(name, many, id=f"{name}-{many}", marks=pytest.mark.slow)


@pytest.mark.parametrize(("name", "pairs"), [*sized(LOOPS, 1_000, 100_000, COSTLY)])
def test_loops(name, pairs, report):
    worst = replayed(LOOPS[name], pairs, watch_every=10)
    report(f"replay: {name}", f"{pairs:,} pairs", f"{worst:.4f} of the claim")
    assert worst > 0.9  # or the pairs test nothing


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        *sized(
            OTHER_FITS,
            50,
            2_000,
            {
                "stochastic": (3, 60),
                "labels": (10, 400),
                "tree": (10, 400),
                "projected": (10, 1_000),
                "half": (30, 1_000),
            },
        )
    ],
)
def test_whole_fits_leave_the_same_bytes(name, pairs, report):
    """The artefact diff: with frozen releases, everything that a fit puts out is equal byte for byte."""
    worst = replayed(FITS[name], pairs, watch_every=1)
    report(f"artefact diff: {name}", f"{pairs:,} pairs", f"{worst:.4f} of the claim")
    assert worst > 0.5


@pytest.mark.parametrize(("name", "pairs"), [*sized(LEADERS, 10, 1_000, {})])
def test_leaders_leave_the_same_bytes(name, pairs, report):
    """Pairs that reach 0.999 of the bound are in `test_leaders.py`; few records do not."""
    worst = replayed(FITS[name], pairs, watch_every=1)
    report(f"artefact diff: {name}", f"{pairs:,} pairs", f"{worst:.4f} of the claim")
    assert worst > 0.15


@sizes(1_000, 100_000)
@pytest.mark.parametrize(
    "primitive", [replay_encoding, replay_engine, replay_projection], ids=["encoding", "engine", "projection"]
)
def test_primitives(primitive, pairs, report):
    rng = np.random.default_rng(pairs)
    worst = max(primitive(rng) for _ in range(pairs))
    what = "of a record's weight" if primitive is replay_engine else "of other records' codes"
    report(f"replay: {primitive.__name__.removeprefix('replay_')}", f"{pairs:,} pairs", f"{worst:.4f} {what}")
    assert (worst > 0.9) == (primitive is replay_engine)
