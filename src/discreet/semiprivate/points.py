"""Which public points are labelled: few, and such that their labels tell classifiers apart.

Noise grows with the number of points to the power 3/2, so every point has to be worth it. *Witnesses* stand
for the class of classifiers: for rules, the rules themselves; for larger classes, conjunctions of two
literals, and some trees of depth 2. Points are taken one by one, each the one that tells apart the pairs of
witnesses which so far are labelled alike, a pair counting as much as there are public records on which its
two differ. Nothing private is read, and all sums are whole numbers, so the choice repeats on any machine.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from discreet.boosting.literals import literals_of
from discreet.schema.encode import Codes
from discreet.schema.schema import Schema
from discreet.semiprivate.oracles.base import Oracle
from discreet.semiprivate.oracles.exact import holds
from discreet.semiprivate.oracles.rules import ExactRules

Held = npt.NDArray[np.bool_]
"""[classifier, public record]"""

MOST_RULES = 320
MOST_CONJUNCTIONS = 160
MOST_TREES = 200
MOST_CANDIDATES = 2000

LEAST_SHARE = 0.02
"""A conjunction or a tree that holds for fewer of the public records matters little."""


def witnesses_of(oracle: Oracle, schema: Schema, public: Codes) -> Held:
    """Return what some classifiers, which stand for the oracle's class, say of public records."""
    literals = holds(literals_of(schema), public)
    if isinstance(oracle, ExactRules):
        return _rules(literals)
    return np.concatenate([_conjunctions(literals), _trees(literals)])


def separating(witnesses: Held, most: int) -> npt.NDArray[np.intp]:
    """Choose the public points to label.

    Parameters
    ----------
    witnesses : array of bool, [classifier, public record]
        What the points are to tell apart.
    most : int
        No more points; fewer, if they tell all witnesses apart.

    Returns
    -------
    array of int
        Which records, at least one, in the order in which they were taken.
    """
    candidates = _candidates(witnesses)
    alike = _differences(witnesses)
    chosen: list[int] = []
    while len(chosen) < most:
        left = np.flatnonzero(alike.any(axis=1))
        labels = witnesses[np.ix_(left, candidates)].astype(np.float64)
        pairs = alike[np.ix_(left, left)]
        # The sum of pairs[g, h] over g labelled 1 and h labelled 0, whole numbers below 2^53.
        told = pairs.sum(axis=1) @ labels - (labels * (pairs @ labels)).sum(axis=0)
        best = int(told.argmax())
        if chosen and told[best] == 0:
            break
        chosen.append(int(candidates[best]))
        label = witnesses[:, chosen[-1]]
        alike *= label[:, None] == label
    return np.array(chosen, dtype=np.intp)


def nearest(witnesses: Held, chosen: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return, for every public record, which of the chosen ones most witnesses label the same."""
    signs = np.where(witnesses, 1.0, -1.0)
    return np.asarray((signs[:, chosen].T @ signs).argmax(axis=0), dtype=np.intp)


def _rules(literals: Held) -> Held:
    rules = np.concatenate([literals, ~literals])
    return rules[_evenly(len(rules), MOST_RULES)]


def _conjunctions(literals: Held) -> Held:
    """Return conjunctions of two literals or their negations, from the most balanced to rare ones."""
    signed = np.concatenate([literals, ~literals])
    # Whole numbers: exact in any order.
    counts = signed.astype(np.float64) @ signed.T.astype(np.float64)
    one, other = np.triu_indices(len(signed), 1)
    shares = counts[one, other] / signed.shape[1]
    frequent = np.flatnonzero(shares >= LEAST_SHARE)
    balance = shares[frequent] * (1 - shares[frequent])
    ordered = frequent[np.argsort(-balance, kind="stable")]
    picked = ordered[_evenly(len(ordered), MOST_CONJUNCTIONS)]
    return np.concatenate([signed[one[picked]] & signed[other[picked]], literals[-1:], ~literals[-1:]])


def _trees(literals: Held) -> Held:
    """Return trees of depth 2 that are picked without regard to anything; none that is nearly constant."""
    found = []
    for number in range(2 * MOST_TREES):
        root, yes, no = (literals[mixed(number, place) % len(literals)] for place in range(3))
        labels = mixed(number, 3)
        inside = yes ^ bool(labels & 1)
        outside = no ^ bool(labels & 2)
        tree = np.where(root, inside, outside)
        if LEAST_SHARE <= tree.mean() <= 1 - LEAST_SHARE:
            found.append(tree)
    return np.array(found[:MOST_TREES], dtype=np.bool_).reshape(-1, literals.shape[1])


def mixed(*numbers: int) -> int:
    """Mix whole numbers into another one, the same on any machine: a choice that depends on no data."""
    return int.from_bytes(hashlib.sha256(repr(numbers).encode()).digest()[:6], "big")


def _evenly(size: int, most: int) -> npt.NDArray[np.intp]:
    """Return at most so many places, evenly spread."""
    kept = min(size, most)
    return np.arange(kept) * size // max(kept, 1)


def _candidates(witnesses: Held) -> npt.NDArray[np.intp]:
    """Return the first public record of each kind; of very many kinds, some."""
    first = np.sort(np.unique(witnesses, axis=1, return_index=True)[1])
    return first[_evenly(len(first), MOST_CANDIDATES)]


def _differences(witnesses: Held) -> npt.NDArray[np.float64]:
    """Return on how many public records each pair differs."""
    held = witnesses.astype(np.float64)
    both, each = held @ held.T, held.sum(axis=1)
    differences: npt.NDArray[np.float64] = each[:, None] + each - 2 * both
    return differences
