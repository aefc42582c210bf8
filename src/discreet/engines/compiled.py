"""How kernels are compiled: once for all processes, where a place can be written to; else in each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a loop over records; it releases the interpreter lock.

    A service account may have no folder that it can write to, neither the package's nor a home: numba then
    refuses to cache, and a fit takes a second longer.
    """
    try:
        return numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:
        return numba.njit(nogil=True)(function)
