"""The tables of docs/theory.md, printed by ``python -m discreet.theory``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from discreet.theory.halfspaces import HalfspaceParameters
from discreet.theory.halfspaces_as_printed import theorem_25
from discreet.theory.lazy_bregman import round_bound
from discreet.theory.projected_halfspaces import DescentTheorem, NetTheorem
from discreet.theory.projected_halfspaces_as_printed import theorem_2, theorem_4
from discreet.theory.resampling import theorem_56, theorem_57
from discreet.theory.stopping import theorem_53

EPSILON, DELTA, BETA = 1.0, 1e-6, 0.05
BASE_EPSILON, BASE_SIZE = 0.1, 100


def comparison() -> str:
    """Return sample sizes by resampling: this framework (57) beside Dwork, Rothblum, Vadhan (56)."""
    rows = []
    for alpha in (0.2, 0.1, 0.05):
        for advantage in (0.2, 0.1, 0.05):
            goal = (BASE_EPSILON, BASE_SIZE, advantage, alpha, EPSILON, DELTA)
            ours = theorem_57(*goal)
            theirs = theorem_56(*goal, failure=BETA)
            ratio = theirs.n_records / ours.n_records
            rows.append(
                (
                    alpha,
                    advantage,
                    ours.rounds,
                    f"{ours.n_records:.2e}",
                    f"{theirs.n_records:.2e}",
                    f"{ratio:.0f}",
                )
            )
    return _markdown(("alpha", "gamma", "rounds", "Theorem 57", "Theorem 56", "ratio"), rows)


def halfspaces() -> str:
    """Return sample sizes for halfspaces: what is proven here, and the arithmetic of Theorem 25."""
    rows = []
    for alpha, margin in ((0.2, 0.5), (0.1, 0.5), (0.1, 0.2), (0.1, 0.1), (0.05, 0.1)):
        goal = {"alpha": alpha, "beta": BETA, "epsilon": EPSILON, "delta": DELTA, "margin": margin}
        proven = HalfspaceParameters.for_theorem(**goal, noise_rate=alpha * margin / 32)
        printed = theorem_25(**goal)
        rows.append(
            (
                alpha,
                margin,
                proven.rounds,
                *(f"{size:.2e}" for size in (proven.sizes.privacy, proven.sizes.label_noise)),
                f"{proven.sizes.generalisation:.2e}",
                f"{proven.max_dimension:.1e}",
                f"{printed.privacy:.2e}",
                f"{printed.generalisation:.2e}",
            )
        )
    heads = ("alpha", "tau", "rounds", "privacy", "label noise", "generalisation", "columns at most")
    return _markdown((*heads, "privacy, as printed", "generalisation, as printed"), rows)


def rounds() -> str:
    """Return rounds and margins: lazy Bregman (Theorem 20) beside SmoothBoost (Theorem 53)."""
    rows = []
    for density in (0.2, 0.1, 0.05):
        for advantage in (0.2, 0.1, 0.05):
            lazy = round_bound(advantage, density)
            smooth = theorem_53(0.01, 1e-9, advantage, density, BETA, DELTA)
            rows.append((density, advantage, lazy.rounds, smooth.rounds, lazy.margin, f"{smooth.margin:.3f}"))
    heads = ("kappa", "gamma", "rounds, Theorem 20", "rounds, Theorem 53")
    return _markdown((*heads, "margin, Theorem 20", "margin, Theorem 53"), rows)


def nets() -> str:
    """Return what a net of each size asks for, for records that need no projection."""
    rows = []
    for exponent in (2, 4, 6, 8, 12):
        theorem, size = NetTheorem(BETA, EPSILON, 0.3), exponent * math.log(10)
        needed = (theorem.n_records(alpha, size) for alpha in (0.2, 0.1, 0.05, 0.01))
        rows.append((f"10^{exponent}", f"{theorem.n_errors(size):.1f}", *needed))
    return _markdown(
        ("candidates", "errors", *(f"n, alpha = {alpha}" for alpha in (0.2, 0.1, 0.05, 0.01))), rows
    )


def projections() -> str:
    """Return m and n of projected halfspaces: what is proven here, and by the paper's own arithmetic."""
    rows = []
    for alpha, margin in ((0.1, 0.5), (0.1, 0.3), (0.1, 0.2), (0.1, 0.1), (0.01, 0.3)):
        row: list[object] = [alpha, margin]
        for theorem, printed in (
            (DescentTheorem(BETA, EPSILON, DELTA, margin), theorem_2(alpha, BETA, EPSILON, DELTA, margin)),
            (NetTheorem(BETA, EPSILON, margin), theorem_4(alpha, BETA, EPSILON, margin)),
        ):
            n = theorem.n_records(alpha)
            row += [theorem.n_components(n), f"{n:.2e}"]
            row += [f"{printed.n_components:.1e}", f"{printed.n_records:.1e}"]
        rows.append(row)
    columns = ("m", "n", "m, as printed", "n, as printed")
    heads = [f"{learner}: {column}" for learner in ("descent", "net") for column in columns]
    return _markdown(("alpha", "gamma", *heads), rows)


TABLES = {
    "comparison": comparison,
    "halfspaces": halfspaces,
    "rounds": rounds,
    "projections": projections,
    "nets": nets,
}
"""By the name that marks each in docs/theory.md."""


def _markdown(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
