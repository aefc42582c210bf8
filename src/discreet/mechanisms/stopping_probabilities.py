"""The exact distribution of AboveThreshold, for the enumeration that checks its claim.

Let x be the noise on the threshold, of scale b, and h = 1/(2 b). Given x, the queries are independent:
query q is answered with no, q + noise < x, with probability P(noise < x - q). With a = exp(-h),

    P(noise < k)  =  a^(1 - k) / (1 + a)  for k <= 0,        1 - a^k / (1 + a)        for k >= 1,
    P(noise >= k) =  1 - a^(1 - k) / (1 + a)  for k <= 0,    a^k / (1 + a)            for k >= 1,

and x itself has weight exp(-2 h abs(x)). Between the points where one of these changes its form, the
product of all is a sum of exponentials of x, and the sum over x is one of geometric series: nothing is
truncated. docs/proofs/enumeration.md bounds what rounding does.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from discreet.mechanisms.above_threshold import QUERY_NOISE

MOST_TESTS = 3
MOST_TEST_SCALES = 20

Exponentials = list[tuple[float, int]]
"""Sum of c exp(h m (x - reference)), as pairs (c, m)."""


def stopping_probabilities(queries: Sequence[int], scale: float) -> npt.NDArray[np.float64]:
    """Return the probabilities that the last query is answered with no and with yes, all others with no.

    Raises
    ------
    ValueError
        More than ``MOST_TESTS`` queries, or one more than ``MOST_TEST_SCALES`` scales from the threshold.
    """
    if len(queries) > MOST_TESTS or max(map(abs, queries)) > MOST_TEST_SCALES * scale:
        raise ValueError("the error is proven for few queries near the threshold only")
    return np.array(_no_and_yes(tuple(queries), scale))


@lru_cache(maxsize=2**14)
def _no_and_yes(queries: tuple[int, ...], scale: float) -> tuple[float, float]:
    h = 1 / (QUERY_NOISE * scale)
    no, yes = (_total(queries, last, h) for last in (False, True))
    return no / (no + yes), yes / (no + yes)


def _total(queries: tuple[int, ...], last: bool, h: float) -> float:
    """Sum over all x: the weight of x, times the probabilities of all answers."""
    starts = sorted({0, *(query + 1 for query in queries)})
    total = _infinite_series(_product(queries, last, h, starts[0] - 1), -h)
    for start, end in itertools.pairwise(starts):
        total += _finite_series(_product(queries, last, h, start), h, end - start)
    return total + _infinite_series(_product(queries, last, h, starts[-1]), h)


def _product(queries: tuple[int, ...], last: bool, h: float, x: int) -> Exponentials:
    """Return the summand as exponentials, in the form that it has at x, which is their reference."""
    product = [(math.exp(-QUERY_NOISE * h * abs(x)), QUERY_NOISE if x < 0 else -QUERY_NOISE)]
    for place, query in enumerate(queries):
        factor = _answer(x - query, last and place == len(queries) - 1, h)
        product = [(c * d, m + k) for c, m in product for d, k in factor]
    return product


def _answer(k: int, yes: bool, h: float) -> Exponentials:
    """Return P(noise >= k) or P(noise < k) around k."""
    tail, grows = (math.exp(-h * (1 - k)), 1) if k <= 0 else (math.exp(-h * k), -1)
    tail /= 1 + math.exp(-h)
    if yes == (k >= 1):
        return [(tail, grows)]
    return [(1.0, 0), (-tail, grows)]


def _finite_series(terms: Exponentials, h: float, length: int) -> float:
    """Sum over the reference and the ``length - 1`` points to its right."""
    return math.fsum(c * (math.expm1(h * m * length) / math.expm1(h * m) if m else length) for c, m in terms)


def _infinite_series(terms: Exponentials, h: float) -> float:
    """Sum over the reference and all points on the side where the exponentials fall."""
    return math.fsum(-c / math.expm1(h * m) for c, m in terms)
