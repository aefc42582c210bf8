"""Public facts about columns, and the public rules that turn cells into codes.

Nothing in here learns from private values: a schema is written by hand, read from a file, or
learned from a table that the caller declares public.
"""

from discreet.schema.columns import Boolean, Categorical, Numeric
from discreet.schema.schema import Schema
from discreet.schema.target import Target

__all__ = ["Boolean", "Categorical", "Numeric", "Schema", "Target"]
