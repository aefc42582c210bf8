"""Tables and plots of what `dimension`, `components` and `sample_size` measured.

    python -m benchmarks.paper.halfspaces.figures

Reads results/*.csv; writes results/*.md and results/*.svg.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from benchmarks.paper.halfspaces.dimension import RESULTS
from benchmarks.paper.halfspaces.sample_size import HARDLY_PRIVATE, exponent

PERTURBATION = "objective perturbation"
COLOURS = {"projected": "#0b6e4f", "without projection": "#b5651d", PERTURBATION: "#444444"}
TITLES = {
    "exact": "exact: the margin on every record",
    "spread": "spread: the margin and more",
    "pulled": "pulled: the mean errs on 0.3",
    "text": "text: 100 words a record",
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
        len(sizes), len(TITLES), figsize=(12, 5.6), sharey=True, sharex="col", layout="constrained"
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


def components_table(runs: pd.DataFrame) -> str:
    """Return a line for each source and n: the mean error at each m."""
    means = runs.groupby(["source", "records", "components"]).error.mean().unstack()
    lines = [
        "| source | n | " + " | ".join(f"m = {m:,}" for m in means.columns) + " |",
        "|---|---|" + "---|" * len(means.columns),
    ]
    for (source, records), row in means.iterrows():
        lines.append(f"| {source} | {records:,} | " + " | ".join(f"{error:.4f}" for error in row) + " |")
    return "\n".join(lines) + "\n"


def by_variable(sizes: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the settings in which the margin changes, and those in which epsilon does."""
    return {
        "margin": sizes.query("epsilon == 1"),
        "epsilon": sizes.query("margin == 0.2 and epsilon != @HARDLY_PRIVATE"),
    }


def sample_size_table(sizes: pd.DataFrame) -> str:
    """Return a line for each setting, and the exponents."""
    lines = [
        "| source | margin | epsilon | m | least n (sd) | n epsilon margin^2 |",
        "|---|---|---|---|---|---|",
    ]
    for (source, margin, epsilon, m), part in sizes.groupby(["source", "margin", "epsilon", "components"]):
        n, spread = part.records.mean(), part.records.std(ddof=1)
        scaled = "-" if epsilon == HARDLY_PRIVATE else f"{n * epsilon * margin**2:.2f}"
        lines.append(f"| {source} | {margin:g} | {epsilon:g} | {m:,} | {n:,.0f} ({spread:.0f}) | {scaled} |")
    lines += ["", "| source | n grows as | exponent (sd over groups) |", "|---|---|---|"]
    for source, part in sizes.groupby("source"):
        for variable, changing in by_variable(part).items():
            mean, spread = exponent(changing, variable)
            lines.append(f"| {source} | 1/{variable} | {mean:.3f} ({spread:.3f}) |")
    return "\n".join(lines) + "\n"


def sample_size_plot(sizes: pd.DataFrame) -> None:
    """Draw the least n against margin and epsilon, with the powers of the theorem through the middle."""
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained")
    for axis, (variable, power) in zip(axes, (("margin", 2), ("epsilon", 1)), strict=True):
        for (source, part), colour in zip(sizes.groupby("source"), ("#0b6e4f", "#b5651d"), strict=True):
            found = by_variable(part)[variable]
            at = np.sort(found[variable].unique())
            constant = np.exp(np.mean(np.log(found.records) + power * np.log(found[variable])))
            axis.plot(at, constant * at**-power, ":", color=colour)
            axis.plot(found[variable], found.records, "o", color=colour, alpha=0.5, label=TITLES[source])
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_xticks(at, [f"{value:g}" for value in at])
        axis.minorticks_off()
        axis.set_xlabel(f"{variable}; dotted: n as 1/{variable}" + ("^2" if power == 2 else ""))
        axis.set_ylabel("n for an error of 0.1")
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].legend(frameon=False, fontsize=8)
    figure.savefig(RESULTS / "sample_size.svg", metadata={"Date": None})


def of_dimension(runs: pd.DataFrame) -> str:
    """Draw the plot, and return the table."""
    # DataFrame.columns is taken.
    table = summary(runs).rename(columns={"columns": "columns_"})
    dimension_plot(table)
    return dimension_table(table)


def of_sample_size(sizes: pd.DataFrame) -> str:
    """Draw the plot, and return the table."""
    sample_size_plot(sizes)
    return sample_size_table(sizes)


def main() -> None:
    """Print and write the tables and plots of all that has been measured."""
    plt.rcParams["svg.hashsalt"] = "halfspaces"
    makers = {"dimension": of_dimension, "components": components_table, "sample_size": of_sample_size}
    for path in sorted(RESULTS.glob("*.csv")):
        text = makers[path.stem](pd.read_csv(path))
        path.with_suffix(".md").write_text(text)
        print(text)


if __name__ == "__main__":
    main()
