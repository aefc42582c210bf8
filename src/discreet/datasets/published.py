"""The publishers' files: found in a folder or downloaded into it, and the right bytes or an error."""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from discreet.errors import DatasetError
from discreet.whole_file import write_whole

HOME = "DISCREET_DATA_HOME"
"""Environment variable that names the folder with the files."""

TIMEOUT = 30.0
"""Seconds to wait for a publisher that says nothing."""


@dataclass(frozen=True)
class PublishedFile:
    """A file, byte for byte as its publisher gives it.

    Attributes
    ----------
    name : str
        Its name in the folder, the publisher's own.
    url : str
        Where the publisher gives it.
    size : int
        Its length in bytes.
    sha256 : str
        The digest of its bytes, in hexadecimal.
    """

    name: str
    url: str
    size: int
    sha256: str


def data_folder() -> Path:
    """Tell where the files are looked for, and where downloads are kept.

    Returns
    -------
    Path
        The folder that ``DISCREET_DATA_HOME`` names; without it ``discreet`` in the user's cache
        folder, which is ``XDG_CACHE_HOME`` or ``~/.cache``.
    """
    chosen = os.environ.get(HOME)
    if chosen:
        return Path(chosen)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    if not cache.is_absolute():
        # The XDG rules say that a relative path is to be ignored.
        cache = Path(os.path.expanduser("~/.cache"))
    if not cache.is_absolute():
        raise DatasetError(f"this user has no home folder; set {HOME} to a folder for the data sets' files")
    return cache / "discreet"


def obtain(file: PublishedFile) -> bytes:
    """Read a publisher's file, after downloading it where the folder lacks it.

    Parameters
    ----------
    file : PublishedFile
        The file.

    Returns
    -------
    bytes
        Its contents, of the right digest.

    Raises
    ------
    DatasetError
        The file cannot be had, or is not what its publisher gives. The message says what to do.
    """
    folder = data_folder()
    path = folder / file.name
    try:
        contents = path.read_bytes()
    except FileNotFoundError:
        problem = None
    except OSError as error:
        problem = error.strerror
    else:
        difference = _difference(contents, file)
        if difference is None:
            return contents
        raise DatasetError(
            f"{str(path)!r} is not the file that its publisher gives: {difference}. Delete it, and discreet "
            f"downloads it anew from {file.url}"
        )
    if problem is not None:
        raise DatasetError(f"cannot read {str(path)!r}: {problem}")
    contents = _downloaded(file, folder)
    _keep(contents, file, folder)
    return contents


def _downloaded(file: PublishedFile, folder: Path) -> bytes:
    try:
        with urllib.request.urlopen(file.url, timeout=TIMEOUT) as response:
            # One byte more than is right, so that a longer file shows and an endless one ends.
            contents: bytes = response.read(file.size + 1)
        problem = _difference(contents, file)
    except urllib.error.HTTPError as error:
        error.close()
        problem = f"the server answered {error.code} {error.reason}"
    except urllib.error.URLError as error:
        problem = f"no connection ({error.reason})"
    except (OSError, http.client.HTTPException) as error:
        problem = f"the connection broke ({type(error).__name__})"
    if problem is None:
        return contents
    raise DatasetError(f"cannot download {file.name}: {problem}. {_by_hand(file, folder)}")


def _keep(contents: bytes, file: PublishedFile, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / file.name, contents)
    except OSError as error:
        problem = error.strerror
    else:
        return
    raise DatasetError(
        f"cannot write {file.name} into the folder {str(folder)!r}: {problem}. "
        f"Set {HOME} to a folder that can be written, or that holds the file already"
    )


def _difference(contents: bytes, file: PublishedFile) -> str | None:
    if len(contents) < file.size:
        return f"it has {len(contents)} bytes instead of {file.size}"
    if len(contents) > file.size:
        return f"it is longer than {file.size} bytes"
    digest = hashlib.sha256(contents).hexdigest()
    if digest != file.sha256:
        return f"its sha256 is {digest} instead of {file.sha256}"
    return None


def _by_hand(file: PublishedFile, folder: Path) -> str:
    return (
        f"Fetch {file.url} in another way and save it as {file.name!r} in the folder {str(folder)!r}, or in "
        f"any folder that the environment variable {HOME} names (sha256 {file.sha256})"
    )
