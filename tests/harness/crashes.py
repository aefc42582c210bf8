"""Kills fits in mid-air, and looks at what is left: `python -m tests.harness.crashes FOLDER KILLS SEED`.

Children are forked from a process that has imported and compiled everything, so that a fit takes
milliseconds. Each fits and saves models, paid by one ledger, until it is killed at a random moment between
its birth and the end of about two fits.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

from discreet import BoostedRulesClassifier, Ledger, Numeric, load_model
from discreet.errors import BudgetExceeded

CHILDREN = 8
ACCOUNT = "crashes"
EPSILON = 2.0**-10
X = np.linspace(0, 1, 40).reshape(-1, 1)
Y = X[:, 0] > 0.5


def fitted(ledger: Ledger | None) -> BoostedRulesClassifier:
    return BoostedRulesClassifier(
        epsilon=EPSILON,
        delta=0,
        schema=Numeric(0, 1, bins=4),
        classes=[False, True],
        rounds=2,
        ledger=ledger,
        account=ledger and ACCOUNT,
    ).fit(X, Y)


def child(folder: Path) -> None:
    """Fit and save until killed, or until the budget is gone."""
    ledger = Ledger(folder / "budget.db", create=False)
    while True:
        try:
            model = fitted(ledger)
        except BudgetExceeded:
            time.sleep(0.01)
            continue
        model.save(folder / "models" / f"{model.privacy_.spend}.json")


def kill(folder: Path, kills: int, seed: int) -> None:
    """Keep children running, and kill them one after the other at random moments."""
    chance = random.Random(seed)
    fitted(None)  # compiles the kernels
    begin = time.perf_counter()
    for _ in range(5):
        fitted(None)
    at_once = CHILDREN / (os.cpu_count() or 1)
    lifetime = 2 * at_once * (time.perf_counter() - begin) / 5
    (folder / "models").mkdir()
    # The budget runs out on the way, so that kills hit refusals too.
    with Ledger(folder / "budget.db") as ledger:
        ledger.open_account(ACCOUNT, epsilon=kills * EPSILON, delta=0)
    alive: dict[int, float] = {}
    killed = 0
    while killed < kills:
        while len(alive) < min(CHILDREN, kills - killed):
            pid = os.fork()
            if pid == 0:
                try:
                    child(folder)
                finally:
                    os._exit(3)
            alive[pid] = time.perf_counter() + chance.uniform(0, lifetime)
        pid, due = min(alive.items(), key=lambda item: item[1])
        time.sleep(max(0.0, due - time.perf_counter()))
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        if not os.WIFSIGNALED(status):
            raise SystemExit(f"a child ended by itself, status {status}")
        del alive[pid]
        killed += 1


def findings(folder: Path) -> dict[str, object]:
    """Compare the models that got out with the ledger."""
    ledger = Ledger(folder / "budget.db", create=False)
    chain = ledger.verify()
    history = ledger.history(ACCOUNT)
    committed = set(history.loc[history["state"] == "committed", "spend"])
    models = [load_model(path).privacy_ for path in (folder / "models").glob("*.json")]
    return {
        "events": chain.events,
        "spends": len(history),
        "given up": int((history["state"] == "reserved").sum()),
        "models": len(models),
        "models without a committed spend": sum(
            model.account != ACCOUNT or model.spend not in committed for model in models
        ),
        "left": ledger.remaining(ACCOUNT).epsilon,
    }


if __name__ == "__main__":
    where = Path(sys.argv[1])
    kill(where, int(sys.argv[2]), int(sys.argv[3]))
    print(json.dumps(findings(where)))
