"""What "auto" means for halfspaces by random projection: settings from public quantities only.

The rules were measured on synthetic sources of known margin (docs/decisions/0008).
"""

from __future__ import annotations

import math

from discreet.accounting import largest_zcdp
from discreet.halfspaces.options import ProjectedOptions

_COMPONENTS = 256
_LEAST_ROUNDS, _MOST_ROUNDS = 10, 100
_STEP = 2.0


def settled_components(options: ProjectedOptions, width: int) -> int:
    """Return the number of components; that of the columns themselves, if they are no more."""
    wanted = _COMPONENTS if isinstance(options.n_components, str) else options.n_components
    return min(wanted, width)


def settled_rounds(options: ProjectedOptions, n_records: int, n_components: int) -> int:
    """Return the number of rounds.

    More rounds bring the descent nearer to the minimum, by the root of their number, until the noise of all
    of them, which does not depend on it, is what keeps it away: at (n mu)^2 / (4 m) rounds.
    """
    if not isinstance(options.rounds, str):
        return options.rounds
    signal = (n_records * math.sqrt(2 * largest_zcdp(options.target).rho)) ** 2 / (4 * n_components)
    return min(_MOST_ROUNDS, max(_LEAST_ROUNDS, math.ceil(signal)))


def step_of(n_records: int, n_components: int, rounds: int, deviation: float) -> float:
    """Return how far a released sum of one record moves the direction.

    A sum of all records is no longer than their number, and its noise about as long as ``deviation`` times
    the root of the number of components: the step of Bassily, Smith and Thakurta (2014), a constant.
    """
    return _STEP / math.sqrt(rounds * (n_records**2 + n_components * deviation**2))
