"""Small files in the publishers' formats; the publishers' own files where DISCREET_DATA_HOME has them."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from discreet import BoostedRulesClassifier, Categorical, Numeric
from discreet.datasets import adult, cod_rna, load_adult, load_cod_rna, load_mushroom, mushroom
from discreet.errors import DatasetError, SplitMissing
from discreet.testing import seeded_noise

ADULT_DATA = b"""\
39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0, 40, \
United-States, <=50K
52, ?, 287927, HS-grad, 9, Married-civ-spouse, ?, Wife, White, Female, 15024, 0, 40, ?, >50K

"""
ADULT_TEST = b"""\
|1x3 Cross validator
25, Private, 226802, 11th, 7, Never-married, Sales, Own-child, Black, Male, 0, 0, 40, United-States, <=50K.
28, Local-gov, 336951, Assoc-acdm, 12, Widowed, Sales, Unmarried, White, Male, 0, 0, 40, Peru, >50K.
18, ?, 103497, Some-college, 10, Never-married, ?, Own-child, White, Female, 0, 0, 30, Mexico, <=50K.

"""
MUSHROOMS = b"""\
p,x,s,n,t,p,f,c,n,k,e,e,s,s,w,w,p,w,o,p,k,s,u
e,f,y,y,f,n,a,w,b,y,t,?,f,k,o,n,p,y,t,e,b,v,l
"""
COD_RNA = b"""\
-1 1:-766 2:128 3:0.140625 4:0.304688 5:0.234375 6:0.15 7:0.31 8:0.25
1 1:-517 2:76 3:0.210526 5:0.236842 6:0.197368 7:0.223684 8:0.25
"""

LOADERS = [load_adult, load_mushroom, load_cod_rna]

real = pytest.mark.skipif(
    not os.environ.get("DISCREET_DATA_HOME"),
    reason="needs the publishers' files: set DISCREET_DATA_HOME to their folder",
)


def small_adult():
    return adult.read_adult(ADULT_DATA, ADULT_TEST)


def small_mushroom():
    return mushroom.read_mushroom(MUSHROOMS)


def small_cod_rna():
    return cod_rna.read_cod_rna(COD_RNA)


def assert_in_order(dataset):
    """What every data set promises."""
    assert dataset.X.index.is_unique
    assert dataset.X.index.equals(dataset.y.index)
    assert dataset.X.columns.is_unique
    assert dataset.y.name == dataset.schema.target.name
    assert dataset.y.name not in dataset.X
    assert set(dataset.y) == set(dataset.schema.target.classes)
    assert set(dataset.schema.names) <= set(dataset.X.columns)
    for name, column in dataset.schema.columns.items():
        if isinstance(column, Numeric):
            assert dataset.X[name].between(column.low, column.high).all()
    assert dataset.source.count("\n") < 5
    assert "icence" in dataset.source


@pytest.mark.parametrize("small", [small_adult, small_mushroom, small_cod_rna])
def test_small_files_in_order(small):
    dataset = small()
    assert_in_order(dataset)
    assert_in_order(pickle.loads(pickle.dumps(dataset)))


class TestAdult:
    def test_records(self):
        dataset = small_adult()
        assert dataset.y.tolist() == ["<=50K", ">50K", "<=50K", ">50K", "<=50K"]
        assert dataset.X["age"].tolist() == [39, 52, 25, 28, 18]
        assert dataset.X.loc[0].tolist() == [
            *(39, "State-gov", 77516, "Bachelors", 13, "Never-married", "Adm-clerical", "Not-in-family"),
            *("White", "Male", 2174, 0, 40, "United-States"),
        ]
        assert all(pd.api.types.is_integer_dtype(dataset.X[name]) for name in ("age", "capital-gain"))

    def test_question_marks_are_missing(self):
        missing = small_adult().X.isna()
        assert missing.sum().sum() == 5
        assert missing.loc[1, ["workclass", "occupation", "native-country"]].all()
        assert missing.loc[4, ["workclass", "occupation"]].all()

    def test_split(self):
        dataset = small_adult()
        assert dataset.X_train.index.tolist() == dataset.y_train.index.tolist() == [0, 1]
        assert dataset.X_test.index.tolist() == dataset.y_test.index.tolist() == [2, 3, 4]
        pd.testing.assert_frame_equal(pd.concat([dataset.X_train, dataset.X_test]), dataset.X)
        pd.testing.assert_series_equal(pd.concat([dataset.y_train, dataset.y_test]), dataset.y)

    def test_schema_has_45_tests(self):
        columns = small_adult().schema.columns.values()
        sizes = [len(c.cuts if isinstance(c, Numeric) else c.values) for c in columns]
        assert (len(sizes), sum(sizes)) == (10, 45)

    @real
    def test_the_publishers_counts(self):
        # adult.names: 32,561 and 16,281 records, 30,162 and 15,060 without unknown values.
        dataset = load_adult()
        assert_in_order(dataset)
        known = dataset.X.notna().all(axis=1)
        assert (len(dataset.X_train), len(dataset.X_test)) == (32561, 16281)
        assert (known[dataset.X_train.index].sum(), known[dataset.X_test.index].sum()) == (30162, 15060)
        assert ((dataset.y_train == ">50K").sum(), (dataset.y_test == ">50K").sum()) == (7841, 3846)


class TestMushroom:
    def test_letters_are_spelled_out(self):
        dataset = small_mushroom()
        assert dataset.y.tolist() == ["poisonous", "edible"]
        assert dataset.X.loc[0].tolist() == [
            *("convex", "smooth", "brown", "bruises", "pungent", "free", "close", "narrow", "black"),
            *("enlarging", "equal", "smooth", "smooth", "white", "white", "partial", "white", "one"),
            *("pendant", "black", "scattered", "urban"),
        ]
        assert dataset.X.loc[1].dropna().tolist() == [
            *("flat", "scaly", "yellow", "no", "none", "attached", "crowded", "broad", "yellow"),
            *("tapering", "fibrous", "silky", "orange", "brown", "partial", "yellow", "two"),
            *("evanescent", "buff", "several", "leaves"),
        ]

    def test_question_marks_are_missing(self):
        missing = small_mushroom().X.isna()
        assert missing.loc[1, "stalk-root"]
        assert missing.sum().sum() == 1

    def test_schema_declares_words_of_the_codebook(self):
        schema = small_mushroom().schema
        assert list(schema.names) == list(mushroom.CODEBOOK)
        for name, column in schema.columns.items():
            words = [code.split("=")[0] for code in mushroom.CODEBOOK[name].split(",")]
            assert isinstance(column, Categorical)
            assert [word for word in words if word in column.values] == list(column.values)
            assert column.missing == (name == "stalk-root")
        # agaricus-lepiota.names lists 126 values, one of which is "missing".
        assert sum(len(column.values) for column in schema.columns.values()) == 125

    @real
    def test_the_publishers_rules_hold(self):
        # agaricus-lepiota.names quotes rules for poisonous mushrooms and how many each still misses.
        dataset = load_mushroom()
        assert_in_order(dataset)
        X, poisonous = dataset.X, dataset.y == "poisonous"
        assert len(X) == 8124
        assert poisonous.sum() == 3916
        rules = [
            ~X["odor"].isin(["almond", "anise", "none"]),
            X["spore-print-color"] == "green",
            (X["odor"] == "none")
            & (X["stalk-surface-below-ring"] == "scaly")
            & (X["stalk-color-above-ring"] != "brown"),
            (X["habitat"] == "leaves") & (X["cap-color"] == "white"),
        ]
        found = np.logical_or.accumulate(rules)
        assert [int((poisonous & ~each).sum()) for each in found] == [120, 48, 8, 0]
        assert not (found[-1] & ~poisonous).any()

    @real
    def test_every_value_is_declared(self):
        dataset = load_mushroom()
        for name, column in dataset.schema.columns.items():
            assert set(dataset.X[name].dropna()) <= set(column.values)
        assert dataset.X.isna().sum().to_dict() == {**dict.fromkeys(dataset.X, 0), "stalk-root": 2480}


class TestCodRna:
    def test_records(self):
        dataset = small_cod_rna()
        assert dataset.y.tolist() == ["control", "ncRNA"]
        assert dataset.X.loc[0].tolist() == [-766, 128, 0.140625, 0.304688, 0.234375, 0.15, 0.31, 0.25]
        # The format leaves out zeros.
        assert dataset.X.loc[1, "U-frequency-1"] == 0
        assert dataset.X.loc[1, "C-frequency-2"] == 0.25

    @pytest.mark.parametrize(
        ("names", "ends", "decimals"),
        [
            (["free-energy"], (-1000, 0), 0),
            (["shorter-length"], (60, 120), 0),
            ([f"{base}-frequency-{sequence}" for sequence in (1, 2) for base in "AUC"], (0.1, 0.4), 3),
        ],
    )
    def test_cuts_are_61_and_equally_spaced(self, names, ends, decimals):
        for name in names:
            cuts = small_cod_rna().schema.columns[name].cuts
            assert cuts == tuple(np.linspace(*ends, 61).round(decimals))

    @real
    def test_two_controls_for_each_pair(self):
        # The controls are shuffled pairs: same lengths, same frequencies.
        dataset = load_cod_rna()
        assert_in_order(dataset)
        assert len(dataset.X) == 59535
        counts = pd.crosstab(dataset.X["shorter-length"], dataset.y)
        assert (counts["control"] == 2 * counts["ncRNA"]).all()
        assert not dataset.X.isna().any(axis=None)
        assert (dataset.X.iloc[:, 2:5].sum(axis=1) < 1).all()


class TestWithoutSplit:
    @pytest.mark.parametrize("small", [small_mushroom, small_cod_rna])
    @pytest.mark.parametrize("part", ["X_train", "y_train", "X_test", "y_test"])
    def test_is_said(self, small, part):
        dataset = small()
        with pytest.raises(SplitMissing, match=f"publisher of {dataset.name} does not split"):
            getattr(dataset, part)
        assert not hasattr(dataset, part)

    def test_is_a_dataset_error(self):
        assert issubclass(SplitMissing, DatasetError)


class TestFromFolder:
    """From a loader's call to the publisher and back; only address, size and digest are replaced."""

    def test_adult(self, publisher, folder, monkeypatch):
        monkeypatch.setattr(adult, "TRAIN", publisher.file("adult.data", ADULT_DATA))
        monkeypatch.setattr(adult, "TEST", publisher.file("adult.test", ADULT_TEST))
        pd.testing.assert_frame_equal(load_adult().X, small_adult().X)
        assert sorted(os.listdir(folder)) == ["adult.data", "adult.test"]

    @pytest.mark.parametrize(
        ("module", "contents", "load", "small"),
        [
            (mushroom, MUSHROOMS, load_mushroom, small_mushroom),
            (cod_rna, COD_RNA, load_cod_rna, small_cod_rna),
        ],
    )
    def test_one_file(self, publisher, folder, monkeypatch, module, contents, load, small):
        monkeypatch.setattr(module, "RECORDS", publisher.file(module.RECORDS.name, contents))
        pd.testing.assert_frame_equal(load().X, small().X)
        assert os.listdir(folder) == [module.RECORDS.name]

    @pytest.mark.parametrize("load", LOADERS)
    def test_foreign_files_are_refused(self, folder, load):
        folder.mkdir()
        for file in (adult.TRAIN, adult.TEST, mushroom.RECORDS, cod_rna.RECORDS):
            (folder / file.name).write_bytes(ADULT_DATA)
        with pytest.raises(DatasetError, match="is not the file that its publisher gives"):
            load()


@real
@pytest.mark.parametrize(("load", "least"), [(load_adult, 0.84), (load_mushroom, 0.95), (load_cod_rna, 0.85)])
def test_schemas_are_good_to_learn_from(load, least):
    dataset = load()
    with seeded_noise(0):
        model = BoostedRulesClassifier(1.0, 1e-5, dataset.schema).fit(dataset.X, dataset.y)
    assert model.score(dataset.X, dataset.y) >= least


def test_importing_discreet_does_not_import_pandas():
    code = "import sys, discreet; assert not {'pandas', 'sklearn', 'discreet.datasets'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
