"""The table of guarantees: what each privacy check looked at, and the figure that it found."""

import pytest

_ROW = "guarantee"


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
        (test.nodeid.rpartition("/")[2], "", "BROKEN", "no figure: see above")
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
