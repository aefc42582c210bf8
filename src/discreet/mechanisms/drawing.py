"""Private draws of records: as secret as noise, and as exact."""

from __future__ import annotations

import secrets

import numpy as np
import numpy.typing as npt


def draw(ends: npt.NDArray[np.int64]) -> int:
    """Draw place i with probability (ends[i] - ends[i - 1]) / ends[-1], from the system's randomness.

    The system's generator draws a whole number below ends[-1] uniformly, without rounding. Which place it was
    must never be released.
    """
    return int(np.searchsorted(ends, secrets.randbelow(int(ends[-1])), side="right"))
