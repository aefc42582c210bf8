"""Write results/ as tables and figures: `python -m benchmarks.peers.report`."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.peers.cited import CITED, CITED_NAME, CITED_SOURCE
from benchmarks.peers.contestants import CONTESTANTS, Contestant
from benchmarks.peers.paired import Interval
from benchmarks.peers.plots import draw
from benchmarks.peers.results import Result, read_results
from benchmarks.peers.run import EPSILONS, RESULTS
from benchmarks.peers.summary import Row, Rows, duels, failures, representative, rows_of
from benchmarks.peers.tables import FOLDS, TABLES
from discreet.benchmark.markdown import markdown_table
from discreet.benchmark.metrics import METRICS

Key = tuple[str, float]

BUDGETS = sorted(EPSILONS)
N_PEERS = sum(contestant.is_private and not contestant.is_ours for contestant in CONTESTANTS)
CONTESTANT = {contestant.name: contestant for contestant in CONTESTANTS}


TITLES = {
    "adult": "Adult (official split, ten seeds)",
    "mushroom": "Mushroom (ten folds)",
    "cod-rna": "Cod-RNA (ten folds)",
    "rand": "RAND health insurance (ten folds)",
    "fair": "Fair's survey (ten folds)",
    "clusters": "Clusters, generated (ten folds)",
    "hastie": "Hastie 10.2, generated (ten folds)",
    "digits": "Digits, odd or even (ten folds)",
    "cells": "Breast cancer (ten folds)",
}

READING = """\
Written by `python -m benchmarks.peers.report` from [results.csv](results.csv), a line a fit.
[How it is run, what each column means, what is not private](../README.md).

