"""Which tables count as neighbours (PRIVACY.md 0 and 2.5)."""

from __future__ import annotations

from typing import Literal

Adjacency = Literal["replace", "add-remove"]

NEIGHBOURS: dict[Adjacency, str] = {
    "replace": "one record replaced by any other; the number of records is public",
    "add-remove": "one record added or removed; the number of records is private",
}
