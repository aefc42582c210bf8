"""``discreet bench``: what the defaults reach on public tables, in one table."""

from __future__ import annotations

import json as json_text
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli.options import JsonFlag

if TYPE_CHECKING:
    from discreet.benchmark.comparison import Contest
    from discreet.datasets import Dataset

DELTA = 1e-5
QUICK_EPSILONS, EPSILONS = (0.1, 1.0), (0.05, 0.1, 0.5, 1.0, 3.0)
QUICK_REPEATS, REPEATS = 3, 10

_NO_ADULT = (
    "Adult is left out: its files are not here, and bench downloads nothing.\n"
    'Fetch them once with: python -c "from discreet.datasets import load_adult; load_adult()"'
)
_PEERS = (
    "Other private libraries are compared by the repository's benchmarks/peers, which needs more packages\n"
    "(its README.md says how to run it)."
)


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Two budgets, three fits each.")] = False,
    json: JsonFlag = False,
) -> None:
    """Measure the defaults on public tables, beside learning without privacy.

    Uses scikit-learn's Breast cancer, a generated table, and Adult where its files are at hand.
    """
    from discreet.benchmark.comparison import compare, n_contests

    tables = _tables()
    epsilons, repeats = (QUICK_EPSILONS, QUICK_REPEATS) if quick else (EPSILONS, REPEATS)
    if not json:
        typer.echo(
            f"Means of {repeats} fits on records that were held out (standard error in brackets),\n"
            f"defaults, delta = {DELTA:g}, neighbours by replacement, one thread. Noise is real.\n"
        )
    contests = []
    with _bar(n_contests(len(tables), len(epsilons)), hidden=json) as bar:
        for contest in compare(tables, epsilons, DELTA, repeats, bar.set_description):
            contests.append(contest)
            bar.update()
    if json:
        typer.echo(json_text.dumps({"delta": DELTA, "repeats": repeats, "contests": _as_dicts(contests)}))
        return
    typer.echo(_written(contests))
    if len(tables) == 2:
        typer.echo(f"\n{_NO_ADULT}")
    typer.echo(f"\n{_PEERS}")


def _tables() -> list[Dataset]:
    from discreet.benchmark.tables import load_cells, make_hastie
    from discreet.datasets import load_adult
    from discreet.datasets.adult import TEST, TRAIN
    from discreet.datasets.published import data_folder

    here = all((data_folder() / file.name).exists() for file in (TRAIN, TEST))
    return [load_cells(), make_hastie(), *([load_adult()] if here else [])]


def _bar(total: int, hidden: bool) -> Any:
    from tqdm import tqdm

    return tqdm(total=total, leave=False, disable=hidden or not sys.stderr.isatty())


def _as_dicts(contests: Sequence[Contest]) -> list[dict[str, object]]:
    """Describe contests for programs; JSON knows no infinity, so a budget without bound is null."""
    return [
        {**asdict(contest), "epsilon": None if math.isinf(contest.epsilon) else contest.epsilon}
        for contest in contests
    ]


def _written(contests: Sequence[Contest]) -> str:
    from discreet.benchmark.markdown import markdown_table
    from discreet.benchmark.metrics import METRICS, mean_and_error

    header = [
        *("table", "learner", "epsilon", "accuracy", "AUC", "log loss", "Brier"),
        *("columns used", "seconds"),
    ]
    rows = []
    for contest in contests:
        figures = [mean_and_error([getattr(one, name) for one in contest.metrics]) for name in METRICS]
        rows.append(
            [
                *(contest.table, contest.learner, f"{contest.epsilon:g}"),
                *(f"{mean:.3f} ({error:.3f})" for mean, error in figures),
                *(f"{contest.columns:.1f}", f"{contest.seconds:.2f}"),
            ]
        )
    return markdown_table(header, rows)
