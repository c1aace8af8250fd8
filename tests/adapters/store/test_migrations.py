"""The migrations make the schema that the tables describe."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from msgspec.structs import replace
from sqlalchemy import column, create_engine, insert, table

from adjudicator.adapters.store import opening
from adjudicator.adapters.store.opening import open_store
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.tables import METADATA
from adjudicator.desk.model.values import Address
from tests.adapters.store.examples import LATER, NOON


def test_up_from_empty_gives_the_tables(store: SqlStore) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "compare_type": True,
                "compare_server_default": True,
                "version_table": opening.VERSION_TABLE,
            },
        )
        assert compare_metadata(context, METADATA) == []


def schema(path: Path) -> dict[str, list[str]]:
    """What SQLite says of every table and index, without regard to order and spacing."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            f"SELECT name, sql FROM sqlite_master WHERE name <> '{opening.VERSION_TABLE}'"
            " AND sql <> ''"
        )
        return {name: sorted(re.split(r",|\s+", sql.replace('"', ""))) for name, sql in rows}


def test_up_from_empty_gives_every_constraint(tmp_path: Path) -> None:
    """Word for word what the tables would make: Alembic compares less than SQLite tells."""
    open_store(tmp_path / "migrated.db").close()
    made = create_engine(f"sqlite:///{tmp_path}/made.db")
    METADATA.create_all(made)
    made.dispose()
    assert schema(tmp_path / "migrated.db") == schema(tmp_path / "made.db")
    assert len(schema(tmp_path / "made.db")) >= 11


def test_the_program_knows_every_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(opening.MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    found = [one.revision for one in script.walk_revisions()]
    assert tuple(reversed(found)) == opening.REVISIONS
    assert script.get_heads() == [opening.REVISIONS[-1]]


def test_what_an_older_program_wrote_is_kept(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store of the first schema, with players and letters in it, is brought up."""
    monkeypatch.setattr(opening, "REVISIONS", ("0001",))
    with open_store(empty) as old, old.engine.connect() as connection, connection.begin():
        for name, rows in FIRST.items():
            written = table(name, *(column(key) for key in rows[0]))
            connection.execute(insert(written), rows)
    monkeypatch.undo()
    with open_store(empty) as store, store.writing() as books:
        assert books.addresses("Ada") == [Address(player="Ada", address="ada@example.org")]
        assert [step.reporting for step in books.steps("ember")] == ["", ""]
        waiting, sent = books.letters("ember")
        assert (waiting.seating, waiting.to, waiting.attempts, waiting.results) == (2, None, 0, {})
        assert (sent.status, sent.content) == ("sent", b"bytes")
        (claimed,) = books.claim_letters("a", LATER, 5, NOON)
        assert claimed.message_id == "<1@example.org>"
        books.save_letter(replace(claimed, status="sent"))


FIRST: dict[str, list[dict[str, Any]]] = {
    "games": [
        {
            "id": "ember",
            "kind": "jump-wars",
            "status": "running",
            "options": "{}",
            "settings": "{}",
            "seed": bytes(32),
            "luck": "[]",
            "verifiable": True,
            "rules_digest": "d1",
            "created": "2026-11-18T12:00:00.000000+00:00",
            "next_number": 2,
        }
    ],
    "seats": [{"game": "ember", "seat": "red", "position": 0}],
    "players": [{"name": "Ada", "zone": "UTC", "preferences": "{}"}],
    "addresses": [{"player": "Ada", "position": 0, "address": "ada@example.org"}],
    "seatings": [
        {
            "game": "ember",
            "seat": "red",
            "number": number,
            "kind": "player",
            "player": "Ada",
            "since": "2026-11-18T12:00:00.000000+00:00",
            "missed": 0,
            "vote": "none",
        }
        for number in (1, 2)
    ],
    "steps": [
        {
            "game": "ember",
            "number": number,
            "phase": "plan",
            "predecessor": number - 1 or None,
            "dice": "d",
            "opened": "2026-11-18T12:00:00.000000+00:00",
            "void": False,
            "events": b"[]",
        }
        for number in (1, 2)
    ],
    "orders": [
        {
            "game": "ember",
            "step": 1,
            "seat": "red",
            "number": 1,
            "orders": b"{}",
            "digest": "d",
            "arrived": "2026-11-18T12:00:00.000000+00:00",
            "ready": True,
            "by": "player",
            "executed": False,
        }
    ],
    "outbox": [
        {
            "game": "ember",
            "step": 1,
            "seat": "red",
            "kind": "notice",
            "number": number,
            "document": b"{}",
            "template": "notice/1",
            "message_id": f"<{number}@example.org>",
            "made": "2026-11-18T12:00:00.000000+00:00",
            "status": status,
            "content": content,
            "claimed_by": "x",
            "claimed_until": "2026-11-18T12:00:00.000000+00:00",
        }
        for number, status, content in ((1, "queued", None), (2, "sent", b"bytes"))
    ],
}
"""What the first program wrote, table by table."""
