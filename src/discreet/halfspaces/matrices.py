"""Public random matrices of signs: each is a function of its seed, and of no record.

This is randomness that everybody may know, and not noise: the privacy of a fit does not rest on it. A matrix
has a row of words for each column of the records, a bit a component. "dense" is that of the paper: every
entry is 1 or -1. "sparse" keeps an entry with probability 2^-k, the power of two next to 1/sqrt(n_features),
which is the density of Li, Hastie and Church (2006).

The words are the raw stream of numpy's Philox generator, which numpy promises never to change. A model file
keeps the matrix's checksum all the same: predictions with another matrix would be wrong without a word.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

Projection = Literal["dense", "sparse"]

PROJECTIONS: tuple[Projection, ...] = ("dense", "sparse")

WORD = 64

_DIGESTED = 64

Words = npt.NDArray[np.uint64]
"""[column of the records, word]; component k is bit k % 64 of word k // 64."""


@dataclass(frozen=True, eq=False)
class SignMatrix:
    """A matrix R of signs; a record x becomes R x.

    Parameters
    ----------
    n_components : int
        The rows of R.
    negative : array of uint64
        Where an entry is -1 rather than 1.
    present : array of uint64 or None
        Where an entry is not 0; None if none is.
    """

    n_components: int
    negative: Words
    present: Words | None

    @classmethod
    def of(cls, projection: Projection, n_components: int, n_features: int, seed: int) -> SignMatrix:
        """Draw a matrix from a public seed.

        Parameters
        ----------
        projection : {"dense", "sparse"}
            Which kind.
        n_components, n_features : int
            Its shape.
        seed : int
            Below 2^64.
        """
        shape = n_features, -(-n_components // WORD)
        signs = np.random.Philox(key=[seed, 0])
        if projection == "dense":
            return cls(n_components, signs.random_raw(shape[0] * shape[1]).reshape(shape), None)
        kept = _kept(seed, n_features * n_components, halvings(n_features))
        drawn = signs.random_raw(-(-len(kept) // WORD)).astype("<u8")
        minus = np.unpackbits(drawn.view(np.uint8), bitorder="little")[: len(kept)] == 1
        negative, present = (_bits(places, n_components, shape) for places in (kept[minus], kept))
        return cls(n_components, negative, present)

    @property
    def checksum(self) -> str:
        """A digest of every 64th column of entries: another generator would change them all."""
        digest = hashlib.sha256()
        for words in (self.negative, self.present):
            if words is not None:
                digest.update(words[::_DIGESTED].astype("<u8").data)
        return "sha256:" + digest.hexdigest()


def halvings(n_features: int) -> int:
    """Return k >= 1 for which an entry of a sparse matrix is kept with probability 2^-k."""
    return max(1, ((2 * n_features).bit_length() - 1) // 2)


def _kept(seed: int, n_entries: int, k: int) -> npt.NDArray[np.int64]:
    """Return the places of the entries that are kept, each with probability 2^-k, column by column.

    The gap before the next one is at least g with probability (1 - 2^-k)^g, which is kept in a table of
    64-bit numbers: so a gap is a function of one word of the stream, without a logarithm that machines
    compute differently.
    """
    generator, table = np.random.Philox(key=[seed, 1]), _at_least(k)
    parts, end = [np.zeros(0, dtype=np.int64)], -1
    while end < n_entries:
        words = generator.random_raw((n_entries >> k) + 1000)
        gaps = len(table) - np.searchsorted(table, words, side="right")
        parts.append(end + np.cumsum(gaps + 1))
        end = int(parts[-1][-1])
    places = np.concatenate(parts)
    return places[: np.searchsorted(places, n_entries)]


def _at_least(k: int) -> npt.NDArray[np.uint64]:
    """Return 2^64 (1 - 2^-k)^g for g = 1, 2, ... in ascending order, as whole numbers above 0."""
    fine, table = 1 << 192, []
    while (fine := fine - (fine >> k)) >> 128:
        table.append(fine >> 128)
    return np.array(table[::-1], dtype=np.uint64)


def _bits(places: npt.NDArray[np.int64], n_components: int, shape: tuple[int, int]) -> Words:
    """Set the bit of each of these entries."""
    column, component = np.divmod(places, n_components)
    word = column * shape[1] + component // WORD
    bits = np.uint64(1) << (component % WORD).astype(np.uint64)
    first = np.flatnonzero(np.diff(word, prepend=-1))
    words = np.zeros(shape[0] * shape[1], dtype=np.uint64)
    words[word[first]] = np.bitwise_or.reduceat(bits, first)
    return words.reshape(shape)
