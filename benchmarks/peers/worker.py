"""A peer at work: a process in the peer's environment, on one thread, that answers one job after the
other."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from pathlib import Path
from typing import Any

_ONE_THREAD = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
    *("NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"),
)
_INSIDE = Path(__file__).with_name("inside")


class PeerFailed(Exception):
    """A peer gave no answer; the text says why, in a line."""


class Worker:
    """A running peer; a context manager, because it is a process.

    Parameters
    ----------
    python : Path
        The interpreter of its environment.
    script : str
        The module of `inside`.
    limit : float
        Seconds after which a job is given up, and with it the process.
    """

    def __init__(self, python: Path, script: str, limit: float) -> None:
        self._limit = limit
        self._lost = ""
        self._process = subprocess.Popen(
            [str(python), str(_INSIDE / f"{script}.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1")},
        )

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()

    def ask(self, **job: Any) -> dict[str, Any]:
        """Send a job (`inside/serving.py`) and return the answer.

        Raises
        ------
        PeerFailed
            The peer raised an error, died, or took too long. After the last two it answers no more.
        """
        if self._lost:
            raise PeerFailed(self._lost)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(self._limit, give_up)
        timer.start()
        try:
            print(json.dumps(job), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            timer.cancel()
        if not line:
            self._lost = f"no answer within {self._limit:g} s" if late.is_set() else "the process ended"
            raise PeerFailed(self._lost)
        answer: dict[str, Any] = json.loads(line)
        if "problem" in answer:
            raise PeerFailed(answer["problem"])
        return answer
