"""Rows divided among threads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def parts_of(n_records: int, threads: int) -> list[slice]:
    """Divide the rows into one part a thread."""
    return [slice(n_records * i // threads, n_records * (i + 1) // threads) for i in range(threads)]


def over_parts(parts: list[slice], work: Callable[[slice], T]) -> list[T]:
    """Do the work on every part, each in a thread of its own."""
    if len(parts) == 1:
        return [work(parts[0])]
    with ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(work, parts))
