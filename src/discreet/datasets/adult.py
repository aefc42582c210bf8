"""Adult, also called Census Income: who earned more than 50,000 dollars in 1994."""

from __future__ import annotations

import io

import pandas as pd

from discreet.datasets.dataset import Dataset, public_schema
from discreet.datasets.published import PublishedFile, obtain

_FOLDER = "https://archive.ics.uci.edu/ml/machine-learning-databases/adult/"

TRAIN = PublishedFile(
    "adult.data",
    _FOLDER + "adult.data",
    3974305,
    "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
)
TEST = PublishedFile(
    "adult.test",
    _FOLDER + "adult.test",
    2003153,
    "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
)

SOURCE = """\
Adult (Census Income). B. Becker and R. Kohavi, 1996; extracted from the 1994 Current Population Survey of the
United States. UCI Machine Learning Repository, https://doi.org/10.24432/C5XW20. Licence: CC BY 4.0."""

COLUMNS = [
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"),
    *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country"),
]


def load_adult() -> Dataset:
    """Load Adult: 48,842 people, 14 columns, and whether they earned more than 50,000 dollars.

    Returns
    -------
    Dataset
        With the publisher's split: adult.data (32,561 rows) for training, adult.test for testing.

    Raises
    ------
    DatasetError
        The publisher's files cannot be had; the message says what to do.
    """
    return read_adult(obtain(TRAIN), obtain(TEST))


def read_adult(train: bytes, test: bytes) -> Dataset:
    """Read the contents of adult.data and adult.test."""
    schema, target = public_schema("adult")
    # The test file starts with a line that is no record, and has a dot after every label.
    parts = [_records(train, target.name, 0), _records(test, target.name, 1)]
    table = pd.concat(parts, ignore_index=True)
    labels = table.pop(target.name).str.removesuffix(".")
    return Dataset("Adult", table, labels, schema, SOURCE, n_train=len(parts[0]))


def _records(contents: bytes, label: str, n_skipped: int) -> pd.DataFrame:
    return pd.read_csv(
        io.BytesIO(contents),
        names=[*COLUMNS, label],
        skiprows=n_skipped,
        skipinitialspace=True,
        na_values="?",
        keep_default_na=False,
    )
