"""Ledger files: what can happen to a file."""

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager, suppress

import pytest

from discreet import Ledger
from discreet.accounting import PureDP
from discreet.errors import LedgerDamaged, LedgerUnavailable
from discreet.ledger import sqlite

SPEND = [(PureDP(0.125), 1)]
AS_ROOT = os.geteuid() == 0


@pytest.fixture
def path(tmp_path):
    return tmp_path / "budget.db"


@pytest.fixture
def ledger(path):
    with Ledger(path) as ledger:
        ledger.open_account("survey", epsilon=1, delta=0)
        yield ledger


def refused(path, error, message):
    """Whoever opens it, to look or to begin, is told the same; and the file stays as it is."""
    before = path.read_bytes() if path.is_file() else None
    for create in (True, False):
        with pytest.raises(error, match=message) as caught:
            Ledger(path, create=create)
        assert caught.value.__suppress_context__ or caught.value.__context__ is None
    if before is not None:
        assert path.read_bytes() == before


@contextmanager
def mounted(folder, *options):
    """Mount a small disk of our own; for root only."""
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", *options, "tmpfs", folder], capture_output=True)
    if done.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


# Other files -----------------------------------------------------------------------------------------------


def test_a_text_is_no_ledger(path):
    path.write_text("name,diagnosis\n" * 100)
    refused(path, LedgerDamaged, "is not a ledger")


def test_the_database_of_another_program_is_no_ledger(path):
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE events (sequence)")
        other.commit()
    refused(path, LedgerDamaged, "is not a ledger of discreet")


def test_an_empty_file_becomes_a_ledger_only_if_that_is_wanted(path):
    path.touch()
    with pytest.raises(LedgerDamaged, match="is not a ledger of discreet"):
        Ledger(path, create=False)
    assert Ledger(path).accounts() == []


def test_a_folder_is_no_ledger(path):
    path.mkdir()
    refused(path, LedgerUnavailable, "cannot be opened")


def test_a_folder_that_is_absent_is_named_as_the_reason(tmp_path):
    with pytest.raises(LedgerUnavailable, match="is there such a folder"):
        Ledger(tmp_path / "absent" / "budget.db")


def test_names_with_odd_letters(tmp_path):
    path = tmp_path / "a b?c#d%20é.db"
    Ledger(path).open_account("survey", 1, 0)
    assert Ledger(path, create=False).accounts() == ["survey"]
    assert [name.name for name in tmp_path.iterdir() if name.suffix == ".db"] == [path.name]


# Damage ----------------------------------------------------------------------------------------------------


def test_a_page_overwritten_is_found(ledger, path):
    for _ in range(8):
        ledger.reserve("survey", [(PureDP(0.0625), 1)], "x" * 200).commit()
    ledger.close()
    size = path.stat().st_size
    found = 0
    for place in range(4096, size, 4096):
        content = bytearray(path.read_bytes())
        content[place : place + 4096] = b"\xa5" * 4096
        copy = path.with_name(f"{place}.db")
        copy.write_bytes(content)
        with pytest.raises(LedgerDamaged):
            Ledger(copy, create=False).verify()
        found += 1
    assert found >= 4


def test_a_file_cut_short_is_found(ledger, path):
    ledger.close()
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(LedgerDamaged):
        Ledger(path, create=False).verify()


def test_a_header_overwritten_is_found(ledger, path):
    ledger.close()
    path.write_bytes(b"\0" * 100 + path.read_bytes()[100:])
    refused(path, LedgerDamaged, "is not a ledger")


# Places ----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not AS_ROOT, reason="only root mounts a disk")
def test_on_a_full_disk_nothing_is_reserved_or_committed(tmp_path):
    with mounted(tmp_path / "disk", "-o", "size=256k"):
        path = tmp_path / "disk" / "budget.db"
        ledger = Ledger(path)
        ledger.open_account("survey", epsilon=1, delta=0)
        under_way = ledger.reserve("survey", SPEND, "a fit")
        with (tmp_path / "disk" / "filler").open("wb", buffering=0) as filler, suppress(OSError):
            while True:
                filler.write(b"\0" * 4096)
        for _ in range(2):
            with pytest.raises(LedgerUnavailable, match="the disk is full"):
                under_way.commit()
            with pytest.raises(LedgerUnavailable, match="the disk is full"):
                ledger.reserve("survey", SPEND, "another")
        (tmp_path / "disk" / "filler").unlink()
        assert ledger.verify().events == 2
        assert ledger.remaining("survey").epsilon == 0.875
        under_way.commit()
        ledger.close()


