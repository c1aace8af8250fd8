"""Every statement is one that both engines understand, and fits the tables."""

from collections.abc import Iterator, Mapping

import pytest

from adjudicator.adapters.store.cells import list_kept
from adjudicator.adapters.store.prepared import Prepared, Upsert
from adjudicator.adapters.store.statements import post, queue, records, saving
from adjudicator.adapters.store.store import SqlStore
from adjudicator.adapters.store.tables import METADATA


def list_statements() -> Iterator[tuple[str, Prepared]]:
    for module in (records, post, queue, saving):
        for name, found in vars(module).items():
            parts = found.items() if isinstance(found, Mapping) else enumerate([found])
            if isinstance(found, tuple):
                parts = enumerate(found)
            for key, one in parts:
                if isinstance(one, Prepared):
                    yield f"{name} {key}", one


STATEMENTS = dict(list_statements())


def test_every_statement_is_understood(store: SqlStore) -> None:
    """The engine plans each, which it can only where tables and columns are there."""
    engine = store.database.name
    for name, statement in STATEMENTS.items():
        one = statement.compile(engine)
        names = [name for name, _ in one.binds]
        values = [None] * len(names) if one.is_positional else dict.fromkeys(names)
        with store.database.transaction(keep=False) as transaction:
            assert transaction.ask(f"EXPLAIN {one.text}", values) is not None, name
    assert len(STATEMENTS) > 100


def test_statements_know_their_tables() -> None:
    """What was read is forgotten when one of its tables is written to."""
    for name, statement in STATEMENTS.items():
        words = set(statement.text.replace("(", " ").replace(")", " ").split())
        used = {table for table in METADATA.tables if table in words}
        assert statement.tables & set(METADATA.tables) == used, name


@pytest.mark.parametrize("one", [s for s in STATEMENTS.values() if isinstance(s, Upsert)])
def test_what_is_changed_never_changes_its_name(one: Upsert) -> None:
    table = METADATA.tables[next(iter(one.tables & set(METADATA.tables)))]
    assert all(f'"{key.name}" = excluded' not in one.text for key in table.primary_key)


def test_a_game_is_deleted_from_every_table() -> None:
    cleared = {table for one in records.DELETE_GAME for table in one.tables}
    assert cleared == {name for name, one in METADATA.tables.items() if "game" in one.c} | {"games"}


@pytest.mark.parametrize("value", saving.SAVE)
def test_every_field_that_is_saved_has_a_column(value: type) -> None:
    (table,) = (METADATA.tables[one] for one in saving.SAVE[value].tables if one in METADATA.tables)
    assert set(list_kept(value)) <= set(table.c.keys())
