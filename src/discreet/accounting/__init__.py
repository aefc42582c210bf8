"""Privacy losses, their composition, conversion and calibration: pure functions of public numbers."""

from discreet.accounting.calibration import calibrate
from discreet.accounting.conversion import to_approx_dp
from discreet.accounting.losses import ApproxDP, Loss, PureDP, ZCDP, compose, repeat, show

__all__ = ["ApproxDP", "Loss", "PureDP", "ZCDP", "calibrate", "compose", "repeat", "show", "to_approx_dp"]
