"""Make the tables of a new database, or bring those of an older program up to date."""

from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    insert,
    inspect,
    text,
)

from adjudicator.adapters.store.engines import share
from adjudicator.adapters.store.migrations.revisions import (
    REVISIONS,
    VERSION_TABLE,
    is_newest,
    read_revision,
)
from adjudicator.adapters.store.tables import METADATA, WHERE
from adjudicator.adapters.store.trouble import StoreTrouble

_VERSIONS = Table(
    VERSION_TABLE,
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name=f"{VERSION_TABLE}_pkc"),
)
"""As Alembic makes it."""

MIGRATIONS = Path(__file__).parent
_LOCK = 0x61646A75
"""Of the migration on PostgreSQL: any number of our own."""


def bring_up(engine: Engine, name: str) -> None:
    """Make the schema, or migrate it, unless somebody else has done so meanwhile."""
    with engine.connect() as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        revision = read_revision(share(connection))
        if not is_newest(revision, name):
            if revision is None:
                _refuse_strangers(connection, name)
                _make(connection)
            else:
                _migrate(connection)


def _refuse_strangers(connection: Connection, name: str) -> None:
    """Refuse a database with tables of another program that have the names of ours."""
    tables = sorted(set(inspect(connection).get_table_names()) & set(METADATA.tables))
    if tables:
        raise StoreTrouble(
            f"{name}: it holds a table {tables[0]} of another program; move it away, or name "
            "another home or database"
        )


def _make(connection: Connection) -> None:
    """Make a new store with the current schema."""
    for index in (one for table in METADATA.tables.values() for one in table.indexes):
        index.dialect_options[connection.dialect.name]["where"] = index.info.get(WHERE)
    METADATA.create_all(connection, checkfirst=False)
    _VERSIONS.create(connection)
    connection.execute(insert(_VERSIONS).values(version_num=REVISIONS[-1]))


def _migrate(connection: Connection) -> None:
    """Migrate to the newest revision, within the current transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["version_table"] = VERSION_TABLE
    command.upgrade(config, REVISIONS[-1])
