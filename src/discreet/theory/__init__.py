"""Calculators for the theorems behind the library: pure functions of public numbers (docs/theory.md)."""

from discreet.theory.halfspaces import HalfspaceParameters, SampleSize
from discreet.theory.halfspaces_as_printed import theorem_25, weak_learner_loss
from discreet.theory.lazy_bregman import RoundBound, guaranteed_margin, round_bound, slickness
from discreet.theory.projected_halfspaces import DescentTheorem, NetTheorem
from discreet.theory.resampling import ResampledBoosting, sampled_epsilon, theorem_56, theorem_57
from discreet.theory.semiprivate import (
    LabelsSize,
    LeaderSize,
    remark_1,
    theorem_2,
    theorem_3,
    theorem_4,
)
from discreet.theory.stopping import (
    StoppedBoosting,
    advanced_composition,
    stopped_round_loss,
    theorem_53,
)

__all__ = [
    "DescentTheorem",
    "HalfspaceParameters",
    "LabelsSize",
    "LeaderSize",
    "NetTheorem",
    "ResampledBoosting",
    "RoundBound",
    "SampleSize",
    "StoppedBoosting",
    "advanced_composition",
    "guaranteed_margin",
    "remark_1",
    "round_bound",
    "sampled_epsilon",
    "slickness",
    "stopped_round_loss",
    "theorem_2",
    "theorem_3",
    "theorem_4",
    "theorem_25",
    "theorem_53",
    "theorem_56",
    "theorem_57",
    "weak_learner_loss",
]
