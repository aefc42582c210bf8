"""Files that are written whole or not at all."""

from __future__ import annotations

import tempfile
from pathlib import Path


def write_whole(path: Path, contents: bytes) -> None:
    """Write a file, or leave what was there; also with several writers at once.

    The draft gets a folder of its own beside the file: the same file system, so that the last step is one
    rename, and no name that another writer could have chosen.

    Raises
    ------
    OSError
        The folder cannot be written to, or is full.
    """
    with tempfile.TemporaryDirectory(prefix=".draft-", dir=path.parent) as scratch:
        draft = Path(scratch) / path.name
        draft.write_bytes(contents)
        draft.replace(path)
