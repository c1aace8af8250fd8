"""Make the queries that look alike."""

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from adjudicator.adapters.store.prepared import Query, Row, list_columns, quote_name

V = TypeVar("V", bound=Struct)


def make_query(
    table: str, value: type[V], *names: str, by: Sequence[str] = (), newest: str = ""
) -> Query[V]:
    """Make the query for values by these columns, in this order, or for the newest one."""
    text = f"SELECT {list_columns(table, value)} FROM {table}{require(table, *names)}"
    if newest:
        return Query(value, f"{text} ORDER BY {newest} DESC LIMIT 1")
    return Query(value, f"{text} ORDER BY {', '.join(by)}" if by else text)


def query_by_seat(
    table: str, value: type[V], *names: str, then: Sequence[str] = ("number",)
) -> Query[V]:
    """Make a query in the game's order of seats, the public's first, then by number."""
    order = ", ".join(f"{table}.{name}" for name in then)
    return Query(
        value,
        f"SELECT {list_columns(table, value)} FROM {table}"
        f" LEFT JOIN seats ON seats.game = {table}.game AND seats.seat = {table}.seat"
        f"{require(table, 'game', *names)} ORDER BY coalesce(seats.position, -1), {order}",
    )


def find_highest(table: str, *names: str) -> Query[Row]:
    """Find the highest number; no row if there is none."""
    text = f"SELECT number FROM {table}{require(table, *names)} ORDER BY number DESC LIMIT 1"
    return Query(Row, text)


def require(table: str, *names: str) -> str:
    """Require that these columns equal the parameters of their names."""
    conditions = " AND ".join(f"{table}.{quote_name(name)} = :{name}" for name in names)
    return f" WHERE {conditions}" if names else ""
