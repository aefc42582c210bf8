"""A figure a table: accuracy and AUC against epsilon, as SVG."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("svg")
import matplotlib.pyplot as plt

from benchmarks.peers.cited import CITED_NAME
from benchmarks.peers.summary import Rows

# Ours in greens and thick, peers in other colours and thin; variants are left to the tables.
STYLES = {
    "discreet rules": ("#0b6e4f", "o-", 2.2),
    "discreet trees": ("#3fa34d", "s-", 2.2),
    "discreet halfspace": ("#93c572", "D-", 2.2),
    "DP-EBM": ("#b5651d", "o:", 1.2),
    "DP-EBM, rate 0.1": ("#b5651d", "o-", 1.2),
    "diffprivlib LR, scaled": ("#3d5a98", "v-", 1.2),
    "diffprivlib LR, bins": ("#3d5a98", "v:", 1.2),
    "diffprivlib forest": ("#8ab0e0", "^-", 1.2),
    "dp-xgboost": ("#7a5195", "P-", 1.2),
    "objective perturbation, scaled": ("#c0392b", "x-", 1.2),
    "objective perturbation, bins": ("#c0392b", "x:", 1.2),
    "objective perturbation, bins, shrunk": ("#c0392b", "x--", 1.2),
}
OPEN = {"XGBoost depth 6": "--", "logistic regression, bins": ":"}
PANELS = {"accuracy": "accuracy", "auc": "AUC"}


def draw(title: str, rows: Rows, cited: dict[float, tuple[float, float]], path: Path) -> None:
    """Draw one table's figure; bars are standard errors."""
    # The same results give the same bytes.
    mpl.rcParams["svg.hashsalt"] = title
    figure, panels = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for place, (axes, (name, label)) in enumerate(zip(panels, PANELS.items(), strict=True)):
        _lines(axes, rows, name)
        if cited:
            epsilons = sorted(cited)
            values = [cited[epsilon][place] for epsilon in epsilons]
            axes.plot(epsilons, values, "*", color="#222222", markersize=9, label=CITED_NAME)
        axes.set_xscale("log")
        axes.set_xlabel("epsilon")
        axes.set_ylabel(label)
        axes.spines[["top", "right"]].set_visible(False)
    budgets = sorted({epsilon for _, epsilon in rows if math.isfinite(epsilon)})
    for axes in panels:
        axes.set_xticks(budgets, [f"{epsilon:g}" for epsilon in budgets])
        axes.minorticks_off()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False, fontsize=8)
    figure.suptitle(title, fontsize=10)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def _lines(axes: Any, rows: Rows, name: str) -> None:
    for contestant, (colour, style, width) in STYLES.items():
        of_it = [row for (who, _), row in rows.items() if who == contestant and row.results]
        if of_it:
            epsilons = [row.epsilon for row in of_it]
            means, errors = [row.mean(name) for row in of_it], [row.error(name) for row in of_it]
            axes.errorbar(
                epsilons,
                means,
                errors,
                fmt=style,
                color=colour,
                linewidth=width,
                markersize=4,
                label=contestant,
            )
    for contestant, style in OPEN.items():
        row = rows.get((contestant, math.inf))
        if row is not None and row.results:
            label = f"{contestant}, not private"
            axes.axhline(row.mean(name), color="#555555", linestyle=style, linewidth=1, label=label)
