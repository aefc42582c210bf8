"""``discreet ledger``: privacy budgets that last, seen from a shell."""

from __future__ import annotations

import json as json_text
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

import discreet
from discreet.cli.bars import printable
from discreet.cli.options import AccountName, AdjacencyName, ForceFlag, JsonFlag, LedgerName
from discreet.cli.outputs import check_output, write_output


def open_account(
    ledger: LedgerName,
    account: AccountName,
    epsilon: Annotated[float, typer.Option(help="The budget of all fits together.")],
    delta: Annotated[float, typer.Option(help="Their delta together; 0 takes purely private fits only.")],
    description: Annotated[str, typer.Option(help="Which table it is about, for readers.")] = "",
    adjacency: AdjacencyName = "replace",
    json: JsonFlag = False,
) -> None:
    """Open an account with a budget.

    A ledger is begun if there is none. Nothing can change the budget later.
    """
    with discreet.Ledger(ledger) as opened:
        opened.open_account(account, epsilon, delta, description, adjacency)  # type: ignore[arg-type]
        told = {"ledger": _address(ledger, opened), **asdict(opened.account(account))}
    if json:
        typer.echo(json_text.dumps(told))
    else:
        typer.echo(f"Account {account!r} can spend {_amount(epsilon, delta)}; discreet fit --account uses it")


def show(ledger: LedgerName, json: JsonFlag = False) -> None:
    """Show the accounts and what is left."""
    with discreet.Ledger(ledger, create=False) as opened:
        accounts = [
            {
                **asdict(opened.account(name)),
                "left": asdict(opened.remaining(name)),
                "spends": len(opened.history(name)),
            }
            for name in opened.accounts()
        ]
        address = _address(ledger, opened)
    if json:
        typer.echo(json_text.dumps({"ledger": address, "accounts": accounts}))
        return
    typer.echo(f"{address}: {_counted(len(accounts), 'account')}")
    for each in accounts:
        about = f", about {each['description']}" if each["description"] else ""
        typer.echo(
            f"\n  {printable(each['name'])}{printable(about)}\n"
            f"    budget      {_amount(each['epsilon'], each['delta'])}\n"
            f"    left        {_left(each['left'])}\n"
            f"    spends      {each['spends']:,}\n"
            f"    neighbours  {each['adjacency']}"
        )


def history(ledger: LedgerName, account: AccountName, json: JsonFlag = False) -> None:
    """List the spends of an account.

    A spend is committed if something was released for it; reserved, if that is under way or was given up.
    Both count.
    """
    with discreet.Ledger(ledger, create=False) as opened:
        table = opened.history(account)
    spends = table.assign(time=[time.isoformat() for time in table.time]).to_dict("records")
    if json:
        typer.echo(json_text.dumps({"account": account, "spends": spends}))
        return
    typer.echo(f"  {'spend':>5}  {'time (UTC)':<19}  {'state':<9}  what and at which loss")
    for spend in spends:
        typer.echo(
            f"  {spend['spend']:>5}  {spend['time'][:19].replace('T', ' ')}  {spend['state']:<9}  "
            f"{printable(spend['what'])}: {spend['loss']}"
        )


def remaining(ledger: LedgerName, account: AccountName, json: JsonFlag = False) -> None:
    """Tell what one more fit can ask for."""
    with discreet.Ledger(ledger, create=False) as opened:
        left = asdict(opened.remaining(account))
    typer.echo(json_text.dumps(left) if json else f"Account {account!r} has {_left(left)} left")


def verify(
    ledger: LedgerName,
    anchor: Annotated[str | None, typer.Option(help="What an earlier verify told to keep.")] = None,
    json: JsonFlag = False,
) -> None:
    """Check every event, sum and cap.

    With an anchor, also that the ledger was not rolled back to a copy from before, or written anew.
    """
    with discreet.Ledger(ledger, create=False) as opened:
        chain, address = opened.verify(anchor), _address(ledger, opened)
    if json:
        typer.echo(json_text.dumps({"ledger": address, "events": chain.events, "anchor": chain.head}))
        return
    since = "" if anchor is None else ", and goes on from the anchor"
    typer.echo(
        f"{address} is whole: {_counted(chain.events, 'event')}{since}\n"
        f"anchor: {chain.head}\n"
        "Keep the anchor where nobody who can write the ledger can write, and give it to --anchor next time."
    )


def export(
    ledger: LedgerName,
    out: Annotated[Path | None, typer.Option(help="Where the events go.  [default: standard output]")] = None,
    force: ForceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Write all events, one JSON object a line."""
    if out is not None:
        check_output(out, force, Path(ledger))
    with discreet.Ledger(ledger, create=False) as opened:
        text = opened.export()
    if out is not None:
        write_output(out, text, force)
    lines = text.splitlines()
    if json:
        found: dict[str, Any] = {"events": [json_text.loads(line) for line in lines]}
        typer.echo(json_text.dumps(found if out is None else {"out": os.fspath(out), "events": len(lines)}))
    elif out is None:
        typer.echo(text, nl=False)
    else:
        typer.echo(f"{_counted(len(lines), 'event')} went to {os.fspath(out)}")


def _address(given: str, opened: discreet.Ledger) -> str:
    """Return the address as it was given, but for a password."""
    return opened.address if "://" in given else given


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _amount(epsilon: float, delta: float) -> str:
    return f"epsilon = {epsilon:g}" + (f" at delta = {delta:g}" if delta else ", purely private")


def _left(left: dict[str, Any]) -> str:
    from discreet.ledger.history import shown_down

    if not left["delta"]:
        return f"epsilon = {shown_down(left['epsilon'])}, purely private"
    return (
        f"epsilon = {shown_down(left['epsilon'])} at delta = {left['delta']:g} "
        f"(purely private: epsilon = {shown_down(left['pure_epsilon'])})"
    )