**Bold** is a private peer, run here or cited, that is ahead of this library's defaults (on Adult the rules,
elsewhere the best of rules, trees and halfspace by accuracy) in that figure's mean. Peers marked add-remove
promise less than replace: there, one record more or less; here, one record exchanged for another."""

PAIRED = """\
Ours minus theirs on the same seeds or folds: mean, and Student's 95% interval of the mean; bold where ours is
not ahead. Seeds of one split tell of the noise of learning only; folds share training rows, so their
intervals are somewhat too narrow; nothing is corrected for the number of comparisons, nor for taking the best
of our three."""


def overview(tables: dict[str, Rows], results: Sequence[Result]) -> str:
    """Write the first page: what was run, accuracy and AUC of all, who is ahead."""
    machines = sorted({result.machine for result in results})
    parts = [
        "# This library beside its peers: results",
        READING,
        "## What was run",
        _done(tables),
        *(_matrix(table, rows) for table, rows in tables.items()),
        "## Sources and software",
        CITED_SOURCE,
        f"Machine: {'; '.join(machines)}. One thread a fit.",
        _software(results),
    ]
    return "\n\n".join(parts) + "\n"


def _done(tables: dict[str, Rows]) -> str:
    wanted = list(_wanted())
    lines = []
    for table in TABLES:
        rows = tables.get(table, {})
        missing = [key for key in wanted if key not in rows or not rows[key].is_whole]
        lines.append([table, f"{len(wanted) - len(missing)} of {len(wanted)}", _named(missing, wanted)])
    return markdown_table(["table", f"rows with all {FOLDS} fits", "not run yet"], lines)


def _named(missing: Sequence[Key], wanted: Sequence[Key]) -> str:
    """Name the budgets that are missing, and of how many contestants where not of all."""
    if len(missing) == len(wanted):
        return "everything"
    told = []
    for epsilon in sorted({epsilon for _, epsilon in missing}):
        names = {name for name, budget in missing if budget == epsilon}
        whole = len(names) == sum(budget == epsilon for _, budget in wanted)
        told.append(f"epsilon {epsilon:g}" + ("" if whole else f" ({len(names)} contestants)"))
    return "; ".join(told) or "nothing"


def _wanted() -> Iterator[Key]:
    for contestant in CONTESTANTS:
        budgets = BUDGETS if contestant.is_private else [math.inf]
        yield from ((contestant.name, epsilon) for epsilon in budgets)


def _matrix(table: str, rows: Rows) -> str:
    """Write accuracy / AUC of every contestant against the budgets, and who is ahead."""
    run = [epsilon for epsilon in BUDGETS if any(found == epsilon for _, found in rows)]
    best = {epsilon: representative(table, rows, epsilon) for epsilon in run}
    lines = []
    for contestant in CONTESTANTS:
        cells = [_pair(rows.get((contestant.name, epsilon)), contestant, best[epsilon]) for epsilon in run]
        if contestant.is_private:
            lines.append([contestant.name, contestant.adjacency, f"{contestant.delta:g}", *cells, ""])
        else:
            free = _pair(rows.get((contestant.name, math.inf)), contestant, None)
            lines.append([contestant.name, "", "", *([""] * len(run)), free])
    if table in CITED:
        cited = [_cited(CITED[table].get(epsilon), best[epsilon]) for epsilon in run]
        lines.append([CITED_NAME, "add-remove", "1e-05", *cited, ""])
    header = ["", "neighbours", "delta", *(f"{epsilon:g}" for epsilon in run), "no privacy"]
    reasons = [f"* {name}: {n} fits without figures: {why}" for (name, why), n in failures(rows).items()]
    return "\n\n".join(
        [
            f"## {TITLES[table]}",
            f"![{table}]({table}.svg)\n\nAccuracy / AUC, means of {FOLDS}. "
            f"[All figures, standard errors and paired differences]({table}.md).",
            markdown_table(header, lines),
            *(["\n".join(reasons)] if reasons else []),
            _verdicts(table, rows, run),
        ]
    )


def _pair(row: Row | None, contestant: Contestant, ours: Row | None) -> str:
    if row is None or not row.results:
        return "-"
    peer = contestant.is_private and not contestant.is_ours
    written = " / ".join(
        _emphasised(f"{row.mean(name):.4f}", peer and ours is not None and row.mean(name) > ours.mean(name))
        for name in ("accuracy", "auc")
    )
    return written if len(row.results) == FOLDS else f"{written} ({len(row.results)} fits)"


def _emphasised(text: str, so: bool) -> str:
    return f"**{text}**" if so else text


def _cited(figures: tuple[float, float] | None, ours: Row | None) -> str:
    if figures is None:
        return "-"
    pairs = zip(figures, ("accuracy", "auc"), strict=True)
    return " / ".join(
        _emphasised(f"{mean:.3f}", ours is not None and mean > ours.mean(name)) for mean, name in pairs
    )


def _verdicts(table: str, rows: Rows, run: Sequence[float]) -> str:
    lines = []
    for epsilon in run:
        ours = representative(table, rows, epsilon)
        if ours is None:
            continue
        cited = CITED.get(table, {}).get(epsilon)
        fought = duels(table, rows, epsilon)
        won = {(duel.ours.contestant, duel.theirs.contestant): duel.is_won for duel in fought}
        alike = f"{ours.contestant}, add/remove"
        ahead = [
            name + (f" (but {alike} is ahead of it)" if won.get((alike, name)) else "")
            for (mine, name), is_won in won.items()
            if mine == ours.contestant and not is_won
        ]
        if cited and (cited[0] > ours.mean("accuracy") or cited[1] > ours.mean("auc")):
            ahead.append(CITED_NAME)
        met = sum(mine == ours.contestant for mine, _ in won)
        said = f"ahead of all {met} private peers that were run"
        if met < N_PEERS:
            said += f", of {N_PEERS}"
        if ahead:
            said = f"**behind these, in accuracy or AUC: {'; '.join(ahead)}**"
        lines.append(f"* epsilon {epsilon:g}: {ours.contestant} {said}")
    return "\n".join(lines)


def details(table: str, rows: Rows) -> str:
    """Write one table's page: every figure with its standard error, and the paired differences."""
    header = [
        *("contestant", "epsilon", "neighbours", "delta", "accuracy", "AUC", "log loss", "Brier"),
        *("columns used", "fit seconds"),
    ]
    lines = [_detail(row) for row in sorted(rows.values(), key=lambda row: row.epsilon) if row.results]
    paired = [
        [f"{epsilon:g}", duel.ours.contestant, duel.theirs.contestant, _told(duel.accuracy), _told(duel.auc)]
        for epsilon in BUDGETS
        for duel in duels(table, rows, epsilon)
    ]
    return (
        "\n\n".join(
            [
                f"# {TITLES[table]}",
                f"Means of {FOLDS} fits (standard error of the mean).",
                markdown_table(header, lines),
                "## Paired differences",
                PAIRED,
                markdown_table(["epsilon", "ours", "theirs", "accuracy", "AUC"], paired),
            ]
        )
        + "\n"
    )


def _detail(row: Row) -> list[str]:
    contestant = CONTESTANT[row.contestant]
    return [
        *(row.contestant, f"{row.epsilon:g}", contestant.adjacency),
        f"{contestant.delta:g}" if contestant.is_private else "",
        *(f"{row.mean(name):.4f} ({row.error(name):.4f})" for name in METRICS),
        *(f"{row.mean('columns_used'):.1f}", f"{row.mean('seconds'):.2f}"),
    ]


def _told(interval: Interval) -> str:
    written = f"{interval.mean:+.4f} [{interval.low:+.4f}, {interval.high:+.4f}]"
    return f"**{written}**" if interval.mean <= 0 else written


def _software(results: Sequence[Result]) -> str:
    of_contestant = {(result.contestant, result.software) for result in results if result.software}
    scripts = {(CONTESTANT[name].script, software) for name, software in of_contestant if name in CONTESTANT}
    return markdown_table(["peer (script in inside/)", "software"], sorted(scripts))


def main() -> None:
    """Write every page and figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS / "results.csv")
    path = parser.parse_args().results
    results = read_results(path)
    found = rows_of(results)
    tables = {table: found[table] for table in TABLES if table in found}
    (path.parent / "README.md").write_text(overview(tables, results))
    for table, rows in tables.items():
        (path.parent / f"{table}.md").write_text(details(table, rows))
        draw(TITLES[table], rows, CITED.get(table, {}), path.parent / f"{table}.svg")


if __name__ == "__main__":
    main()
