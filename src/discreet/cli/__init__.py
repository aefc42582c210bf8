"""The command line: thin commands over the public face of the library.

Nothing here imports a heavy library at its top, so that ``discreet --help`` answers at once.
"""

from discreet.cli.application import app, main

__all__ = ["app", "main"]
