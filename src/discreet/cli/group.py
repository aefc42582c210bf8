"""The one place where errors become two lines and an exit code."""

from __future__ import annotations

import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from discreet.cli.exits import DEBUG, problem_of


class Commands(TyperGroup):
    """All commands of ``discreet``: no traceback and no warning of another library gets out of them."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run a command line to its end, which is an exit code."""
        words = sys.argv[1:] if args is None else list(args)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                # A name that the terminal cannot show must not end in an exception.
                stream.reconfigure(errors="backslashreplace")
        # Not standalone: errors then come here instead of being printed.
        sys.exit(
            _code_of(
                words,
                lambda: super(Commands, self).main(words, prog_name, complete_var, False, **extra),
            )
        )


def _code_of(words: Sequence[str], run: Callable[[], Any]) -> int:
    debug = bool(os.environ.get(DEBUG))
    try:
        with warnings.catch_warnings():
            if not debug:
                warnings.simplefilter("ignore")
            ended = run()
    except typer.Abort:
        return 130
    except Exception as error:
        problem = problem_of(error)
        if debug:
            traceback.print_exc()
        typer.echo(problem.as_json() if "--json" in words else str(problem), err=True)
        return problem.exit_code
    # An exit code where a command asked for one; otherwise what a command returned, which is nothing.
    return ended if isinstance(ended, int) else 0
