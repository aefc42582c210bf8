"""Cod-RNA: which pairs of sequences are non-coding RNA."""

from __future__ import annotations

import io

import pandas as pd

from discreet.datasets.dataset import Dataset, public_schema
from discreet.datasets.published import PublishedFile, obtain

RECORDS = PublishedFile(
    "cod-rna",
    "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/cod-rna",
    4667176,
    "65b7cc0689fc29bba5db8b50fab0b6446d985f4bf8f6f5dd474f7df8b2f1ab6c",
)

SOURCE = """\
Cod-RNA, the training file. A. V. Uzilov, J. M. Keegan and D. H. Mathews, Detection of non-coding RNAs on the
basis of predicted secondary structure formation free energy change, BMC Bioinformatics 7:173, 2006; in the
format of the LIBSVM data sets, https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets. No
licence is stated with the file."""

# Numbers 1 to 8 of the file. The energy is that of the two sequences' common structure as Dynalign
# predicts it, in tenths of kcal/mol; a G's frequency is what the other three leave.
COLUMNS = [
    *("free-energy", "shorter-length"),
    *("A-frequency-1", "U-frequency-1", "C-frequency-1"),
    *("A-frequency-2", "U-frequency-2", "C-frequency-2"),
]

_CLASSES = {-1.0: "control", 1.0: "ncRNA"}


def load_cod_rna() -> Dataset:
    """Load Cod-RNA: 59,535 pairs of sequences, 8 columns, non-coding RNA or a control.

    Returns
    -------
    Dataset
        Without a split. The publisher's labels -1 and 1 are spelled ``control`` and ``ncRNA``.

    Raises
    ------
    DatasetError
        The publisher's file cannot be had; the message says what to do.
    """
    return read_cod_rna(obtain(RECORDS))


def read_cod_rna(records: bytes) -> Dataset:
    """Read the contents of cod-rna, in LIBSVM's format."""
    # Imported late: scikit-learn is slow to import, and the other data sets do without.
    from sklearn.datasets import load_svmlight_file

    schema, target = public_schema("cod-rna")
    numbers, signs = load_svmlight_file(io.BytesIO(records), n_features=len(COLUMNS))
    table = pd.DataFrame(numbers.toarray(), columns=COLUMNS)
    return Dataset("Cod-RNA", table, pd.Series(signs, name=target.name).map(_CLASSES), schema, SOURCE)
