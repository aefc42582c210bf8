"""Public data sets with public schemas, read from the publishers' own files.

The files come from the folder that ``DISCREET_DATA_HOME`` names, else from a cache, and are downloaded
where they are absent; docs/datasets.md tells sources, licences and how the schemas were chosen.
"""

from discreet.datasets.adult import load_adult
from discreet.datasets.cod_rna import load_cod_rna
from discreet.datasets.dataset import Dataset
from discreet.datasets.mushroom import load_mushroom

__all__ = ["Dataset", "load_adult", "load_cod_rna", "load_mushroom"]
