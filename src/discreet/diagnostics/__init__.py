"""How a fitted model boosts: margins, advantages and levels, on a table that the caller declares public."""

from discreet.diagnostics.diagnosis import BadSet, Diagnosis, diagnose
from discreet.diagnostics.public_table import PublicTable

__all__ = ["BadSet", "Diagnosis", "PublicTable", "diagnose"]
