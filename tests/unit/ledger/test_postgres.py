"""Ledgers in PostgreSQL: what can happen to a server."""

import pickle
import sys
import traceback

import pytest

from discreet import Ledger
from discreet.accounting import PureDP
from discreet.errors import LedgerDamaged, LedgerError, LedgerUnavailable, OptionError
from discreet.ledger import postgres, store
from discreet.ledger.postgres import PostgresStore
from tests.harness import postgres_server
from tests.harness.ledgers import tool
from tests.harness.postgres_server import PASSWORD

SPEND = [(PureDP(0.125), 1)]


@pytest.fixture
def address(server):
    return server.new_database()


@pytest.fixture
def ledger(address):
    with Ledger(address) as ledger:
        ledger.open_account("survey", epsilon=1, delta=0)
        yield ledger


def all_of(error):
    return "".join(traceback.format_exception(error)) + repr(error.__context__) + repr(vars(error))


# Addresses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:zq7@host:5432/db", "postgresql://me@host:5432/db"),
        ("postgres://me:zq7@host/db?sslmode=require", "postgres://me@host/db?sslmode=require"),
        ("postgresql://:zq7@host/db", "postgresql://@host/db"),
        ("postgresql://me:zq7@one:1,two:2/db", "postgresql://me@one:1,two:2/db"),
        ("postgresql:///db?user=me&password=zq7&sslpassword=zq7", "postgresql:///db?user=me"),
        (
            "postgresql:///db?host=%2Frun%2Fpg&passfile=%2Fp",
            "postgresql:///db?host=%2Frun%2Fpg&passfile=%2Fp",
        ),
        ("postgresql://me:zq%407@host/db", "postgresql://me@host/db"),
        ("postgresql://host", "postgresql://host"),
    ],
)
def test_no_password_in_a_name(address, shown):
    found = PostgresStore(address)
    assert (found.address, found.name) == (shown, repr(shown))


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:z/q7@host/db",
        "postgresql://me:z?q7@host/db",
        "postgresql://me:z#q7@host/db",
        "postgresql://me:z@a/q7@host/db",
        "postgresql://me:[zq7@host/db",
    ],
)
def test_a_password_that_cuts_the_address_in_two_is_refused_unseen(address):
    with pytest.raises(OptionError, match="%40") as caught:
        Ledger(address)
    assert "q7" not in str(caught.value)
    assert caught.value.__context__ is None


def test_without_psycopg_it_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(LedgerUnavailable, match=r'pip install "discreet\[postgres\]"'):
        Ledger("postgresql://host/db")


# Servers ---------------------------------------------------------------------------------------------------


def test_a_refused_login_shows_no_password(server):
    for address in (
        server.address("postgres", password="zq7wrong"),
        server.address("postgres", "zq7user", "zq7w"),
    ):
        with pytest.raises(LedgerUnavailable) as caught:
            Ledger(address)
        assert "zq7w" not in all_of(caught.value)


@pytest.mark.parametrize("address", ["postgresql://me:zq7@127.0.0.1:1/db", "postgresql://me:zq7@h/db?zq7=1"])
def test_a_server_that_is_not_there(server, address):
    with pytest.raises(LedgerUnavailable, match="cannot be reached") as caught:
        Ledger(address)
    assert ":zq7" not in all_of(caught.value)


def test_a_database_that_is_not_there(server):
    with pytest.raises(LedgerUnavailable, match=r"cannot be reached|no such database"):
        Ledger(server.address("absent"))


def test_a_schema_of_the_same_name_is_no_ledger(server, address):
    server.run("CREATE SCHEMA discreet_ledger", address.rpartition("/")[2].partition("?")[0])
    for create in (True, False):
        with pytest.raises(LedgerDamaged, match="is not a ledger of discreet"):
            Ledger(address, create=create)


def test_other_tables_of_the_database_are_left_alone(server):
    address = server.new_database()
    name = address.rpartition("/")[2].partition("?")[0]
    server.run("CREATE TABLE events (x INTEGER)", name)
    Ledger(address).open_account("survey", 1, 0)
    assert server.run("SELECT count(*) FROM events", name) == [(0,)]


