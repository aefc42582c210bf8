import pytest

from discreet.benchmark.markdown import markdown_table


def test_columns_line_up():
    assert markdown_table(["a", "long name"], [[1, "x"], ["22222", ""]]) == (
        "| a     | long name |\n|-------|-----------|\n| 1     | x         |\n| 22222 |           |"
    )


def test_a_table_without_rows_is_a_header():
    assert markdown_table(["a", "b"], []).splitlines() == ["| a   | b   |", "|-----|-----|"]


def test_cells_cannot_break_the_table():
    lines = markdown_table(["a"], [["x|y\nz"]]).splitlines()
    assert lines[2] == "| x\\|y z |"


def test_rows_are_as_long_as_the_header():
    with pytest.raises(ValueError, match="as many cells"):
        markdown_table(["a", "b"], [["only one"]])
