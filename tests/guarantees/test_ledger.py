"""No model gets out unpaid, and no account is overspent: under kills, and under many spenders."""

import json
import subprocess
import sys

import pytest


def harness(name, *words):
    """Run a harness by itself: it forks, which is not for a process with pytest's threads."""
    command = [sys.executable, "-m", f"tests.harness.{name}", *map(str, words)]
    told = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(told.stdout)


@pytest.mark.parametrize(
    ("where", "kills"),
    [
        ("sqlite", 200),
        pytest.param("sqlite", 10_000, marks=pytest.mark.slow),
        ("postgres", 50),
        pytest.param("postgres", 1_000, marks=pytest.mark.slow),
    ],
    indirect=["where"],
)
def test_kill_9_leaves_no_model_without_its_spend(where, kills, tmp_path, report):
    found = harness("crashes", tmp_path, where, kills, 0)
    report(
        f"crashes: {'postgres' if '://' in where else 'sqlite'}",
        f"{kills:,} kill -9",
        f"{found['models without a committed spend']} of {found['models']:,} models unpaid; "
        f"{found['killed before the commit']:,} killed before the commit, "
        f"{found['killed before the release']:,} before the release",
    )
    assert found["models without a committed spend"] == 0
    assert found["models"] > 0
    # One kill in six hits a fit between the two; that none of fifty does has a probability below 1e-3, and
    # of two hundred below 1e-15.
    assert found["killed before the commit"] > 0 or kills < 200
    assert found["left"] >= 0


@pytest.mark.parametrize(
    ("where", "spenders", "tries", "cap"),
    [
        ("sqlite", 8, 40, 100),
        pytest.param("sqlite", 32, 1_000, 3_000, marks=pytest.mark.slow),
        ("postgres", 8, 40, 100),
        pytest.param("postgres", 32, 1_000, 1_000, marks=pytest.mark.slow),
    ],
    indirect=["where"],
)
def test_many_spenders_spend_what_there_is_and_no_more(where, spenders, tries, cap, report):
    found = harness("spenders", where, spenders, tries, cap)
    back_end = "postgres" if "://" in where else "sqlite"
    report(
        f"spenders: {back_end}",
        f"{spenders} x {tries:,} tries",
        f"{found['granted']:,} of {cap:,} granted, {found['spends a second']:.0f} durable spends a second",
    )
    assert found["granted"] == found["recorded"] == cap
    assert found["left"] == 0
    if back_end == "sqlite" and spenders == 32:
        assert found["spends a second"] >= 300
