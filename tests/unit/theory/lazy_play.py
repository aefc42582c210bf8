"""Lazy Bregman play in real numbers, as the paper writes it: for checks of its theorems, not for privacy."""

import numpy as np


def capped_scaling(levels, learning_rate, density, counts=None):
    """Return min(1, c exp(-learning_rate s)) with c such that the weights sum to density * n (Lemma 9).

    ``counts`` tells how many records stand at each entry of ``levels``; one each by default.
    """
    exponents = -learning_rate * np.asarray(levels, dtype=float)
    counts = np.ones(len(exponents)) if counts is None else counts
    order = np.argsort(-exponents)
    sorted_counts, sorted_exponents = counts[order], exponents[order]
    # With the first j entries at the cap, c follows from the mass that is left; the right j is the first
    # that caps no other.
    mass = density * counts.sum() - np.concatenate([[0.0], np.cumsum(sorted_counts)[:-1]])
    top = sorted_exponents[0]
    rest = np.cumsum((sorted_counts * np.exp(sorted_exponents - top))[::-1])[::-1]
    with np.errstate(invalid="ignore", divide="ignore"):
        scales = np.log(mass / rest) - top
        first = np.argmax((mass > 0) & (sorted_exponents + scales <= 1e-12))
    return np.exp(np.minimum(0.0, exponents + scales[first]))


def boost_halfspaces(signed, density, rounds, learning_rate, noise, counts=None):
    """Boost noisy weighted means of the records y x: Algorithm 4.

    Parameters
    ----------
    signed : ndarray
        A record y x a row.
    noise : iterable of ndarray
        What to add to the mean of each round.
    counts : ndarray, optional
        How many records each row stands for.

    Returns
    -------
    vector, levels, norms
        The summed means, y <vector, x> of each row, and the norm of each mean before noise.
    """
    counts = np.ones(len(signed)) if counts is None else counts
    vector, norms = np.zeros(signed.shape[1]), []
    for _, drawn in zip(range(rounds), noise, strict=False):
        weights = counts * capped_scaling(signed @ vector, learning_rate, density, counts)
        mean = weights @ signed / weights.sum()
        norms.append(np.linalg.norm(mean))
        vector = vector + mean + drawn
    return vector, signed @ vector, np.array(norms)
