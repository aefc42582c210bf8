"""Mushroom: which gilled mushrooms are edible."""

from __future__ import annotations

import io

import pandas as pd

from discreet.datasets.dataset import Dataset, public_schema
from discreet.datasets.published import PublishedFile, obtain

RECORDS = PublishedFile(
    "agaricus-lepiota.data",
    "https://archive.ics.uci.edu/ml/machine-learning-databases/mushroom/agaricus-lepiota.data",
    373704,
    "e65d082030501a3ebcbcd7c9f7c71aa9d28fdfff463bf4cf4716a3fe13ac360e",
)

SOURCE = """\
Mushroom. Drawn from The Audubon Society Field Guide to North American Mushrooms (G. H. Lincoff, Knopf, 1981),
donated by J. Schlimmer, 1987. UCI Machine Learning Repository, https://doi.org/10.24432/C5959T.
Licence: CC BY 4.0."""

_COLOURS = (
    "black=k,brown=n,buff=b,chocolate=h,cinnamon=c,gray=g,green=r,"
    "orange=o,pink=p,purple=u,red=e,white=w,yellow=y"
)
_SURFACES = "fibrous=f,grooves=g,scaly=y,silky=k,smooth=s"

# The publisher's codebook (agaricus-lepiota.names), in its notation; the order is that of the file. Colours
# and surfaces have the same letters in every column.
CODEBOOK = {
    "cap-shape": "bell=b,conical=c,convex=x,flat=f,knobbed=k,sunken=s",
    "cap-surface": _SURFACES,
    "cap-color": _COLOURS,
    "bruises": "bruises=t,no=f",
    "odor": "almond=a,anise=l,creosote=c,fishy=y,foul=f,musty=m,none=n,pungent=p,spicy=s",
    "gill-attachment": "attached=a,descending=d,free=f,notched=n",
    "gill-spacing": "close=c,crowded=w,distant=d",
    "gill-size": "broad=b,narrow=n",
    "gill-color": _COLOURS,
    "stalk-shape": "enlarging=e,tapering=t",
    "stalk-root": "bulbous=b,club=c,cup=u,equal=e,rhizomorphs=z,rooted=r",
    "stalk-surface-above-ring": _SURFACES,
    "stalk-surface-below-ring": _SURFACES,
    "stalk-color-above-ring": _COLOURS,
    "stalk-color-below-ring": _COLOURS,
    "veil-type": "partial=p,universal=u",
    "veil-color": _COLOURS,
    "ring-number": "none=n,one=o,two=t",
    "ring-type": "cobwebby=c,evanescent=e,flaring=f,large=l,none=n,pendant=p,sheathing=s,zone=z",
    "spore-print-color": _COLOURS,
    "population": "abundant=a,clustered=c,numerous=n,scattered=s,several=v,solitary=y",
    "habitat": "grasses=g,leaves=l,meadows=m,paths=p,urban=u,waste=w,woods=d",
}
CLASSES = "edible=e,poisonous=p"


def load_mushroom() -> Dataset:
    """Load Mushroom: 8,124 descriptions of mushrooms, 22 columns, edible or poisonous.

    Returns
    -------
    Dataset
        Without a split. The publisher's letters are spelled out as its codebook does.

    Raises
    ------
    DatasetError
        The publisher's file cannot be had; the message says what to do.
    """
    return read_mushroom(obtain(RECORDS))


def read_mushroom(records: bytes) -> Dataset:
    """Read the contents of agaricus-lepiota.data: the class first, one letter a cell, ? where missing."""
    schema, target = public_schema("mushroom")
    codes = {target.name: CLASSES, **CODEBOOK}
    letters = pd.read_csv(io.BytesIO(records), names=list(codes), dtype=str, keep_default_na=False)
    table = pd.DataFrame({name: letters[name].map(_words(codes[name])) for name in codes})
    labels = table.pop(target.name)
    return Dataset("Mushroom", table, labels, schema, SOURCE)


def _words(codes: str) -> dict[str, str]:
    """Map letters to words; a letter that is not in the codebook, such as ?, becomes missing."""
    pairs = (code.split("=") for code in codes.split(","))
    return {letter: word for word, letter in pairs}
