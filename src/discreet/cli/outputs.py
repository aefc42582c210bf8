"""Files that a command writes: never over something else by accident."""

from __future__ import annotations

import os
from pathlib import Path

from discreet.cli.exits import advised
from discreet.errors import OptionError


def check_output(path: Path, force: bool, *inputs: Path) -> None:
    """Refuse an output that could not or should not be written, before any work is done.

    Parameters
    ----------
    path : Path
        The file to write.
    force : bool
        Whether an existing file may be overwritten.
    *inputs : Path
        Files of the same command, which are never overwritten.

    Raises
    ------
    OptionError
        The file exists, is an input, or has no directory to go to.
    """
    shown = repr(os.fspath(path))
    try:
        is_directory, exists = path.is_dir(), path.exists()
    except OSError as error:  # a name that is too long
        raise advised(
            OptionError(f"--out {shown} cannot be written: {error.strerror}"), "give --out another name"
        ) from None
    if is_directory:
        raise advised(OptionError(f"--out {shown} is a directory"), "add the name of a file to --out")
    if exists:
        if not path.is_file():
            raise advised(OptionError(f"--out {shown} is no ordinary file"), "give --out another name")
        if any(source.exists() and path.samefile(source) for source in inputs):
            raise advised(
                OptionError(f"--out {shown} is an input of the same command"), "give --out another name"
            )
        if not force:
            raise advised(
                OptionError(f"--out {shown} exists already"), "give --out another name, or add --force"
            )
    if not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
        raise advised(
            OptionError(f"--out {shown} has no directory that can be written to"),
            "create the directory first, or name another",
        )


def write_output(path: Path, text: str, force: bool) -> None:
    """Write a text file; a file that appeared meanwhile is not overwritten either, unless forced."""
    problem = None
    try:
        with path.open("wb" if force else "xb") as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        problem = error.strerror
    if problem is not None:
        raise advised(
            OptionError(f"cannot write {os.fspath(path)!r}: {problem}"), "name another file with --out"
        )
