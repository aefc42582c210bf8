"""Kills fits in mid-air and looks at what is left: `python -m tests.harness.crashes FOLDER LEDGER KILLS SEED`

Children are forked from a process that has imported and compiled everything, so that a fit takes
milliseconds. Each fits and saves models, paid by one ledger, until it is killed at a random moment of its
first fits. The budget lasts for most of the kills; the last ones hit refusals.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from discreet import BoostedRulesClassifier, Ledger, Numeric, load_model
from discreet.errors import BudgetExceeded

CHILDREN = 8
ACCOUNT = "crashes"
EPSILON = 2.0**-10
LIFETIME = 1.5
"""At the most, in fits, as long as these take at first; then as the machine is busy."""
LASTS = 0.9
"""The budget, in fits a kill."""
X = np.linspace(0, 1, 40).reshape(-1, 1)
Y = X[:, 0] > 0.5


def fit_and_save(ledger: Ledger, folder: Path) -> None:
    model = BoostedRulesClassifier(
        epsilon=EPSILON,
        delta=0,
        schema=Numeric(0, 1, bins=4),
        classes=[False, True],
        rounds=30,
        ledger=ledger,
        account=ACCOUNT,
    ).fit(X, Y)
    model.save(folder / f"{model.privacy_.spend}.json")


def child(where: str, models: Path) -> None:
    """Fit and save until killed, also when the budget is gone."""
    ledger = Ledger(where, create=False)
    while True:
        try:
            fit_and_save(ledger, models)
        except BudgetExceeded:
            time.sleep(0.001)


def kill(where: str, models: Path, kills: int, seed: int) -> None:
    """Keep children running, and kill them one after the other at random moments."""
    chance = random.Random(seed)
    lifetime = LIFETIME * _seconds_of_a_fit(models.parent / "trial")
    # The connection must not be there when children are forked.
    with Ledger(where) as ledger:
        ledger.open_account(ACCOUNT, epsilon=int(LASTS * kills) * EPSILON, delta=0)
    alive: dict[int, float] = {}
    killed = released = idle = 0
    while killed < kills:
        while len(alive) < min(CHILDREN, kills - killed):
            pid = _forked(lambda: child(where, models))
            alive[pid] = time.perf_counter() + chance.uniform(0, lifetime)
        pid, due = min(alive.items(), key=lambda item: item[1])
        time.sleep(max(0.0, due - time.perf_counter()))
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        if not os.WIFSIGNALED(status):
            raise SystemExit(f"a child ended by itself, status {status}")
        del alive[pid]
        killed += 1
        if killed % 50 == 0 and _lasts(where):
            # Aims at one model for two kills, however busy the machine is.
            released, before = len(list(models.glob("*.json"))), released
            lifetime *= 1.25 if released - before < 25 else 0.8
            idle = 0 if released > before else idle + 1
            if idle == 6:
                raise SystemExit(f"after {killed} kills all fits hang")


def _lasts(where: str) -> bool:
    """Tell whether a fit can still be paid."""
    with Ledger(where, create=False) as ledger:
        return ledger.remaining(ACCOUNT).epsilon >= EPSILON


def _seconds_of_a_fit(scratch: Path) -> float:
    """Let as many children fit at once as there will be, from their birth on."""
    scratch.mkdir()
    where = str(scratch / "trial.db")
    with Ledger(where) as ledger:
        ledger.open_account(ACCOUNT, epsilon=1, delta=0)
        fit_and_save(ledger, scratch)  # compiles the kernels

    def once() -> None:
        fit_and_save(Ledger(where, create=False), scratch)

    begin = time.perf_counter()
    children = [_forked(once) for _ in range(4 * CHILDREN)]
    for pid in children:
        os.waitpid(pid, 0)
    return (time.perf_counter() - begin) / 4


def _forked(work: Callable[[], None]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            os.nice(10)  # so that the parent kills in time
            work()
        finally:
            os._exit(3)
    return pid


def findings(where: str, models: Path) -> dict[str, float]:
    """Compare the models that got out with the ledger, which must be whole."""
    ledger = Ledger(where, create=False)
    chain = ledger.verify()
    history = ledger.history(ACCOUNT)
    committed = set(history.loc[history["state"] == "committed", "spend"])
    out = [load_model(path).privacy_ for path in models.glob("*.json")]
    return {
        "events": chain.events,
        "spends": len(history),
        "killed before the commit": len(history) - len(committed),
        "killed before the release": len(committed) - len(out),
        "models": len(out),
        "models without a committed spend": sum(
            model.account != ACCOUNT or model.spend not in committed for model in out
        ),
        "left": ledger.remaining(ACCOUNT).epsilon / EPSILON,
    }


if __name__ == "__main__":
    released = Path(sys.argv[1]) / "models"
    released.mkdir()
    kill(sys.argv[2], released, int(sys.argv[3]), int(sys.argv[4]))
    print(json.dumps(findings(sys.argv[2], released)))
