"""What "auto" means for halfspaces by random projection: settings from public quantities only.

The rules were measured on synthetic sources of known margin (docs/decisions/0010).
"""

from __future__ import annotations

import math

from discreet.accounting import largest_zcdp
from discreet.errors import OptionError
from discreet.halfspaces.net import MARGIN_SHARE, Net
from discreet.halfspaces.options import ProjectedOptions

_LEAST_COMPONENTS, _MOST_COMPONENTS = 256, 4096
_PER_MARGIN = 10
"""A row at the margin exactly is misplaced by the projection with the probability of a normal deviate beyond
margin root(m): below 0.001."""

_SIGNAL_PER_COMPONENT = 200
"""Where (n mu)^2 / m is below it, noise fills the ball, and the descent does not get beyond the mean."""

_DRAWN_COMPONENTS = 64
"""What 200 records, five or six times over, leave of the coordinates that noise is drawn for."""

_LEAST_ROUNDS, _MOST_ROUNDS = 20, 60
_STEP = 2.0
"""The diameter of the ball."""


def settled_components(options: ProjectedOptions, n_records: int, width: int) -> int:
    """Return the number of components; that of the columns themselves, if they are no more.

    A net takes as many as leave it within ``max_candidates``.
    """
    if not isinstance(options.n_components, str):
        return min(options.n_components, width)
    if options.method == "stochastic":
        return min(_DRAWN_COMPONENTS, width)
    if options.method == "descent":
        wanted = min(_PER_MARGIN / options.margin**2, _signal(options, n_records) / _SIGNAL_PER_COMPONENT)
        return min(max(math.ceil(min(wanted, _MOST_COMPONENTS)), _LEAST_COMPONENTS), width)
    components = min(2, width)
    while components < width and net_of(options.margin, components + 1).size <= options.max_candidates:
        components += 1
    return components


def net_of(margin: float, components: int) -> Net:
    """Return the net from which a halfspace of this margin is chosen."""
    if components < 2:
        raise OptionError("a net needs at least 2 components: two columns, or one and an intercept")
    return Net(components, margin * float(MARGIN_SHARE))


def settled_rounds(options: ProjectedOptions, n_records: int, n_components: int) -> int:
    """Return the number of rounds.

    More rounds bring the descent nearer to the minimum, by the root of their number, until the noise of all
    of them, which does not depend on it, is what keeps it away: at (n mu)^2 / (4 m) rounds.
    """
    if not isinstance(options.rounds, str):
        return options.rounds
    best = min(_signal(options, n_records) / (4 * n_components), _MOST_ROUNDS)
    return max(_LEAST_ROUNDS, math.ceil(best))


def _signal(options: ProjectedOptions, n_records: int) -> float:
    """Return (n mu)^2: how far all records move a sum, in deviations of the noise of all rounds, squared."""
    return n_records**2 * 2 * largest_zcdp(options.target).rho


def step_of(n_records: int, n_components: int, rounds: int, deviation: float) -> float:
    """Return how far a released sum of one record moves the direction.

    A sum of all records is no longer than their number, and its noise about as long as ``deviation`` times
    the root of the number of components: the step of Bassily, Smith and Thakurta (2014), a constant.
    """
    return _STEP / math.sqrt(rounds * (n_records**2 + n_components * deviation**2))
