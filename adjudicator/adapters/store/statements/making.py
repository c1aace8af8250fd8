"""Make the statements that look alike."""

from collections.abc import Sequence
from typing import Any, TypeVar

from msgspec import Struct
from sqlalchemy import ColumnElement, Table, and_, bindparam, func, select

from adjudicator.adapters.store import tables as t
from adjudicator.adapters.store.prepared import Query, Row

V = TypeVar("V", bound=Struct)


def list_columns(table: Table, value: type[Struct]) -> list[ColumnElement[Any]]:
    """List the columns of the fields that the table keeps."""
    return [table.c[name] for name in value.__struct_fields__ if name in table.c]


def make_conditions(table: Table, names: Sequence[str]) -> list[ColumnElement[bool]]:
    """Make the conditions that these columns equal the parameters of their names."""
    return [table.c[name] == bindparam(name) for name in names]


def make_query(
    table: Table, value: type[V], *names: str, by: Sequence[str] = (), newest: str = ""
) -> Query[V]:
    """Make the query for values by these columns, in this order, or for the newest one."""
    query = select(*list_columns(table, value)).where(*make_conditions(table, names))
    if newest:
        return Query(value, query.order_by(table.c[newest].desc()).limit(1))
    return Query(value, query.order_by(*(table.c[name] for name in by)))


def query_by_seat(
    table: Table, value: type[V], *names: str, then: Sequence[str] = ("number",)
) -> Query[V]:
    """Make a query in the game's order of seats, the public's first, then by number."""
    same = and_(t.seats.c.game == table.c.game, t.seats.c.seat == table.c.seat)
    query = select(*list_columns(table, value)).where(*make_conditions(table, ("game", *names)))
    order = [table.c[name] for name in then]
    join = query.select_from(table.outerjoin(t.seats, same))
    return Query(value, join.order_by(func.coalesce(t.seats.c.position, -1), *order))


def find_highest(table: Table, *names: str) -> Query[Row]:
    """Find the highest number; no row if there is none."""
    query = select(table.c.number).where(*make_conditions(table, names))
    return Query(Row, query.order_by(table.c.number.desc()).limit(1))
