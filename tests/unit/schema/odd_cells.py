"""Cells nobody expects, and a secret that no message may show."""

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import strategies as st

SECRET = "Zebulon-8731"


class Hostile:
    """Answers every question about itself with an exception that shows the secret."""

    def _refuse(self, *_: object) -> None:
        raise RuntimeError(SECRET)

    __str__ = __repr__ = __float__ = __int__ = __index__ = __bool__ = _refuse  # type: ignore
    __eq__ = __lt__ = __gt__ = __hash__ = __len__ = __iter__ = __format__ = _refuse  # type: ignore
    __class__ = property(_refuse)  # type: ignore


class HostileText(str):
    def _refuse(self, *_: object) -> None:
        raise RuntimeError(SECRET)

    strip = lower = __eq__ = __hash__ = __str__ = __repr__ = __float__ = _refuse  # type: ignore


class HostileFloat(float):
    def _refuse(self, *_: object) -> None:
        raise RuntimeError(SECRET)

    __float__ = __eq__ = __hash__ = __str__ = __repr__ = is_integer = _refuse  # type: ignore


class HostileInt(int):
    def _refuse(self, *_: object) -> None:
        raise RuntimeError(SECRET)

    __float__ = __eq__ = __gt__ = __lt__ = __hash__ = __str__ = __repr__ = __index__ = _refuse  # type: ignore


class HostileFloat32(np.float32):
    def __float__(self) -> float:
        raise RuntimeError(SECRET)


def odd_cells() -> list[object]:
    return [
        None,
        pd.NA,
        pd.NaT,
        float("nan"),
        float("inf"),
        -float("inf"),
        -0.0,
        10**400,
        -(10**400),
        2**53 + 1,
        Decimal("sNaN"),
        Decimal("1e999999"),
        Fraction(1, 3),
        1j,
        np.complex128(1j),
        np.longdouble("1e4000"),
        np.float16(1),
        np.datetime64("2020-01-01"),
        np.timedelta64(1, "s"),
        np.array([1, 2]),
        np.array(1),
        datetime.date(2020, 1, 1),
        {SECRET: 1},
        [SECRET],
        (1, 2),
        {1},
        b"1",
        object(),
        SECRET,
        "",
        "nan",
        "1_000",
        "\ud800",
        "9" * 6000,
        "0.5",
        "True",
        int,
    ]


def hostile_cells() -> list[object]:
    return [
        Hostile(),
        HostileText("a"),
        HostileFloat(1.0),
        HostileInt(1),
        HostileInt(10**400),
        HostileFloat32(1.0),
    ]


def any_cell() -> st.SearchStrategy[object]:
    """Any cell but hostile ones, which hypothesis cannot even print."""
    return st.one_of(
        st.sampled_from(odd_cells()),
        st.text(),
        st.integers(),
        st.floats(),
        st.booleans(),
        st.decimals(),
        st.dictionaries(st.text(), st.integers(), max_size=2),
    )
