"""The migrations make the schema that the tables describe."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from adjudicator.adapters.store import SqlStore, open_store, opening
from adjudicator.adapters.store.tables import METADATA


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
