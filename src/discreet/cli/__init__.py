"""The command line."""

from __future__ import annotations

from typing import Annotated

import typer

import discreet

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def root(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Differentially private classifiers that a person can read."""
    if version:
        typer.echo(f"discreet {discreet.__version__}")
        raise typer.Exit


@app.command()
def demo(
    epsilon: Annotated[float, typer.Option(help="The privacy budget.")] = 1.0,
) -> None:
    """Train on scikit-learn's breast-cancer table: guarantee, scorecard, and the price of privacy."""
    from discreet.cli.demo import run
    from discreet.errors import DiscreetError

    try:
        run(epsilon, typer.echo)
    except DiscreetError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(2) from None


def main() -> None:
    """Run the command line."""
    app()
