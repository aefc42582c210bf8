"""Files as they come: damaged, odd, or one cell away from each other."""

import csv
import io
import json
import traceback

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from discreet import Schema
from discreet.cli import app
from discreet.cli.tables import read_table
from discreet.errors import InputError
from tests.system.test_cli import FILLED, SECRET

HEADER = ["age", "sex", "smoker", "income"]
ROWS = [[str(20 + i), ("Female", "Male")[i % 2], ("yes", "no")[i // 2 % 2], "<=50K"] for i in range(8)]
ROWS[3] = [SECRET] * 4

often = pytest.mark.parametrize(
    "examples", [100, pytest.param(2_000, marks=pytest.mark.slow)], ids=["some", "many"]
)


def as_csv(rows, header=HEADER):
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([header, *rows])
    return text.getvalue().encode()


def told_by(*words):
    """Run a command; whatever happens, it ends in a documented way and shows no secret."""
    result = CliRunner().invoke(app, [str(word) for word in (*words, "--json")])
    assert SECRET not in result.output
    assert "Traceback" not in result.output
    assert isinstance(result.exception, SystemExit | None)
    if result.exit_code:
        error = json.loads(result.stderr)["error"]
        assert error["kind"] in ("InputError", "SchemaError", "OptionError", "PlanError", "ModelFileError")
        assert error["exit_code"] == result.exit_code
    else:
        assert result.stderr == ""
        json.loads(result.stdout)
    return result


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    (folder / "schema.toml").write_text(FILLED)
    (folder / "good.csv").write_bytes(as_csv(ROWS))
    fit(folder / "good.csv", out=folder / "model.json")
    return folder


def fit(data, *more, schema=None, out=None):
    schema = schema or data.with_name("schema.toml")
    out = out or data.with_name("new.json")
    words = ("--schema", schema, "--epsilon", 1, "--rounds", 1, "--out", out, "--force")
    return told_by("fit", data, *words, *more)


def predict(data):
    out = data.with_name("predictions.csv")
    return told_by("predict", data.with_name("model.json"), data, "--out", out, "--force"), out


@st.composite
def damaged(draw, whole):
    """Some bytes of a file replaced, dropped or added, or its end lost."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.sampled_from([0, 0, 1, 1, 2, 10, len(data)])))
        # Structure first: a byte at random is mostly just another letter of a cell. Long numbers and deep
        # nesting are where parsers give up.
        data[start:end] = draw(
            st.one_of(
                st.sampled_from(
                    [b"", b'"', b'""', b",", b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"[", b"{", b"=", b"#"]
                ),
                st.binary(max_size=4),
                st.sampled_from([b"9" * 5_000, b"[" * 5_000, b"'" * 3]),
            )
        )
    return bytes(data)


@often
def test_damaged_tables(place, examples):
    plain = b"\n".join(b",".join(cell.encode() for cell in row) for row in [HEADER, *ROWS]) + b"\n"

    @settings(max_examples=examples, deadline=None)
    @given(st.one_of(damaged(as_csv(ROWS)), damaged(plain), st.binary(max_size=40)))
    def check(data):
        file = place / "damaged.csv"
        file.write_bytes(data)
        assert fit(file).exit_code in (0, 3)
        assert predict(file)[0].exit_code in (0, 3)
        # The template shows the first line, whatever stands there: only its end is looked at.
        named = CliRunner().invoke(app, ["schema", "template", str(file)])
        assert named.exit_code in (0, 3)
        assert isinstance(named.exception, SystemExit | None)

    check()


@often
def test_damaged_schemas(place, examples):
    @settings(max_examples=examples, deadline=None)
    @given(st.one_of(damaged(FILLED.encode()), st.binary(max_size=40)))
    def check(data):
        schema = place / "damaged.toml"
        schema.write_bytes(data)
        checked = told_by("schema", "check", schema).exit_code
        fitted = fit(place / "good.csv", schema=schema).exit_code
        assert checked in (0, 3)
        assert fitted in ((0, 3) if checked == 0 else (3,))

    check()


@often
def test_damaged_models(place, examples):
    whole = (place / "model.json").read_bytes()

    @settings(max_examples=examples, deadline=None)
    @given(st.one_of(damaged(whole), st.binary(max_size=40)))
    def check(data):
        model = place / "damaged.json"
        model.write_bytes(data)
        assert told_by("show", model).exit_code in (0, 5)

    check()


# What readers of files give a meaning of their own, and what is hard to write down.
ODD = ["", " ", "NA", "nan", "null", "None", "-", "1e400", "1_000", "0x1F", "007", "TRUE", "2024-01-31"]
ODD += ['"', '""', "'", ",", ";", "\n", "\r\n", "\n\n", "#", "\\", "\ufeff", "\x1a", "\u2028", "x" * 200_000]
odd_cells = st.one_of(
    st.sampled_from(ODD),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    st.floats().map(str),
)


@often
def test_neighbours_take_the_same_path(place, examples):
    """One cell replaced by anything that can be written: same code, same words, same other records."""

    def seen(rows):
        file = place / "neighbour.csv"
        file.write_bytes(as_csv(rows))
        codes = []
        for adjacency in ("replace", "add-remove"):
            told = fit(file, "--adjacency", adjacency)
            codes += [told.exit_code, told.stdout, told.stderr]
        told, out = predict(file)
        return [*codes, told.exit_code, told.stdout, told.stderr], out.read_text().splitlines()[1:]

    usual_path, usual = seen(ROWS)
    assert usual_path[0] == 0

    @settings(max_examples=examples, deadline=None)
    @given(st.integers(0, len(ROWS) - 1), st.integers(0, 3), odd_cells)
    def check(row, column, odd):
        rows = [list(cells) for cells in ROWS]
        rows[row][column] = odd
        path, predictions = seen(rows)
        assert path == usual_path
        del predictions[row]
        assert predictions == usual[:row] + usual[row + 1 :]

    check()


@pytest.mark.parametrize(
    "ending",
    [
        b'"20","Male","yes"\n',
        b'"20","Male","yes","<=50K","5"\n',
        b'"20","Male","yes","<=50K\n',
        b'"20"s,"Male","yes","<=50K"\n',
        b"20,Male,y\0s,<=50K\n",
        b"20,M\xe4nnlich,yes,<=50K\n",
        b"  \n",
    ],
)
def test_structural_damage_is_one_bit(place, ending):
    """Whatever is damaged and wherever, the words are the same."""
    told = []
    for data in (as_csv([*ROWS[1:]]) + ending, as_csv([]) + ending + as_csv(ROWS)):
        file = place / "broken.csv"
        file.write_bytes(data)
        result = fit(file)
        assert result.exit_code == 3
        told.append(json.loads(result.stderr)["error"]["what"])
    assert set(told) == {f"{str(file)!r} is not a well-formed CSV file"}


@pytest.mark.parametrize(
    ("header", "what"),
    [
        (b"", "has no column names"),
        (b"\n20,Male,yes,<=50K\n", "has no column names"),
        (b"\xef\xbb\xbf", "has no column names"),
        (b",age,sex,smoker,income\n", "column 1 has no name"),
        (b"age,sex, ,income\n", "column 3 has no name"),
        (b"age,sex,age,income\n", "columns 1 and 3 have the same name"),
        (b"age;sex;smoker;income\n", "lacks columns that the schema declares: 'age', 'sex'"),
        (b'age,sex,smoker,"income\n', "not a well-formed CSV"),
        (b"a\xffge,sex,smoker,income\n", "not a well-formed CSV"),
        (b"a" * 2**20 + b"ge", "not a well-formed CSV"),
    ],
)
def test_headers(place, header, what):
    file = place / "headed.csv"
    file.write_bytes(header)
    result = fit(file)
    assert result.exit_code == 3
    assert what in json.loads(result.stderr)["error"]["what"]


@pytest.mark.parametrize("form", ["plain", "BOM", "CR", "CRLF", "no end", "blank lines"])
def test_the_same_table_in_other_bytes(place, form):
    data = as_csv(ROWS)
    data = {
        "plain": data,
        "BOM": b"\xef\xbb\xbf" + data,
        "CR": data.replace(b"\n", b"\r"),
        "CRLF": data.replace(b"\n", b"\r\n"),
        "no end": data.rstrip(b"\n"),
        "blank lines": data.replace(b"\n", b"\n\n"),
    }[form]
    predict(place / "good.csv")
    usual = (place / "predictions.csv").read_bytes()
    file = place / "form.csv"
    file.write_bytes(data)
    assert predict(file)[0].exit_code == 0
    assert (place / "predictions.csv").read_bytes() == usual


def test_errors_of_files_are_not_chained(place):
    """The decoder's exception carries the bytes that it could not read."""
    file = place / "latin.csv"
    file.write_bytes(as_csv(ROWS) + SECRET.encode() + b"\xe4,Male,yes,<=50K\n")
    with pytest.raises(InputError) as caught:
        read_table(file, HEADER)
    assert caught.value.__suppress_context__
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_a_quote_within_an_unquoted_cell_is_a_letter(place):
    file = place / "quote.csv"
    file.write_bytes(b'age,sex,smoker,income\n20,5" pipe,yes,<=50K\n')
    assert fit(file).exit_code == 0


def test_a_table_without_records(place):
    file = place / "none.csv"
    file.write_bytes(as_csv([]))
    told, out = predict(file)
    assert json.loads(told.stdout)["records"] == 0
    assert out.read_text() == "predicted_class,positive_probability\n"
    assert fit(file).exit_code == 3  # the number of records is public under replace
    assert fit(file, "--adjacency", "add-remove").exit_code == 0


def test_blank_lines_of_a_single_column_are_empty_cells(place):
    schema = place / "one.toml"
    schema.write_text(FILLED.split("sex =")[0])
    fit(place / "good.csv", schema=schema, out=place / "one.json")
    file = place / "one.csv"
    file.write_bytes(b"age\n20\n\n70\n")
    out = place / "one_predictions.csv"
    told = told_by("predict", place / "one.json", file, "--out", out)
    assert json.loads(told.stdout)["records"] == 3


def test_a_template_knows_the_header_line_only(place):
    """What follows the first line may be anything; no byte of it is decoded."""
    names = ["age", "hours per week", 'a "quoted" name', "naïve", "a,b", "x = 1", "#"]
    with open(place / "odd.csv", "w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerow(names)
    with open(place / "odd.csv", "ab") as file:
        file.write(b'\xff\xfe "\0' + SECRET.encode())
    told = told_by("schema", "template", place / "odd.csv")
    assert json.loads(told.stdout)["columns"] == names
    text = CliRunner().invoke(app, ["schema", "template", str(place / "odd.csv")]).stdout
    assert SECRET not in text + told.stdout
    filled = text.replace('kind = ""', 'kind = "boolean"').split("[columns]")[1]
    (place / "odd.toml").write_text("[columns]" + filled)
    assert Schema.from_toml(place / "odd.toml").names == tuple(names)
