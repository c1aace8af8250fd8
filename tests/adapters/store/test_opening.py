"""A store is made, found, brought up or refused; every refusal is one line with the way out."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from adjudicator.adapters.store import opening
from adjudicator.adapters.store.migrations.revisions import REVISIONS, VERSION_TABLE, read_revision
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.desk.model.errors import Refused
from tests.adapters.store.examples import begin, game
from tests.servers.postgres import PostgreSQL

Open = Callable[[str], SqlStore]
ROOT = Path(__file__).parents[3]


def python(code: str, *given: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, *given],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def version(store: SqlStore) -> str | None:
    with store.look() as transaction:
        return read_revision(transaction)


def set_version(store: SqlStore, revision: str) -> None:
    with store.engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '{revision}'"))


def test_a_new_store_is_made_and_found_again(empty: str, opened: Open) -> None:
    first = opened(empty)
    begin(first)
    first.close()
    second = opened(empty)
    assert version(second) == REVISIONS[-1]
    with second.reading() as books:
        assert books.game("ember") == game()


def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
    """It holds the seeds of running games; so do the files beside it."""
    path = tmp_path / "new" / "home" / "adjudicator.db"
    with open_store(path) as store:
        begin(store)
        for file in path.parent.iterdir():
            assert file.stat().st_mode & 0o777 == 0o600
        assert {file.name for file in path.parent.iterdir()} > {path.name}


def test_a_commit_is_on_the_disk(tmp_path: Path) -> None:
    with open_store(tmp_path / "a.db") as store, store.writing() as books:
        ask = books._transaction.ask  # type: ignore[attr-defined]
        assert ask("PRAGMA journal_mode") == "wal"
        assert ask("PRAGMA synchronous") == 2
        assert ask("PRAGMA foreign_keys") == 1
        assert ask("PRAGMA busy_timeout") == 10_000


def test_a_copy_without_a_log_gets_one(tmp_path: Path) -> None:
    """A backup by VACUUM INTO has none."""
    with open_store(tmp_path / "a.db") as store:
        begin(store)
        with store.engine.connect() as connection:
            connection.connection.driver_connection.execute(f"VACUUM INTO '{tmp_path}/b.db'")
    with open_store(tmp_path / "b.db") as store, store.reading() as books:
        assert books.game("ember") == game()
        assert books._transaction.ask("PRAGMA journal_mode") == "wal"  # type: ignore[attr-defined]


def test_opening_does_not_wait_for_a_writer(place: str, opened: Open) -> None:
    first = opened(place)
    with first.writing() as books:
        books.add_game(game())
        books.flush()  # type: ignore[attr-defined]
        with opened(place).reading() as look:
            assert look.games() == []


def test_a_second_store_in_the_process_leaves_the_locks_of_the_first(tmp_path: Path) -> None:
    """Nobody may take the log away while one looks: what it saw would be gone."""
    path = str(tmp_path / "a.db")
    code = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], timeout=0)\n"
        "try: print(c.execute('PRAGMA journal_mode=DELETE').fetchone())\n"
        "except sqlite3.OperationalError as error: print(error)"
    )
    with open_store(path) as first, first.reading() as books:
        assert books.games() == []
        with open_store(path):
            assert python(code, path).communicate()[0] == "database is locked\n"
        assert python(code, path).communicate()[0] == "database is locked\n"


def test_beside_another_program_that_uses_alembic(empty: str, opened: Open) -> None:
    """Its version is none of ours."""
    made = opened(empty)
    with made.engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('c0ffee')"))
    begin(opened(empty))


def test_a_file_may_be_given_as_a_url(tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path}/a.db").close()
    assert (tmp_path / "a.db").exists()


def test_a_current_store_opens_without_alembic(place: str) -> None:
    """Every command opens the store; importing Alembic costs as much as the command."""
    assert list_loaded(place, "alembic") == []


def test_a_new_file_is_made_without_the_server_s_engine(tmp_path: Path) -> None:
    assert list_loaded(str(tmp_path / "a.db"), "sqlalchemy.dialects.postgresql", "psycopg") == []


def test_a_file_opens_without_sqlalchemy(tmp_path: Path) -> None:
    """Importing it costs as much as a short command."""
    open_store(tmp_path / "a.db").close()
    assert list_loaded(str(tmp_path / "a.db"), "sqlalchemy") == []


def list_loaded(place: str, *modules: str) -> list[str]:
    """List which of these modules are loaded once a program has opened the store."""
    code = (
        "import sys; from adjudicator.adapters.store import open_store;"
        "open_store(sys.argv[1]).close(); print(*(n for n in sys.argv[2:] if n in sys.modules))"
    )
    out, err = python(code, place, *modules).communicate()
    assert err == ""
    return out.split()


FOUR = """
import os, sys, traceback
import alembic.command, alembic.runtime.environment
from adjudicator.adapters.store import open_store
for _ in range(4):
    if os.fork() == 0:
        try:
            open_store(sys.argv[1]).close()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
