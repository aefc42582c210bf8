"""Tables and plots of what `dimension` and `sample_size` measured.

    python -m benchmarks.paper.halfspaces.figures

Reads results/*.csv; writes results/*.md and results/*.svg.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from benchmarks.paper.halfspaces.dimension import RESULTS
from benchmarks.paper.halfspaces.sample_size import HARDLY_PRIVATE

PERTURBATION = "objective perturbation"
COLOURS = {"projected": "#0b6e4f", "without projection": "#b5651d", PERTURBATION: "#444444"}
TITLES = {
    "exact": "margin 0.2 on every record",
    "spread": "margins from 0.2 to 1",
    "text": "texts of 100 words, margin 0.2",
}
PLACE = ["source", "records", "columns", "components"]


def summary(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the mean error and its standard error; of objective perturbation, at its best strength.

    The best in each place by its error on the source, which nobody could choose privately: in its favour.
    """
    errors = runs.groupby([*PLACE, "learner"]).error
    table = pd.DataFrame({"mean": errors.mean(), "se": errors.sem()}).reset_index()
    table["learner"] = table.learner.str.partition(",")[0]
    return table.sort_values("mean").groupby([*PLACE, "learner"], as_index=False).first()


def dimension_table(table: pd.DataFrame) -> str:
    """Return a line for each source, n and learner, and what the error grew by."""
    lines = []
    for (source, records, components), part in table.groupby(["source", "records", "components"]):
        columns = sorted(part.columns_.unique())
        lines += [
            f"\n**{TITLES[source]}**, n = {records:,}, m = {components}, epsilon 1, delta 1e-6\n",
            "| learner | " + " | ".join(f"d = {d:,}" for d in columns) + " | growth |",
            "|---|" + "---|" * (len(columns) + 1),
        ]
        for learner in COLOURS:
            rows = part[part.learner == learner].set_index("columns_").loc[columns]
            growth = rows["mean"].iloc[-1] - rows["mean"].iloc[0]
            spread = np.hypot(rows.se.iloc[-1], rows.se.iloc[0])
            cells = [f"{row['mean']:.4f} ({row.se:.4f})" for _, row in rows.iterrows()]
            lines.append(f"| {learner} | " + " | ".join(cells) + f" | {growth:+.4f} ({spread:.4f}) |")
    return "\n".join(lines) + "\n"


def dimension_plot(table: pd.DataFrame) -> None:
    """Draw error against dimension: a column of plots for each source, a row for each n."""
    sizes = sorted(table.records.unique())
    figure, axes = plt.subplots(
        len(sizes), len(TITLES), figsize=(10, 5.6), sharey=True, sharex="col", layout="constrained"
    )
    for row, records in zip(axes, sizes, strict=True):
        for axis, (source, title) in zip(row, TITLES.items(), strict=True):
            _dimension_axis(axis, table[(table.source == source) & (table.records == records)])
            axis.set_title(f"{title}\nn = {records:,}", fontsize=9)
    for axis in axes[-1]:
        axis.set_xlabel("d, columns")
    for axis in axes[:, 0]:
        axis.set_ylabel("error")
    axes[0, 0].legend(frameon=False, fontsize=8)
    figure.savefig(RESULTS / "dimension.svg", metadata={"Date": None})


def _dimension_axis(axis: Axes, part: pd.DataFrame) -> None:
    for learner, colour in COLOURS.items():
        rows = part[part.learner == learner].sort_values("columns_")
        axis.errorbar(
            rows.columns_, rows["mean"], 2 * rows.se, fmt="o-", color=colour, label=learner, capsize=2
        )
    axis.set_xscale("log")
    axis.spines[["top", "right"]].set_visible(False)


def exponent(part: pd.DataFrame, variable: str) -> tuple[float, float]:
    """Return the exponent of 1/variable in n: mean over the groups' fits, and their standard deviation."""
    slopes = [
        -np.polyfit(np.log(group[variable]), np.log(group.records), 1)[0]
        for _, group in part.groupby("group")
    ]
    return float(np.mean(slopes)), float(np.std(slopes, ddof=1))


def sample_size_table(sizes: pd.DataFrame, by_margin: pd.DataFrame, by_epsilon: pd.DataFrame) -> str:
    """Return a line for each setting, and the exponents."""
    lines = ["| margin | epsilon | m | least n (sd) | n epsilon margin^2 |", "|---|---|---|---|---|"]
    for (margin, epsilon, components), part in sizes.groupby(["margin", "epsilon", "components"]):
        n, spread = part.records.mean(), part.records.std(ddof=1)
        scaled = "-" if epsilon == HARDLY_PRIVATE else f"{n * epsilon * margin**2:.2f}"
        lines.append(f"| {margin:g} | {epsilon:g} | {components:,} | {n:,.0f} ({spread:.0f}) | {scaled} |")
    lines += ["", "| n grows as | exponent (sd over groups) |", "|---|---|"]
    for name, part, variable in (
        ("1/margin at epsilon 1", by_margin, "margin"),
        ("1/epsilon at margin 0.2", by_epsilon, "epsilon"),
    ):
        mean, spread = exponent(part, variable)
        lines.append(f"| {name} | {mean:.3f} ({spread:.3f}) |")
    return "\n".join(lines) + "\n"


def sample_size_plot(by_margin: pd.DataFrame, by_epsilon: pd.DataFrame) -> None:
    """Draw the least n against margin and epsilon, with the powers of the theorem through the middle."""
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained")
    for axis, part, variable, power in (
        (axes[0], by_margin, "margin", 2),
        (axes[1], by_epsilon, "epsilon", 1),
    ):
        at = np.sort(part[variable].unique())
        constant = np.exp(np.mean(np.log(part.records) + power * np.log(part[variable])))
        axis.plot(at, constant * at**-power, ":", color="#999999", label=f"1/{variable}^{power}")
        axis.plot(part[variable], part.records, "o", color="#0b6e4f", alpha=0.5, label="least n, each group")
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xticks(at, [f"{value:g}" for value in at])
        axis.minorticks_off()
        axis.set_xlabel(variable)
        axis.set_ylabel("n for an error of 0.1")
        axis.legend(frameon=False, fontsize=9)
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(RESULTS / "sample_size.svg", metadata={"Date": None})


def main() -> None:
    """Write all of them, and print the tables."""
    plt.rcParams["svg.hashsalt"] = "halfspaces"
    # DataFrame.columns is taken.
    table = summary(pd.read_csv(RESULTS / "dimension.csv")).rename(columns={"columns": "columns_"})
    sizes = pd.read_csv(RESULTS / "sample_size.csv")
    by_margin, by_epsilon = sizes.query("epsilon == 1"), sizes.query("margin == 0.2 and epsilon < 1000")
    dimension_plot(table)
    sample_size_plot(by_margin, by_epsilon)
    for name, text in (
        ("dimension", dimension_table(table)),
        ("sample_size", sample_size_table(sizes, by_margin, by_epsilon)),
    ):
        (RESULTS / f"{name}.md").write_text(text)
        print(text)


if __name__ == "__main__":
    main()
