"""What a killed process leaves behind must not stop the others."""

import subprocess
import sys

KILLED_WITH_THE_LOCK_OF_A_PROGRESS_BAR = """
import os, signal
import numpy as np
from tqdm import tqdm
from discreet import BoostedRulesClassifier, Numeric

X = np.linspace(0, 1, 50).reshape(-1, 1)
model = BoostedRulesClassifier(schema=Numeric(0, 1, bins=4), classes=[False, True], rounds=3)
model.fit(X, X[:, 0] > 0.5)
lock = tqdm.get_lock()
if os.fork() == 0:
    lock.acquire()
    os.kill(os.getpid(), signal.SIGKILL)
os.wait()
model.fit(X, X[:, 0] > 0.5)
print("fitted")
"""


def test_a_process_killed_at_a_progress_bar_does_not_stop_the_fits_of_its_siblings():
    """tqdm's lock is shared by forked processes, and nobody gives back that of a dead one."""
    told = subprocess.run(
        [sys.executable, "-c", KILLED_WITH_THE_LOCK_OF_A_PROGRESS_BAR],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert told.stdout == "fitted\n"
