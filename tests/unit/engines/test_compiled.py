"""Kernels where nothing can be written: a service account, a read-only container."""

import numba
import numpy as np

from discreet.engines.compiled import kernel


def test_without_a_place_for_a_cache_kernels_are_compiled_all_the_same(monkeypatch):
    honest, asked = numba.njit, []

    def no_locator(**options):
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return honest(**options)

    monkeypatch.setattr(numba, "njit", no_locator)

    @kernel
    def twice(values):
        for i in range(len(values)):
            values[i] *= 2

    values = np.arange(3)
    twice(values)
    assert values.tolist() == [0, 2, 4]
    assert asked == [{"nogil": True, "cache": True}, {"nogil": True}]