def test_where_files_may_not_grow_nothing_is_reserved(path):
    """In a process of its own, because the limit cannot be lifted again."""
    code = f"""
import resource
from discreet import Ledger
from discreet.accounting import PureDP
from discreet.errors import LedgerUnavailable
ledger = Ledger({str(path)!r})
ledger.open_account("survey", epsilon=1, delta=0)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
for _ in range(3):
    try:
        ledger.reserve("survey", [(PureDP(0.125), 1)], "a fit")
    except LedgerUnavailable as error:
        print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.count("the disk cannot be read or written") == 3, told.stdout
    ledger = Ledger(path, create=False)
    assert (ledger.verify().events, ledger.remaining("survey").epsilon) == (1, 1)


@pytest.mark.skipif(not AS_ROOT, reason="only root mounts a disk")
def test_a_disk_that_became_read_only(tmp_path):
    folder = tmp_path / "disk"
    with mounted(folder):
        ledger = Ledger(folder / "budget.db")
        ledger.open_account("survey", epsilon=1, delta=0)
        ledger.close()
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        for create in (True, False):
            with pytest.raises(LedgerUnavailable, match=r"read-only|cannot be opened"):
                Ledger(folder / "budget.db", create=create).reserve("survey", SPEND, "a fit")
        with pytest.raises(LedgerUnavailable):
            ledger.reserve("survey", SPEND, "a fit")


@pytest.mark.skipif(AS_ROOT, reason="root may write any file")
def test_a_file_without_write_permission(ledger, path):
    ledger.close()
    path.chmod(0o400)
    with pytest.raises(LedgerUnavailable, match="read-only"):
        Ledger(path, create=False).reserve("survey", SPEND, "a fit")


@pytest.mark.parametrize("what", ["removed", "replaced by a copy", "moved"])
def test_a_file_that_is_gone_is_not_written_to(ledger, path, what):
    """SQLite would go on in the file without a name, and nobody would ever see the spend."""
    under_way = ledger.reserve("survey", SPEND, "a fit")
    copy = path.with_name("copy.db")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    if what == "removed":
        path.unlink()
    elif what == "moved":
        path.rename(path.with_name("elsewhere.db"))
    else:
        copy.replace(path)
    for act in (
        under_way.commit,
        lambda: ledger.reserve("survey", SPEND, "x"),
        lambda: ledger.remaining("survey"),
    ):
        with pytest.raises(LedgerUnavailable, match="while it was open"):
            act()


def test_a_second_name_is_refused(ledger, path):
    """By another name SQLite keeps another log, and two spenders would not see each other."""
    os.link(path, path.with_name("other.db"))
    with pytest.raises(LedgerUnavailable, match="hard link"):
        Ledger(path.with_name("other.db"), create=False)
    with pytest.raises(LedgerUnavailable, match="hard link"):
        ledger.reserve("survey", SPEND, "a fit")
    path.with_name("other.db").unlink()
    ledger.reserve("survey", SPEND, "a fit")


def test_a_symbolic_link_is_the_same_ledger(ledger, path):
    link = path.with_name("link.db")
    link.symlink_to(path)
    Ledger(link, create=False).reserve("survey", SPEND, "a fit")
    assert ledger.remaining("survey").epsilon == 0.875


# Durability ------------------------------------------------------------------------------------------------


def test_a_commit_waits_for_the_disk(ledger):
    """No crash of a process shows whether a commit reached the disk; the settings do."""
    pragma = ledger._shared.store._pragma
    assert pragma("journal_mode") == "wal"
    assert pragma("synchronous") == 2


def test_another_process_that_holds_it_for_too_long(ledger, path, monkeypatch):
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerUnavailable, match="another process has held it for too long"):
            ledger.reserve("survey", SPEND, "a fit")
        assert ledger.remaining("survey").epsilon == 1
        other.execute("COMMIT")
    ledger.reserve("survey", SPEND, "a fit")


def test_a_ledger_begun_and_killed_is_whole_or_not_there(tmp_path):
    """Kill a process at any moment of its first steps: whoever comes next can begin, or go on."""
    for place in range(20):
        path = tmp_path / f"{place}.db"
        pid = os.fork()
        if pid == 0:
            try:
                Ledger(path).open_account("survey", 1, 0)
            finally:
                os._exit(0)
        if place % 2:
            while not path.exists():
                pass
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        ledger = Ledger(path)
        if not ledger.accounts():
            ledger.open_account("survey", 1, 0)
        assert ledger.verify().events == 1


def test_a_copy_with_its_log_is_the_same_ledger(ledger, path, tmp_path):
    ledger.reserve("survey", SPEND, "a fit")
    backup = tmp_path / "backup"
    backup.mkdir()
    for part in ("", "-wal"):
        shutil.copy(f"{path}{part}", backup / f"{path.name}{part}")
    assert Ledger(backup / path.name, create=False).verify() == ledger.verify()


def test_files_are_not_left_open(path):
    opened = lambda: len(os.listdir("/proc/self/fd"))  # noqa: E731
    Ledger(path).open_account("survey", 1, 0)
    before = opened()
    for _ in range(5):
        Ledger(path, create=False).accounts()
    assert opened() == before
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > before
