"""What went wrong, what to do about it, and the exit code that says so to a program."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TypeVar

from discreet.errors import (
    DiscreetError,
    EngineError,
    InputError,
    ModelFileError,
    OptionError,
    PlanError,
    ReleaseRefused,
    SchemaError,
)

INTERNAL, USAGE, INPUT, PLAN, MODEL_FILE = 1, 2, 3, 4, 5

EPILOG = """\b
Exit codes
    0  done
    1  internal error, a defect of discreet
    2  a wrong command, argument or option
    3  a table or a schema that cannot be used
    4  a budget or a plan that cannot be met
    5  a model file that cannot be used
  130  interrupted
"""

DEBUG = "DISCREET_DEBUG"
"""Set this environment variable to see the traceback of an internal error, which may show cells."""

# The first class that fits decides: exit code, and what to do unless the error itself says it.
_CLASSES: tuple[tuple[type[DiscreetError], int, str], ...] = (
    (
        SchemaError,
        INPUT,
        "fill in or correct this in the schema; discreet schema check tells when it is valid",
    ),
    (InputError, INPUT, "compare the table with the schema: its columns, their names and types"),
    (OptionError, USAGE, "correct the option; --help after the command lists them all"),
    (PlanError, PLAN, "raise --epsilon or --delta, or lower --rounds"),
    (EngineError, PLAN, "lower --rounds, or declare fewer cut points and categories in the schema"),
    (ReleaseRefused, PLAN, "report this at the project's issue tracker; nothing was released"),
    (ModelFileError, MODEL_FILE, "name a file that discreet fit wrote, or write it again"),
)

E = TypeVar("E", bound=DiscreetError)


@dataclass(frozen=True)
class Problem:
    """An error as the command line tells it.

    Parameters
    ----------
    kind : str
        The class of the error.
    what : str
        What is wrong, in one line.
    remedy : str
        What to do about it, in one line.
    exit_code : int
        How the process ends.
    """

    kind: str
    what: str
    remedy: str
    exit_code: int

    def __str__(self) -> str:
        return f"error: {self.what}\ntry:   {self.remedy}"

    def as_json(self) -> str:
        """Write it as one JSON object on one line."""
        return json.dumps({"error": asdict(self)})


def advised(error: E, remedy: str) -> E:
    """Give an error a remedy of its own, as its first note."""
    error.add_note(remedy)
    return error


def problem_of(error: Exception) -> Problem:
    """Describe any exception; of an unexpected one its kind only, because its text may show cells."""
    kind = type(error).__name__
    notes = [*getattr(error, "__notes__", ())]
    for known, code, remedy in _CLASSES:
        if isinstance(error, known):
            return Problem(kind, _line(str(error)), (notes or [remedy])[0], code)
    # typer brings its own exceptions for a wrong command line, or click's, depending on its version.
    usage_message = getattr(error, "format_message", None)
    if usage_message is not None:
        path = getattr(getattr(error, "ctx", None), "command_path", "discreet")
        return Problem("UsageError", _line(usage_message()), f"{path} --help", USAGE)
    if isinstance(error, OSError):
        return Problem(
            "OutputError",
            f"the output cannot be written: {_line(str(error.strerror))}",
            "make room, or send it elsewhere",
            USAGE,
        )
    return Problem(
        "InternalError",
        f"internal error ({kind}); its text is withheld, because it could show cells",
        f"report it at the project's issue tracker; {DEBUG}=1 shows the traceback, to you alone",
        INTERNAL,
    )


def _line(text: str) -> str:
    return " ".join(text.split())
