"""The commands under their names."""

from __future__ import annotations

from typing import Annotated

import typer

import discreet
from discreet.cli import ledger as ledgers
from discreet.cli.bench import bench
from discreet.cli.check import check
from discreet.cli.exits import EPILOG
from discreet.cli.fit import fit
from discreet.cli.group import Commands
from discreet.cli.predict import predict
from discreet.cli.show import show
from discreet.cli.template import template

app = typer.Typer(
    name="discreet",
    cls=Commands,
    epilog=EPILOG,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
schema = typer.Typer(
    help="Start a schema, the public facts about a table; check one.",
    rich_markup_mode=None,
    epilog=EPILOG,
)


ledger = typer.Typer(
    help="Keep privacy budgets that last: open, look at and check them.",
    rich_markup_mode=None,
    epilog=EPILOG,
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Differentially private classifiers that a person can read."""
    if version:
        typer.echo(f"discreet {discreet.__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


def demo(
    epsilon: Annotated[float, typer.Option(help="The privacy budget.")] = 1.0,
) -> None:
    """Train on a public table: guarantee, scorecard, price of privacy."""
    from discreet.cli.demo import run

    run(epsilon, typer.echo)


app.command(epilog=EPILOG)(fit)
app.command(epilog=EPILOG)(predict)
app.command(epilog=EPILOG)(show)
app.add_typer(schema, name="schema")
app.add_typer(ledger, name="ledger")
app.command(epilog=EPILOG)(demo)
app.command(epilog=EPILOG)(bench)
schema.command(epilog=EPILOG)(template)
schema.command(epilog=EPILOG)(check)
ledger.command("open", epilog=EPILOG)(ledgers.open_account)
for look in (ledgers.show, ledgers.history, ledgers.remaining, ledgers.verify, ledgers.export):
    ledger.command(epilog=EPILOG)(look)


def main() -> None:
    """Run the command line."""
    app(prog_name="discreet")
