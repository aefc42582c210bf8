"""Privacy losses, their composition, conversion and calibration: pure functions of public numbers."""

from discreet.accounting.calibration import calibrate, largest_zcdp
from discreet.accounting.conversion import to_approx_dp
from discreet.accounting.losses import ZCDP, ApproxDP, Loss, PureDP, compose, repeat, show

__all__ = [
    "ZCDP",
    "ApproxDP",
    "Loss",
    "PureDP",
    "calibrate",
    "compose",
    "largest_zcdp",
    "repeat",
    "show",
    "to_approx_dp",
]
