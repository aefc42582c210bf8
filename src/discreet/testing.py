"""Tools for tests and benchmarks. A model that was fitted with any of them carries no guarantee."""

from discreet.mechanisms.rehearsal import (
    ReplaySampler,
    SeededSampler,
    enumerate_outcomes,
    selection_probabilities,
)
from discreet.mechanisms.source import seeded_noise, use_sampler
from discreet.mechanisms.stopping_probabilities import stopping_probabilities

__all__ = [
    "ReplaySampler",
    "SeededSampler",
    "enumerate_outcomes",
    "seeded_noise",
    "selection_probabilities",
    "stopping_probabilities",
    "use_sampler",
]
