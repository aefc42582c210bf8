"""Before any command runs: start-up, help, completion."""

import os
import subprocess
import sys


def of_children():
    """Return the processor's time of all children so far: other work on the machine does not count."""
    times = os.times()
    return times.children_user + times.children_system


def test_help_is_quick_and_says_the_exit_codes():
    """Neither help nor import loads a heavy library; the best of three runs is what counts."""
    heavy = ("opendp", "sklearn", "numba", "pandas")
    code = (
        "import sys, discreet\n"
        "from discreet.cli import app\n"
        "try:\n    app([{words}])\n"
        "except SystemExit:\n    pass\n"
        f"print([name for name in {heavy} if name in sys.modules])\n"
    )
    for words in ("'--help'", "'fit', '--help'", "'schema', 'template', '--help'"):
        seconds = []
        for _ in range(3):
            start = of_children()
            told = subprocess.run(
                [sys.executable, "-c", code.format(words=words)], capture_output=True, text=True, check=True
            )
            seconds.append(of_children() - start)
            assert told.stdout.endswith("[]\n")
            assert "130  interrupted" in told.stdout
        assert min(seconds) < 0.5


def test_import_is_quick():
    seconds = []
    for _ in range(3):
        start = of_children()
        subprocess.run([sys.executable, "-c", "import discreet"], check=True)
        seconds.append(of_children() - start)
    assert min(seconds) < 0.5


def test_shells_complete_words():
    words = {"_DISCREET_COMPLETE": "complete_bash", "COMP_WORDS": "discreet f", "COMP_CWORD": "1"}
    told = subprocess.run(
        [sys.executable, "-m", "discreet"], env={**os.environ, **words}, capture_output=True, text=True
    )
    assert told.stdout.split() == ["fit"]
    words |= {"COMP_WORDS": "discreet fit --adjacency ", "COMP_CWORD": "3"}
    told = subprocess.run(
        [sys.executable, "-m", "discreet"], env={**os.environ, **words}, capture_output=True, text=True
    )
    assert told.stdout.split() == ["replace", "add-remove"]
