"""The migrations make the schema that the tables describe."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from msgspec.structs import replace
from sqlalchemy import text

from adjudicator.adapters.store.migrations.revisions import REVISIONS, VERSION_TABLE
from adjudicator.adapters.store.migrations.schema import MIGRATIONS
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.tables import METADATA
from adjudicator.adapters.store.trouble import StoreTrouble
from adjudicator.desk.model.values import Address
from tests.adapters.store.examples import LATER, NOON

RELEASED = Path(__file__).with_name("released")
"""Stores with a game in them, by the release that wrote them and the engine."""


@pytest.fixture(params=["0.1.0"])
def old(request: pytest.FixtureRequest, empty: str, engine: str) -> str:
    """Where a store of an older release is."""
    script = (RELEASED / f"{request.param}.{engine}.sql").read_text()
    if engine == "sqlite":
        with closing(sqlite3.connect(empty)) as connection:
            connection.executescript(script)
    else:
        with psycopg.connect(empty) as connection:
            connection.execute(script.encode())
    return empty


def differences(store: SqlStore) -> Any:
    """What Alembic sees between a store and the tables."""
    with store.engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "compare_type": True,
                "compare_server_default": True,
                "version_table": VERSION_TABLE,
            },
        )
        return compare_metadata(context, METADATA)


_NO_EXPRESSIONS = pytest.mark.filterwarnings("ignore:.*expression-based index")
"""SQLAlchemy does not read indexes of expressions back from SQLite; `schema` does."""


@_NO_EXPRESSIONS
def test_a_new_store_has_the_tables(store: SqlStore) -> None:
    assert differences(store) == []


@_NO_EXPRESSIONS
def test_up_from_a_release_gives_the_tables(old: str) -> None:
    with open_store(old) as store:
        assert differences(store) == []


def schema(path: Path) -> dict[str, list[str]]:
    """What SQLite says of every table and index, without regard to order and spacing."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            f"SELECT name, sql FROM sqlite_master WHERE name <> '{VERSION_TABLE}' AND sql <> ''"
        )
        return {name: sorted(re.split(r",|\s+", sql.replace('"', ""))) for name, sql in rows}


@pytest.mark.parametrize("engine", ["sqlite"])
def test_up_from_a_release_gives_every_constraint(old: str, tmp_path: Path) -> None:
    """Word for word what a new store has: Alembic compares less than SQLite tells."""
    open_store(old).close()
    open_store(tmp_path / "new.db").close()
    assert schema(Path(old)) == schema(tmp_path / "new.db")
    assert len(schema(Path(old))) >= 11


def test_the_program_knows_every_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    found = [one.revision for one in script.walk_revisions()]
    assert tuple(reversed(found)) == REVISIONS
    assert script.get_heads() == [REVISIONS[-1]]


def test_what_an_older_program_wrote_is_kept(old: str) -> None:
    """A store of an older release, with players and letters in it, is brought up."""
    with open_store(old) as store, store.writing() as books:
        assert books.game("ember").archived is None
        assert [orders.not_ready for orders in books.orders("ember")] == [""]
        assert books.addresses("Ada") == [Address(player="Ada", address="ada@example.org")]
        assert [step.reporting for step in books.steps("ember")] == ["", ""]
        waiting, sent = books.letters("ember")
        assert (waiting.seating, waiting.to, waiting.attempts, waiting.results) == (2, None, 0, {})
        assert (sent.status, sent.content, sent.digest) == ("sent", b"bytes", "")
        assert books.urgent_names(every=False, skip=0, most=5) == ["ember"]
        (claimed,) = books.claim_letters("a", LATER, 5, NOON, urgent=True)
        assert claimed.message_id == "<1@example.org>"
        books.save(replace(claimed, status="sent"))


def test_between_two_releases_it_says_the_way_out(place: str) -> None:
    with open_store(place) as store, store.engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '0004'"))
    try:
        with pytest.raises(StoreTrouble, match=r"between two releases \(schema 0004\); export its"):
            open_store(place)
    finally:
        with store.engine.begin() as connection:
            connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '{REVISIONS[-1]}'"))
        store.close()
