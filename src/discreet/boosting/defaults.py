"""What "auto" means: settings from public quantities only.

The rule was measured on public data (Adult's training file, Mushroom, Cod-RNA and sub-samples of them, by
cross-validation; docs/decisions/0003). What decides is the signal z = n e / r: n records, r the range of
a score in records, e the epsilon of a single pure release or sqrt(8 rho) of a single zCDP one. A score of
all n records then stands n e / r noise scales high if one round spends the whole budget; with T rounds,
z / sqrt(T) under zCDP and z / T under pure privacy. The number of candidates hardly matters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from discreet.accounting import largest_zcdp
from discreet.boosting.options import BoostingOptions


@dataclass(frozen=True)
class Settings:
    """Options with every "auto" settled."""

    rounds: int
    learning_rate: float
    density: float


@dataclass(frozen=True)
class _Regime:
    """How rounds and the total step, rounds times learning rate, grow with the root of the signal."""

    rounds_per_root: float
    step_per_root: float
    most_rounds: int


# Under zCDP many weak tilts average the noise out; pure rounds are dear, so there are few, with larger steps.
_ZCDP = _Regime(rounds_per_root=10.0, step_per_root=0.4, most_rounds=501)
_PURE = _Regime(rounds_per_root=0.6, step_per_root=0.09, most_rounds=101)

_MOST_STEP = 1.0
_LEAST_STEP = 1e-4

_DENSITY = 0.3
"""For lazy-bregman: above the share of records that stay hard. On Adult 0.15 costs 0.01 of accuracy at weak
signals, and 0.5, more than twice the smaller class, 0.04."""


def settle(options: BoostingOptions, n_records: int) -> Settings:
    """Settle every "auto" from the budget and a public number of records."""
    regime = _PURE if options.delta == 0 else _ZCDP
    root = math.sqrt(signal_of(options, n_records))
    # Odd, so that a vote of all rules cannot tie.
    best_rounds = min(regime.most_rounds, int(regime.rounds_per_root * root) // 2 * 2 + 1)
    rounds = best_rounds if isinstance(options.rounds, str) else options.rounds
    total_step = regime.step_per_root * min(root, regime.most_rounds / regime.rounds_per_root)
    best_rate = min(_MOST_STEP, max(_LEAST_STEP, total_step / rounds))
    return Settings(
        rounds=rounds,
        learning_rate=best_rate if isinstance(options.learning_rate, str) else options.learning_rate,
        density=_DENSITY if isinstance(options.density, str) else options.density,
    )


def signal_of(options: BoostingOptions, n_records: int) -> float:
    """Return z for scores in records: the range of a correlation is 4 under replace, 2 under add-remove."""
    score_range = 4 if options.adjacency == "replace" else 2
    if options.delta == 0:
        return n_records * options.epsilon / score_range
    return n_records * math.sqrt(8 * largest_zcdp(options.target).rho) / score_range
