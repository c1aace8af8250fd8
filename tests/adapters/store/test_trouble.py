"""What a disk or a server does to us is one line, and nothing is half written."""

import os
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from adjudicator.adapters.store import databases, engines
from adjudicator.adapters.store.databases import FileDatabase
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.adapters.store.upkeep.damage import find_damage
from adjudicator.cli.serving.lease import SHARED_LENGTH
from adjudicator.desk.model.ports import Books
from tests.adapters.store.examples import begin, close, closings, game, letter, note
from tests.servers.postgres import running_postgresql

Open = Callable[[str], SqlStore]


def test_a_database_that_another_holds(
    place: str, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "LOCKED_SECONDS", 0.2)
    monkeypatch.setattr(engines, "LOCKED_SECONDS", 0.2)
    first, second = opened(place), opened(place)
    begin(first)

    def write() -> None:
        with second.writing() as books:
            close(books)

    with first.writing() as books:
        books.locked("ember")
        with pytest.raises(StoreTrouble, match=r"another program has held .*try again"):
            write()
    write()
    with first.reading() as books:
        assert closings(books) == 1


def test_a_full_disk(tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opened(str(tmp_path / "a.db"))
    begin(store)
    pages = 0

    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0] + 2
    connect = FileDatabase.connect

    def connect_to_small(database: FileDatabase, *, writable: bool = True) -> sqlite3.Connection:
        connection = connect(database, writable=writable)
        connection.execute(f"PRAGMA max_page_count={pages}")
        return connection

    monkeypatch.setattr(FileDatabase, "connect", connect_to_small)
    store.close()

    def fill() -> None:
        with store.writing() as books:
            close(books)
            books.save(letter("red", 2, content=os.urandom(100_000)))

    with pytest.raises(StoreTrouble, match=r"a\.db: the disk is full; make room and try again$"):
        fill()
    with store.reading() as books:
        assert closings(books) == 0


def test_a_folder_that_may_not_be_written(plain_user: Path) -> None:
    plain_user.chmod(0o500)
    with pytest.raises(StoreTrouble, match="Permission denied; name another home"):
        open_store(plain_user / "adjudicator.db")


def test_a_database_that_may_not_be_written(plain_user: Path) -> None:
    with open_store(plain_user / "a.db") as store:
        begin(store)
    (plain_user / "a.db").chmod(0o400)
    with pytest.raises(StoreTrouble, match="Permission denied"):
        open_store(plain_user / "a.db")


def test_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with open_store(path) as store:
        begin(store)
    content = bytearray(path.read_bytes())
    content[8192:] = os.urandom(len(content) - 8192)
    path.write_bytes(content)
    with pytest.raises(StoreTrouble, match="the file is damaged; put back a copy"):
        look(path)


def look(path: Path) -> None:
    with open_store(path) as store, store.reading() as books:
        books.games()
        books.notes("ember")


def test_a_text_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with open_store(path) as store:
        begin(store)
        with store.writing() as books:
            books.save(note())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE notes SET text = CAST(x'ff' AS TEXT)")
        connection.commit()
    with pytest.raises(StoreTrouble, match="a row of notes cannot be read; put back a copy"):
        look(path)


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("games", "settings", "{"),
        ("games", "created", "2026-11-18T20>02"),
        ("games", "status", "asleep"),
        ("notes", "data", "[" * 100_000),
        ("notes", "at", 7),
    ],
)
def test_a_row_that_nobody_can_have_written(
    tmp_path: Path, table: str, column: str, value: object
) -> None:
    path = tmp_path / "a.db"
    with open_store(path) as store:
        begin(store)
        with store.writing() as books:
            books.save(note())
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE {table} SET {column} = ?", (value,))
        connection.commit()
    told = rf"a\.db: it is damaged, a row of {table} cannot be read; put back a copy"
    with pytest.raises(StoreTrouble, match=told):
        look(path)


ACTS: dict[str, Callable[[Books], object]] = {
    "a look": lambda books: books.games(),
    "a write": lambda books: books.save(game()),
    "the commit": lambda books: None,
}


@pytest.mark.parametrize("act", ACTS)
def test_a_server_that_goes_away_in_the_middle(migrated: str, opened: Open, act: str) -> None:
    """The transaction is lost whole, and the next one finds the server again."""
    with psycopg.connect(migrated, autocommit=True) as admin:
        admin.execute("TRUNCATE games, players, outbox CASCADE")
        store = opened(migrated)
        begin(store)

        def interrupted() -> None:
            with store.writing() as books:
                close(books)
                books.notes("ember")
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE pid <> pg_backend_pid() AND datname = current_database()"
                )
                ACTS[act](books)

        with pytest.raises(StoreTrouble, match=r"shut down in the middle|there is no connection"):
            interrupted()
        with store.writing() as books:
            assert closings(books) == 0
            books.save(note())


def test_a_host_that_is_gone_holds_nothing_for_long(opened: Open) -> None:
    """Neither side sees it end: both ask, and give up after as long as a daemon may be silent."""
    names = ("keepalives_idle", "keepalives_interval", "keepalives_count", "user_timeout")
    options = (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
    with running_postgresql(tcp=True) as server:
        store = opened(server.database())
        with store.engine.connect() as connection:
            shown = [connection.exec_driver_sql(f"SHOW tcp_{name}") for name in names]
            theirs = [int(one.scalar_one()) for one in shown]
            driver: Any = connection.connection.driver_connection
            with socket.socket(fileno=os.dup(driver.fileno())) as own:
                ours = [
                    own.getsockopt(socket.IPPROTO_TCP, option)
                    for option in (*options, socket.TCP_USER_TIMEOUT)
                ]
        store.close()
    idle, interval, count, silent = theirs
    assert theirs == ours
    assert idle + interval * count == silent / 1000 == SHARED_LENGTH.total_seconds()


def test_the_engine_finds_nothing_wrong_with_a_store_of_today(store: SqlStore) -> None:
    begin(store)
    with store.writing() as books:
        close(books)
    assert find_damage(store) == []


def test_a_connection_cut_inside_a_part_is_the_stores_trouble(migrated: str, opened: Open) -> None:
    """Undoing the part fails, too; neither is a fault of whoever asked for it."""
    with psycopg.connect(migrated, autocommit=True) as admin:
        admin.execute("TRUNCATE games, players, outbox CASCADE")
        store = opened(migrated)
        begin(store)

        def interrupted(*, pauses: bool) -> None:
            with store.writing() as books, books.part():
                close(books)
                books.notes("ember")
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE pid <> pg_backend_pid() AND datname = current_database()"
                )
                if pauses:
                    with suppress(Exception):
                        books.games()
                books.save(game())

        for pauses in (False, True):
            with pytest.raises(StoreTrouble, match=r"shut down|no connection|was lost"):
                interrupted(pauses=pauses)
            with store.writing() as books:
                assert closings(books) == 0