print(*(os.wait()[1] for _ in range(4)))
"""


def test_four_processes_make_it_at_once(empty: str, opened: Open) -> None:
    """All that they import is there before they part, so that they come close together."""
    assert python(FOUR, empty).communicate() == ("0 0 0 0\n", "")
    assert version(opened(empty)) == REVISIONS[-1]


def test_many_threads_make_it_at_once(empty: str) -> None:
    """Closer together than processes come."""
    ready = threading.Barrier(4)
    failed: list[BaseException] = []

    def run() -> None:
        ready.wait()
        try:
            open_store(empty).close()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


@pytest.fixture
def tampered(place: str) -> Iterator[str]:
    """A store that says another version; put right again for the next test."""
    with open_store(place) as store:
        set_version(store, "9999")
        yield place
        set_version(store, REVISIONS[-1])


def test_who_comes_second_waits_for_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite does not always wait itself when two switch a new file to a log at once."""
    path = tmp_path / "a.db"
    first = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    first.execute("BEGIN EXCLUSIVE")
    end = threading.Timer(0.1, first.rollback)
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0))
    end.start()
    opening._make_file(path, "database a.db")
    end.join()
    assert path.read_bytes()[18:20] == b"\2\2"
    first.close()


def test_a_newer_database_is_refused(tampered: str) -> None:
    with pytest.raises(StoreTrouble, match=r"newer adjudicator.*9999.*pip install --upgrade"):
        open_store(tampered)


def test_another_programs_tables_are_left_alone(empty: str, opened: Open) -> None:
    engine = create_engine(empty_url(empty))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE games (title TEXT)"))
    with pytest.raises(StoreTrouble, match=r"holds a table games of another program; move it"):
        opened(empty)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM games")).scalar_one() == 0
    engine.dispose()


def empty_url(place: str) -> str:
    """Where SQLAlchemy finds it."""
    found = place.replace("postgresql:", "postgresql+psycopg:")
    return found if "://" in found else f"sqlite:///{found}"


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_bytes(b"Dear GM, here are my orders. " * 100)
    with pytest.raises(StoreTrouble, match="not a database of this program; move it away"):
        open_store(tmp_path / "a.db")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreTrouble, match="Is a directory; name another home"):
        open_store(tmp_path)


def test_a_home_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreTrouble, match="name another home"):
        open_store(tmp_path / "file" / "adjudicator.db")


@pytest.mark.parametrize("url", ["mysql://host/name", "postgres+x://", "http://example.org"])
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(StoreTrouble, match="expected a file, postgresql://"):
        open_store(url)


def test_a_broken_url_is_refused() -> None:
    with pytest.raises(StoreTrouble, match="cannot read the database's URL") as refusal:
        open_store("postgresql://user:hunter2@host:port/name")
    assert "hunter2" not in str(refusal.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+foo://bob:s3cretpw@127.0.0.1:1/none",
        "postgresql+psycopg2://bob:s3cretpw@127.0.0.1:1/none",
        "POSTGRESQL://bob:s3cretpw@127.0.0.1:1/none",
        " postgresql://bob:s3cretpw@127.0.0.1:1/none",
        "postgresql://bob:s3cretpw@127.0.0.1:1/none?connect_timeout=none",
        "postgresql://bob:s3cretpw@127.0.0.1:none/none",
        "postgresql://bob:s3cretpw",
        "postgresql://bob:x@s3cretpw@127.0.0.1:1/none",
        "postgresql://b/ob:s3cretpw@127.0.0.1:1/none",
        "postgresql://bob:a/s3cretpw@127.0.0.1:1/none",
        "postgresql://bob:a?s3cretpw@127.0.0.1:1/none",
        "postgresql://127.0.0.1:1/none?user=bob&password=s3cretpw",
        "postgresql://127.0.0.1:1/none?user=bob&pass=s3cretpw",
        "postgresql://[bob:s3cretpw@127.0.0.1:1/none",
        "postgresql:bob:s3cretpw@127.0.0.1:1/none",
        "postgresql:/bob:s3cretpw@127.0.0.1:1/none",
        "postgres://bob:s3cretpw@nowhere.invalid/none",
        "mysql://bob:s3cretpw@127.0.0.1/none",
        "sqlite://bob:s3cretpw@127.0.0.1/none",
        "sqlite:///bob:s3cretpw@127.0.0.1/none",
        "bob:s3cretpw@127.0.0.1/none",
        "://bob:s3cretpw@127.0.0.1/none",
        "host=127.0.0.1 port=1 user=bob password=s3cretpw",
        "Password = s3cretpw; Host = 127.0.0.1",
    ],
)
def test_no_error_shows_a_password_whatever_is_wrong_with_the_url(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreTrouble) as refusal:
        open_store(url)
    assert "s3cretpw" not in str(refusal.value)
    assert "database" in str(refusal.value)
    assert not list(tmp_path.iterdir())


def test_without_psycopg_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreTrouble) as refusal:
        open_store("postgresql://app@/games")
    assert str(refusal.value) == (
        "PostgreSQL needs psycopg; install it with: pip install 'pbem-adjudicator[postgres]'"
    )


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(
        StoreTrouble, match="there is no connection; check that the server runs"
    ) as refusal:
        open_store(f"postgresql://app:hunter2@/games?host={tmp_path}")
    assert "hunter2" not in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_database_that_is_not_there(postgresql: PostgreSQL) -> None:
    url = postgresql.database().replace("/t", "/nothing", 1)
    with pytest.raises(
        Refused, match=r"database in the URL \(.*database .nothing.* does not exist"
    ):
        open_store(url)