def test_a_read_only_database(server, ledger, address):
    name = address.rpartition("/")[2].partition("?")[0]
    ledger.close()
    server.run(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    # What a transaction asks for itself counts: only a standby is read-only for good.
    ledger.reserve("survey", SPEND, "a fit").commit()
    with pytest.raises(LedgerUnavailable, match="read-only"), ledger._shared.snapshot() as execute:
        execute("DELETE FROM events", ())
    assert ledger.remaining("survey").epsilon == 0.875


def test_a_role_that_may_only_append(server, ledger, address):
    """The database then keeps every other change off, whatever the triggers say."""
    name = address.rpartition("/")[2].partition("?")[0]
    server.run(f"CREATE ROLE spender_{name} LOGIN PASSWORD '{PASSWORD}'")
    server.run(f"GRANT USAGE ON SCHEMA discreet_ledger TO spender_{name}", name)
    server.run(f"GRANT SELECT, INSERT ON discreet_ledger.events TO spender_{name}", name)
    server.run(f"GRANT SELECT ON discreet_ledger.format TO spender_{name}", name)
    theirs = server.address(name, user=f"spender_{name}")
    with Ledger(theirs, create=False) as limited:
        limited.reserve("survey", SPEND, "a fit").commit()
        assert limited.verify().events == 3
        with pytest.raises(LedgerUnavailable, match="no permission"), limited._shared.exclusive() as execute:
            execute("DELETE FROM events", ())
    with tool(theirs, guards=True) as run, pytest.raises(Exception, match="permission denied"):
        run("UPDATE events SET account = 'x'")
    assert ledger.remaining("survey").epsilon == 0.875


def test_a_writer_who_ignores_the_lock_is_noticed(ledger, address, monkeypatch):
    """Two events of one number cannot be: one of the writers is refused."""
    honest = store.append

    def overtaken(execute, event, spend):
        with tool(address, guards=True) as run:
            run(f"INSERT INTO events VALUES ({event.sequence}, 'note', 'x', NULL, '', '')")
        return honest(execute, event, spend)

    monkeypatch.setattr(store, "append", overtaken)
    with pytest.raises(LedgerUnavailable, match="23505"):
        ledger.reserve("survey", SPEND, "a fit")


def test_a_damaged_index_is_found(ledger, monkeypatch):
    server = ledger._shared.store
    with ledger._shared.held(), server.snapshot() as execute:
        counted = iter([[(1,)], [(1,), (2,)]])

        def lies(statement, parameters):
            return (
                next(counted) if statement.startswith("SELECT sequence") else execute(statement, parameters)
            )

        monkeypatch.setattr(server, "snapshot", lambda: _given(lies))
        with pytest.raises(LedgerDamaged, match="an index"):
            server.check()


class _given:  # noqa: N801
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        return self.value

    def __exit__(self, *exception):
        return None


# Crashes ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own_server():
    reason = postgres_server.missing()
    if reason is not None:
        pytest.skip(reason)
    with postgres_server.running() as started:
        yield started


def test_what_was_spent_survives_a_crash_of_the_server(own_server):
    """Also where the server is set to answer before it has written. The Ledger connects anew by itself."""
    address = own_server.new_database()
    own_server.run("ALTER SYSTEM SET synchronous_commit = off")
    own_server.run("SELECT pg_reload_conf()")
    ledger = Ledger(address)
    ledger.open_account("survey", epsilon=1, delta=0)
    for _ in range(3):
        under_way = ledger.reserve("survey", SPEND, "a fit")
        own_server.stop("immediate")
        with pytest.raises(LedgerUnavailable):
            under_way.commit()
        with pytest.raises(LedgerUnavailable):
            ledger.accounts()
        own_server.start()
        under_way.commit()
    assert ledger.history("survey").state.tolist() == ["committed"] * 3
    assert ledger.remaining("survey").epsilon == 0.625
    ledger.verify()


def test_a_server_that_does_not_wait_for_its_disk_is_refused(own_server):
    address = own_server.new_database()
    own_server.stop()
    own_server.start("-c fsync=off")
    try:
        with pytest.raises(LedgerUnavailable, match="fsync off"):
            Ledger(address)
    finally:
        own_server.stop()
        own_server.start()


def test_a_connection_that_was_cut_is_made_anew(server, ledger, address):
    name = address.rpartition("/")[2].partition("?")[0]
    ledger.accounts()
    server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    with pytest.raises(LedgerUnavailable):
        ledger.reserve("survey", SPEND, "a fit")
    ledger.reserve("survey", SPEND, "a fit").commit()
    assert ledger.remaining("survey").epsilon == 0.875


def test_a_pickle_without_the_password_asks_for_one(ledger, monkeypatch):
    monkeypatch.delenv("PGPASSWORD", raising=False)
    with pytest.raises(LedgerError):
        pickle.loads(pickle.dumps(ledger)).accounts()


def test_another_process_that_holds_it_for_too_long(ledger, address, monkeypatch):
    monkeypatch.setattr(postgres, "_EXCLUSIVE", postgres._EXCLUSIVE.replace("60s", "50ms"))
    with Ledger(address) as other, other._shared.exclusive():
        with pytest.raises(LedgerUnavailable, match="another process has held it for too long"):
            ledger.reserve("survey", SPEND, "a fit")
        assert ledger.remaining("survey").epsilon == 1
    ledger.reserve("survey", SPEND, "a fit")
