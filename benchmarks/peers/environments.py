"""Virtual environments for the peers, made where the user says, each pinned and apart from this library's
own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

OWN = "own"
"""The environment that runs this script: this library and its extra `bench`."""

PINS = {
    # 0.6.5 beside scikit-learn 1.4 or newer draws wrong noise, and 0.6.6 does not import beside 1.9.
    "diffprivlib": ("diffprivlib==0.6.6", "scikit-learn==1.5.2", "numpy==2.4.6", "scipy==1.17.1"),
    "interpret": ("interpret-core==0.7.8", "scikit-learn==1.9.1", "numpy==2.4.6", "pandas==3.1.1"),
    # A source distribution: needs a C++ compiler and cmake, and some minutes.
    "dp-xgboost": ("dp-xgboost==0.2.10", "numpy==1.26.4", "scipy==1.13.1", "setuptools<81"),
}

_MINUTES = 20
_READY = "ready.txt"


class EnvironmentFailed(Exception):
    """An environment could not be made; the text says why, in a line."""


def default_cache() -> Path:
    """Return the folder in the user's cache where environments and coded rows are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "discreet" / "peers"


def python_of(name: str, cache: Path) -> Path:
    """Return the interpreter of an environment, which is made where it is absent or pinned otherwise.

    Raises
    ------
    EnvironmentFailed
        pip or a compiler failed, or took too long.
    """
    if name == OWN:
        return Path(sys.executable)
    folder = cache / "environments" / name
    python, ready = folder / "bin" / "python", folder / _READY
    pins = "\n".join(PINS[name])
    if ready.exists() and ready.read_text() == pins:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _run([sys.executable, "-m", "venv", str(folder)])
    # One after the other: a source distribution finds what it builds against.
    _run([str(python), "-m", "pip", "install", "--quiet", "wheel", *PINS[name][1:]])
    _run([str(python), "-m", "pip", "install", "--quiet", PINS[name][0]])
    ready.write_text(pins)
    return python


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=60 * _MINUTES)
    except subprocess.TimeoutExpired:
        raise EnvironmentFailed(f"not installed within {_MINUTES} minutes") from None
    except subprocess.CalledProcessError as error:
        lines = [line for line in error.stderr.splitlines() if line.startswith(("ERROR", "error"))]
        reason = lines[-1] if lines else "pip failed"
        raise EnvironmentFailed(f"not installed: {reason[:160]}") from None
