"""What is damaged in a database, found by reading all of it."""

from collections.abc import Sequence

from sqlalchemy import Connection, Text, cast, func, select

from adjudicator.adapters.store.cells import decompress_pack
from adjudicator.adapters.store.engines import for_reading
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.tables import METADATA, packs

_ALL, _SHOWN = 1_000_000, 3
_HARMLESS = ("ok", "NULL value in ")
"""SQLite 3.40 misreads columns of tables that are kept in the order of a key."""


def find_damage(store: SqlStore) -> Sequence[str]:
    """List the damage that the database finds in its own files; every page is read."""
    with store.translating(), for_reading(store.engine).connect() as connection:
        damage = _read_tables(connection) if store.is_shared else _check_file(connection)
        if not damage:
            games = _find_damaged_packs(connection)
            damage = [f"older steps of {game} cannot be read" for game in games]
    return damage[:_SHOWN]


def _check_file(connection: Connection) -> Sequence[str]:
    messages = connection.exec_driver_sql(f"PRAGMA integrity_check({_ALL})").scalars()
    return [str(one) for one in messages if not str(one).startswith(_HARMLESS)]


def _read_tables(connection: Connection) -> Sequence[str]:
    """Read every page of a server: the one with a wrong checksum is the server's trouble."""
    for table in METADATA.sorted_tables:
        lengths = [func.sum(func.length(cast(column, Text))) for column in table.c]
        connection.execute(select(*lengths)).all()
    return ()


def _find_damaged_packs(connection: Connection) -> Sequence[str]:
    """List the games whose packs cannot be read, by name."""
    games = set()
    every = select(packs.c.game, packs.c.content)
    for game, content in connection.execution_options(yield_per=20).execute(every):
        try:
            decompress_pack(content)
        except ValueError:
            games.add(game)
    return sorted(games)
