"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import stat
import tempfile
from pathlib import Path


def write_whole(path: Path, contents: bytes) -> None:
    """Write a file, or leave what was there; also with several writers at once.

    The draft gets a folder of its own beside the file: the same file system, so that the last step is one
    rename, and no name that another writer could have chosen. A link keeps its place, and a file its mode.

    Raises
    ------
    OSError
        The folder cannot be written to, or is full; or there is something else than a file.
    """
    path = path.resolve()
    mode = path.stat().st_mode if path.exists() else None
    if mode is not None and not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no ordinary file")
    with tempfile.TemporaryDirectory(prefix=".draft-", dir=path.parent) as scratch:
        draft = Path(scratch) / path.name
        draft.write_bytes(contents)
        if mode is not None:
            draft.chmod(stat.S_IMODE(mode))
        draft.replace(path)
