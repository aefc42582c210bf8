"""The table of guarantees: what each check looked at, and the figure that it found. Places for ledgers."""

import importlib.util

import pytest

from tests.harness import postgres_server

_ROW = "guarantee"


@pytest.fixture(scope="session")
def server():
    """A PostgreSQL server of our own, where one is installed."""
    reason = postgres_server.missing()
    if importlib.util.find_spec("psycopg") is None:
        reason = 'psycopg is not installed (pip install "discreet[postgres]")'
    if reason is not None:
        pytest.skip(reason)
    with postgres_server.running() as started:
        yield started


@pytest.fixture(params=["sqlite", "postgres"])
def where(request, tmp_path):
    """The address of a ledger that does not exist yet, in each back end."""
    if request.param == "sqlite":
        return str(tmp_path / "budget.db")
    return request.getfixturevalue("server").new_database()


@pytest.fixture
def report(record_property):
    """Add a row to the table that ends the run: report(check, size, figure)."""

    def add(check: str, size: str, figure: str) -> None:
        record_property(_ROW, (check, size, figure))

    return add


def _has_row(test):
    return any(name == _ROW for name, _ in getattr(test, "user_properties", ()))


def pytest_terminal_summary(terminalreporter):
    """Print the rows in the order of the tests, with the result of the test that reported each."""
    rows = [
        (check, size, "holds" if outcome == "passed" else "BROKEN", figure)
        for outcome in ("passed", "failed")
        for test in terminalreporter.stats.get(outcome, [])
        if getattr(test, "when", None) == "call"
        for name, (check, size, figure) in test.user_properties
        if name == _ROW
    ]
    told = {test.nodeid for tests in terminalreporter.stats.values() for test in tests if _has_row(test)}
    rows += [
        (test.nodeid.rpartition("/")[2][:70], "", "BROKEN", "no figure: see above")
        for outcome in ("failed", "error")
        for test in terminalreporter.stats.get(outcome, [])
        if test.nodeid not in told
    ]
    if not rows:
        return
    heads = ("check", "size", "result", "figure")
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    terminalreporter.section("guarantees")
    for row in (heads, *sorted(rows)):
        terminalreporter.line("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
