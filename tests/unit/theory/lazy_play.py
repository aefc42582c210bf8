"""Lazy Bregman play in real numbers, as the paper writes it: for checks of its theorems."""

import numpy as np


def capped_scaling(levels, learning_rate, density):
    """Return min(1, c exp(-learning_rate s)) with c such that the weights sum to density * n (Lemma 9)."""
    exponents = -learning_rate * np.asarray(levels, dtype=float)
    # With the k largest at the cap, c is (mass - k)/sum of the others; the right k caps none of the others.
    order = np.sort(exponents)[::-1]
    target = density * len(order)
    tails = np.cumsum(np.exp(order - order[0])[::-1])[::-1]
    for capped in range(int(target) + 1):
        scale = (
            np.log((target - capped) / tails[capped]) - order[0] if target > capped else -order[capped - 1]
        )
        if order[capped] + scale <= 1e-12:
            break
    return np.exp(np.minimum(0.0, exponents + scale))


def boost_halfspaces(signed, density, rounds, learning_rate, noise):
    """Boost noisy weighted means of the records y x; return summed levels and the norms of the means."""
    levels = np.zeros(len(signed))
    norms = np.empty(rounds)
    for t in range(rounds):
        weights = capped_scaling(levels, learning_rate, density)
        mean = weights @ signed / weights.sum()
        norms[t] = np.linalg.norm(mean)
        levels += signed @ (mean + noise[t])
    return levels, norms
