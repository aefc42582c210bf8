"""Figures of peers that cannot be run here, as their authors give them. Cited, never measured."""

from __future__ import annotations

CITED_NAME = "S-BDT (cited)"
CITED_SOURCE = (
    "S-BDT: T. Peinemann, M. Kirschte, J. Stock, C. Cotrini and E. Mohammadi, S-BDT: Distributed "
    "Differentially Private Boosted Decision Trees, 2023. Not on PyPI, so its figures are cited, not run "
    "here: other code, other columns, on Adult settings tuned on Adult. delta is 1e-5, neighbours by "
    "adding or removing a record."
)

CITED: dict[str, dict[float, tuple[float, float]]] = {
    "adult": {
        0.05: (0.830, 0.873),
        0.1: (0.844, 0.892),
        0.5: (0.855, 0.907),
        1.0: (0.857, 0.909),
        3.0: (0.859, 0.912),
    },
    "mushroom": {0.1: (0.940, 0.986), 1.0: (0.979, 0.998)},
}
"""Accuracy and AUC by table and epsilon."""
