"""`discreet bench`, and a run of peers that is broken off and goes on."""

import importlib
import json
import sys

import pytest
from typer.testing import CliRunner

from discreet.cli import app


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """One budget, two fits, no Adult."""
    module = importlib.import_module("discreet.cli.bench")
    monkeypatch.setattr(module, "QUICK_EPSILONS", (1.0,))
    monkeypatch.setattr(module, "QUICK_REPEATS", 2)
    monkeypatch.setenv("DISCREET_DATA_HOME", str(tmp_path))


@pytest.mark.usefixtures("tiny")
def test_bench_prints_one_table():
    result = CliRunner().invoke(app, ["bench", "--quick"])
    assert result.exit_code == 0, result.output
    lines = [line for line in result.output.splitlines() if line.startswith("|")]
    assert len(lines) == 2 + 2 * 4
    assert len({len(line) for line in lines}) == 1
    for words in ("Breast cancer", "Hastie 10.2", "halfspace", "no privacy", "Adult is left out"):
        assert words in result.output


@pytest.mark.usefixtures("tiny")
def test_bench_for_programs():
    result = CliRunner().invoke(app, ["bench", "--quick", "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.output)
    assert told["repeats"] == 2
    assert len(told["contests"]) == 8
    free, rules = told["contests"][:2]
    assert free["epsilon"] is None
    assert rules["learner"] == "rules"
    assert 0.5 < rules["metrics"][0]["accuracy"] <= 1
    assert 1 <= rules["columns"] <= 10


@pytest.fixture
def run_peers(monkeypatch, tmp_path):
    """Return what runs ten fits of a peer without an environment of its own, and where they go."""
    from benchmarks.peers import run

    results = tmp_path / "results" / "results.csv"
    words = ["--table", "cells", "--epsilon", "1", "--contestant", "objective perturbation, scaled"]
    words += ["--cache", str(tmp_path / "cache"), "--results", str(results), "--jobs", "2"]

    def go():
        monkeypatch.setattr(sys, "argv", ["run", *words])
        run.main()

    return go, results


def test_peers_go_on_where_they_were(run_peers):
    """A run that lost its last three lines, one of them half, does these three again and no other."""

    def without_seconds(lines):
        return [line.split(",")[:12] for line in lines]

    go, results = run_peers
    go()
    first = results.read_text().splitlines()
    assert len(first) == 11
    results.write_text("\n".join(first[:8]) + "\n" + first[8][:30])
    go()
    again = results.read_text().splitlines()
    assert again[:8] == first[:8]
    assert without_seconds(again) == without_seconds(first)


def test_a_report_says_what_was_run(run_peers, monkeypatch):
    pytest.importorskip("matplotlib", reason="needs the extra bench")
    from benchmarks.peers import report

    go, results = run_peers
    go()
    monkeypatch.setattr(sys, "argv", ["report", "--results", str(results)])
    report.main()
    page, details = ((results.parent / name).read_text() for name in ("README.md", "cells.md"))
    assert "| cells    | 1 of" in page
    assert "| mushroom | 0 of" in page
    assert "objective perturbation, scaled" in details
    drawn = results.with_name("cells.svg").read_bytes()
    report.main()
    assert results.with_name("cells.svg").read_bytes() == drawn
