"""The tables of docs/theory.md are what `python -m discreet.theory` prints."""

import re
import runpy
from pathlib import Path

import pytest

from discreet.theory.tables import TABLES

PAGE = (Path(__file__).parents[3] / "docs" / "theory.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TABLES)
def test_the_page_has_the_table_as_it_is_computed(name):
    found = re.findall(rf"<!-- table: {name} -->\n(.*?)\n<!-- end -->", PAGE, re.DOTALL)
    assert found == [TABLES[name]()]


def test_the_command_prints_every_table(capsys):
    runpy.run_module("discreet.theory", run_name="__main__")
    printed = capsys.readouterr().out
    assert all(table() in printed for table in TABLES.values())
