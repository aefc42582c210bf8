"""The tables, their public schemas, and how each is split. README.md says where bounds and cuts come from."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd

from discreet.benchmark.tables import load_cells, make_hastie
from discreet.datasets import Dataset, load_adult, load_cod_rna, load_mushroom
from discreet.schema import Numeric, Schema, Target

FOLDS = 10

Rows = npt.NDArray[np.intp]


def load_fair() -> Dataset:
    """Load the Redbook survey of 1974, which comes with statsmodels: 6,366 wives, and whether they had an
    affair.

    Every cut lies between two neighbouring codes of the questionnaire, which the package documents.
    """
    from statsmodels.datasets import fair

    table = fair.load_pandas().data
    codes = {
        "rate_marriage": [1, 2, 3, 4, 5],
        "age": [17.5, 22, 27, 32, 37, 42],
        "yrs_married": [0.5, 2.5, 6, 9, 13, 16.5, 23],
        "children": [0, 1, 2, 3, 4, 5.5],
        "religious": [1, 2, 3, 4],
        "educ": [9, 12, 14, 16, 17, 20],
        "occupation": [1, 2, 3, 4, 5, 6],
        "occupation_husb": [1, 2, 3, 4, 5, 6],
    }
    columns = {name: Numeric(known[0], known[-1], cuts=known[:-1]) for name, known in codes.items()}
    schema = Schema(columns, target=Target("affair", classes=["no", "yes"]))
    labels = (table["affairs"] > 0).map({False: "no", True: "yes"})
    source = "R. C. Fair, A theory of extramarital affairs, 1978; statsmodels.datasets.fair, public domain."
    return Dataset("Fair", table[list(codes)], labels, schema, source)


def load_rand() -> Dataset:
    """Load the RAND health insurance experiment of statsmodels: 20,190 years of people, and whether a doctor
    was seen.

    Yes or no where the package says so, plan variables and diseases in equal steps of rounded ranges.
    """
    from statsmodels.datasets import randhie

    table = randhie.load_pandas().data
    columns = {
        "lncoins": Numeric(0, 4.7, cuts=[0, 3.3, 4.0, 4.3]),
        "idp": Numeric(0, 1, cuts=[0]),
        "lpi": Numeric(0, 7.5, bins=15),
        "fmde": Numeric(0, 8.5, bins=17),
        "physlm": Numeric(0, 1, cuts=[0]),
        "disea": Numeric(0, 60, bins=30),
        **{f"hlth{grade}": Numeric(0, 1, cuts=[0]) for grade in "gfp"},
    }
    schema = Schema(columns, target=Target("visit", classes=["no", "yes"]))
    labels = (table["mdvis"] > 0).map({False: "no", True: "yes"})
    source = "RAND health insurance experiment, 1974 to 1982; statsmodels.datasets.randhie, public domain."
    return Dataset("RAND HIE", table[list(columns)], labels, schema, source)


def load_digits() -> Dataset:
    """Load scikit-learn's digits: 1,797 pictures of 8 x 8 pixels from 0 to 16, and whether the digit is
    odd."""
    from sklearn.datasets import load_digits as load

    table = load(as_frame=True)
    columns = {name: Numeric(0, 16, cuts=[0, 4, 8, 12]) for name in table.data.columns}
    schema = Schema(columns, target=Target("odd", classes=["no", "yes"]))
    labels = (table.target % 2 == 1).map({False: "no", True: "yes"})
    source = "E. Alpaydin and C. Kaynak, Optical recognition of handwritten digits, 1998; UCI, CC BY 4.0."
    return Dataset("Digits, odd", table.data, labels, schema, source)


def make_clusters(n_records: int = 20_000) -> Dataset:
    """Generate clusters by scikit-learn's make_classification, seed 0: 20 columns, of which 10 matter.

    The generator puts clusters at the corners of a cube of side 2 and adds normal noise mixed by random
    matrices.
    """
    from sklearn.datasets import make_classification

    numbers, classes = make_classification(
        n_samples=n_records,
        n_features=20,
        n_informative=10,
        n_redundant=4,
        n_clusters_per_class=4,
        flip_y=0.05,
        random_state=0,
    )
    names = [f"x{place}" for place in range(1, 21)]
    schema = Schema(
        {name: Numeric(-8, 8, bins=32) for name in names}, target=Target("class", classes=["no", "yes"])
    )
    labels = pd.Series(classes == 1).map({False: "no", True: "yes"})
    source = "scikit-learn, make_classification."
    return Dataset("Clusters", pd.DataFrame(numbers, columns=names), labels, schema, source)


TABLES: dict[str, Callable[[], Dataset]] = {
    "adult": load_adult,
    "mushroom": load_mushroom,
    "cod-rna": load_cod_rna,
    "rand": load_rand,
    "fair": load_fair,
    "clusters": make_clusters,
    "hastie": make_hastie,
    "digits": load_digits,
    "cells": load_cells,
}
"""In the order in which they are run."""


def folds(table: Dataset) -> Iterator[tuple[Rows, Rows]]:
    """Yield training and test rows, ten times: the publisher's split over and over, else ten stratified
    folds."""
    from sklearn.model_selection import StratifiedKFold

    n_records = len(table.y)
    if table.n_train is not None:
        everything = np.arange(n_records)
        yield from [(everything[: table.n_train], everything[table.n_train :])] * FOLDS
    else:
        yield from StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(np.zeros(n_records), table.y)
