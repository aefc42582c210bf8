"""What "auto" means: settings from public quantities only."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.boosting.options import BoostingOptions


@dataclass(frozen=True)
class Settings:
    """Options with every "auto" settled."""

    rounds: int
    learning_rate: float
    density: float


def settle(options: BoostingOptions, n_records: int, n_candidates: int) -> Settings:
    """Settle every "auto" from the budget, the public number of records and the candidates."""
    rounds = 200 if options.rounds == "auto" else options.rounds
    learning_rate = 10 / rounds if options.learning_rate == "auto" else options.learning_rate
    density = 0.25 if options.density == "auto" else options.density
    return Settings(rounds, learning_rate, density)
