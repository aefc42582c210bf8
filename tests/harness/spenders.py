"""Many processes at one account: `python -m tests.harness.spenders LEDGER SPENDERS TRIES CAP`.

Each spender tries to reserve one unit TRIES times; the account has room for CAP. Prints how many each got,
and durable spends a second while the account lasted.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import time

from discreet import Ledger
from discreet.accounting import PureDP
from discreet.errors import BudgetExceeded

UNIT = 2.0**-20
ACCOUNT = "spenders"


def spend(where: str, tries: int, ready: object, got: object) -> None:
    ledger = Ledger(where, create=False)
    ready.wait()
    granted, last = 0, 0.0
    for _ in range(tries):
        try:
            ledger.reserve(ACCOUNT, [(PureDP(UNIT), 1)], "a try").commit()
        except BudgetExceeded:
            continue
        granted, last = granted + 1, time.perf_counter()
    got.put((granted, last))


def main(where: str, spenders: int, tries: int, cap: int) -> dict[str, object]:
    with Ledger(where) as ledger:
        ledger.open_account(ACCOUNT, epsilon=cap * UNIT, delta=0)
    # Forked from here, where everything is imported and no ledger is open.
    context = multiprocessing.get_context("fork")
    ready, got = context.Barrier(spenders + 1), context.Queue()
    processes = [context.Process(target=spend, args=(where, tries, ready, got)) for _ in range(spenders)]
    for process in processes:
        process.start()
    ready.wait()
    begin = time.perf_counter()
    results = [got.get() for _ in processes]
    everything = time.perf_counter() - begin
    for process in processes:
        process.join()
    ledger = Ledger(where, create=False)
    ledger.verify()
    granted = sum(count for count, _ in results)
    return {
        "granted": granted,
        "recorded": len(ledger.history(ACCOUNT)),
        "left": ledger.remaining(ACCOUNT).epsilon / UNIT,
        "spends a second": granted / (max(last for _, last in results) - begin),
        "tries a second": spenders * tries / everything,
    }


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], *map(int, sys.argv[2:5]))))
