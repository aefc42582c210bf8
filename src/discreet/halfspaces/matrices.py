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
        negative = _words(seed, 0, shape)
        present = None
        if projection == "sparse":
            present = _words(seed, 1, shape)
            for stream in range(2, halvings(n_features) + 1):
                present &= _words(seed, stream, shape)
            if used := n_components % WORD:
                present[:, -1] &= np.uint64(2**used - 1)
        return cls(n_components, negative, present)

    @property
    def checksum(self) -> str:
        """A digest of all entries."""
        digest = hashlib.sha256(self.negative.astype("<u8", copy=False).data)
        if self.present is not None:
            digest.update(self.present.astype("<u8", copy=False).data)
        return "sha256:" + digest.hexdigest()


def halvings(n_features: int) -> int:
    """Return k >= 1 for which an entry of a sparse matrix is kept with probability 2^-k."""
    return max(1, ((2 * n_features).bit_length() - 1) // 2)


def _words(seed: int, stream: int, shape: tuple[int, int]) -> Words:
    generator = np.random.Philox(key=[seed, stream])
    return generator.random_raw(shape[0] * shape[1]).reshape(shape)
