"""Privacy losses, their composition, conversion and calibration: pure functions of public numbers."""

from discreet.accounting.calibration import calibrate, largest_zcdp
from discreet.accounting.composition import advanced_composition, guarantee
from discreet.accounting.losses import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    GaussianDP,
    Loss,
    Part,
    PureDP,
    SampledGaussianDP,
    compose,
    show,
)

__all__ = [
    "ZCDP",
    "ApproxDP",
    "BoundedRange",
    "GaussianDP",
    "Loss",
    "Part",
    "PureDP",
    "SampledGaussianDP",
    "advanced_composition",
    "calibrate",
    "compose",
    "guarantee",
    "largest_zcdp",
    "show",
]
