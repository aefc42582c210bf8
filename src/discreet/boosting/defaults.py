"""What "auto" means: settings from public quantities only.

The rule was measured on public data (Adult's training file, Mushroom, Cod-RNA and sub-samples of them, by
cross-validation; docs/decisions/0003). What decides is the signal z = n e / r: n records, r the range of
a score in records, e the epsilon of a single pure release or sqrt(8 rho) of a single zCDP one. A score of
all n records then stands n e / r noise scales high if one round spends the whole budget; with T rounds,
z / sqrt(T) under zCDP and z / T under pure privacy. The number of candidates hardly matters.

A round of a tree has c releases, which share its budget: z / c takes the place of z, and rounds count c
times. Leaves see a weak signal less well than a whole table does, so for trees both rounds and step are
smaller still where the signal is weak (docs/decisions/0006).
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

    @property
    def advantage(self) -> float:
        """SmoothBoost's gamma: (1 - gamma)^(s/2) is MadaBoost's exp(-2 learning_rate s)."""
        return -math.expm1(-4 * self.learning_rate)

    @property
    def margin(self) -> float:
        """SmoothBoost's theta, the margin that Servedio's theorem promises for this advantage."""
        return self.advantage / (2 + self.advantage)


@dataclass(frozen=True)
class _Regime:
    """How rounds and the total step, rounds times learning rate, grow with the root of the signal."""

    rounds_per_root: float
    step_per_root: float
    most_rounds: int
    strong_root: float
    """Below this root of the signal rounds are fewer than in proportion: each must stand out of its noise."""


# Under zCDP many weak tilts average the noise out; pure rounds are dear, so there are few, with larger steps.
_ZCDP = _Regime(rounds_per_root=10.0, step_per_root=0.4, most_rounds=501, strong_root=14.0)
_PURE = _Regime(rounds_per_root=0.6, step_per_root=0.09, most_rounds=101, strong_root=1.0)

_MOST_STEP = 1.0
_LEAST_STEP = 1e-4

_LAZY_BREGMAN_DENSITY = 0.3
"""Above the share of records that stay hard. On Adult 0.15 costs 0.01 of accuracy at weak signals, and 0.5,
more than twice the smaller class, 0.04."""

_SMOOTHBOOST_DENSITY = 0.1
"""Where to stop: below the share of records that stay hard, or rounds are lost that would still help. On
Adult 0.35 costs 0.01 of accuracy, and in samples of 1,000 records, where the test is noisy, 0.2 costs as
much."""


def settle(options: BoostingOptions, n_records: int) -> Settings:
    """Settle every "auto" from the budget and a public number of records."""
    regime = _PURE if options.delta == 0 else _ZCDP
    root = math.sqrt(signal_of(options, n_records) / options.releases)
    strength = min(1.0, root / regime.strong_root)
    # Measured: single rules keep their total step, trees, which each fit more, are better with less of it.
    fewer, shorter = (strength**2, 1.0) if options.releases == 1 else (strength, strength)
    releases = fewer * min(regime.most_rounds, regime.rounds_per_root * root)
    # Odd, so that a vote of all rounds cannot tie.
    best_rounds = int(releases / options.releases) // 2 * 2 + 1
    rounds = best_rounds if isinstance(options.rounds, str) else options.rounds
    total_step = shorter * regime.step_per_root * min(root, regime.most_rounds / regime.rounds_per_root)
    best_rate = min(_MOST_STEP, max(_LEAST_STEP, total_step / rounds))
    best_density = _SMOOTHBOOST_DENSITY if options.reweighting == "smoothboost" else _LAZY_BREGMAN_DENSITY
    return Settings(
        rounds=rounds,
        learning_rate=best_rate if isinstance(options.learning_rate, str) else options.learning_rate,
        density=best_density if isinstance(options.density, str) else options.density,
    )


def signal_of(options: BoostingOptions, n_records: int) -> float:
    """Return z for scores in records: the range of a correlation is 4 under replace, 2 under add-remove."""
    score_range = 4 if options.adjacency == "replace" else 2
    if options.delta == 0:
        return n_records * options.epsilon / score_range
    return n_records * math.sqrt(8 * largest_zcdp(options.target).rho) / score_range
