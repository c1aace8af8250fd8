"""Every statement, built once for an engine and kept: built each time it costs 30 times more."""

from collections.abc import Callable
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Delete,
    Select,
    Table,
    Update,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from adjudicator.adapters.store import tables as t
from adjudicator.adapters.store.prepared import Prepared
from adjudicator.desk.values import Game, Letter, Note, OrderSet, Paper, Player, Seating, Step

GAME = tuple(field for field in Game.__struct_fields__ if field != "seats")
PLAYER = tuple(field for field in Player.__struct_fields__ if field != "addresses")
LINK = tuple(column.name for column in t.links.c if column.name != "game")

Guard = Callable[[Any], ColumnElement[bool]]


class Statements:
    """What the books say to one engine."""

    def __init__(self, insert: Callable[[Table], Any]) -> None:
        game: BindParameter[str] = bindparam("game")
        step: BindParameter[int] = bindparam("step")
        seat: BindParameter[str] = bindparam("seat")
        self._insert = insert

        self.games: Select[Any] = select(*_columns(t.games, GAME)).order_by(t.games.c.id)
        self.game = self.games.where(t.games.c.id == game)
        self.locked = self.game.with_for_update()
        self.add_game = _insert(t.games)
        self.save_game = Prepared(
            update(t.games).where(t.games.c.id == bindparam("key")), (*GAME[1:], "key")
        )
        self.all_seats: Select[Any] = select(t.seats.c.game, t.seats.c.seat).order_by(
            t.seats.c.game, t.seats.c.position
        )
        self.seats = self.all_seats.where(t.seats.c.game == game)
        self.clear_seats: Delete = delete(t.seats).where(t.seats.c.game == game)
        self.save_seat = _insert(t.seats)

        name: BindParameter[str] = bindparam("name")
        self.players: Select[Any] = select(*_columns(t.players, PLAYER)).order_by(t.players.c.name)
        self.player = self.players.where(t.players.c.name == name)
        self.all_addresses: Select[Any] = select(
            t.addresses.c.player, t.addresses.c.address
        ).order_by(t.addresses.c.player, t.addresses.c.position)
        self.addresses = self.all_addresses.where(t.addresses.c.player == name)
        self.save_player = self._upsert(t.players, ("name",))
        self.clear_addresses: Delete = delete(t.addresses).where(t.addresses.c.player == name)
        self.save_address = _insert(t.addresses)

        self.seatings = _by_seat(t.seatings, Seating.__struct_fields__).where(
            t.seatings.c.game == game
        )
        self.save_seating = self._upsert(t.seatings, ("game", "seat", "number"))

        self.steps: Select[Any] = (
            select(*_columns(t.steps, Step.__struct_fields__))
            .where(t.steps.c.game == game)
            .order_by(t.steps.c.number)
        )
        self.step = self.steps.where(t.steps.c.number == bindparam("number"))
        self.save_step = self._upsert(t.steps, ("game", "number"), guard=_not_closed_otherwise)

        self.orders = _by_seat(t.orders, OrderSet.__struct_fields__, t.orders.c.step).where(
            t.orders.c.game == game
        )
        self.orders_of_step = self.orders.where(t.orders.c.step == step)
        self.save_orders = self._upsert(
            t.orders,
            ("game", "step", "seat", "number"),
            change=("ready", "executed"),
            guard=_same_orders,
        )

        self.papers = _by_seat(t.papers, Paper.__struct_fields__).where(t.papers.c.game == game)
        self.papers_of_step = self.papers.where(t.papers.c.step == step)
        self.last_paper = _last(t.papers).where(t.papers.c.game == game, t.papers.c.seat == seat)
        self.save_paper = _insert(t.papers)

        self.letters: Select[Any] = (
            select(*_columns(t.outbox, Letter.__struct_fields__))
            .where(t.outbox.c.game == game)
            .order_by(t.outbox.c.id)
        )
        self.letters_of_step = self.letters.where(t.outbox.c.step == step)
        self.last_letter = _last(t.outbox).where(
            t.outbox.c.game == game, t.outbox.c.seat == seat, t.outbox.c.kind == bindparam("kind")
        )
        self.save_letter = self._upsert(
            t.outbox,
            ("game", "step", "seat", "kind", "number"),
            change=("status", "content"),
            guard=_same_letter,
        )
        self.claim_letters = _claim_letters()

        links: Select[Any] = select(*_columns(t.links, LINK)).where(t.links.c.game == game)
        self.links = links.order_by(t.links.c.number)
        self.last_link = links.order_by(t.links.c.number.desc()).limit(1)
        self.save_link = _insert(t.links)

        self.notes: Select[Any] = (
            select(*_columns(t.notes, Note.__struct_fields__))
            .where(t.notes.c.game == game)
            .order_by(t.notes.c.number)
        )
        self.last_note = _last(t.notes).where(t.notes.c.game == game)
        self.save_note = _insert(t.notes)

    def _upsert(
        self,
        table: Table,
        keys: tuple[str, ...],
        *,
        change: tuple[str, ...] | None = None,
        guard: Guard | None = None,
    ) -> Prepared:
        """Insert, or change these columns where the guard lets it; else no row is counted."""
        upsert = self._insert(table)
        changed = change or tuple(c.name for c in table.c if c.name not in keys)
        statement = upsert.on_conflict_do_update(
            index_elements=list(keys),
            set_={name: upsert.excluded[name] for name in changed},
            where=guard(upsert.excluded) if guard else None,
        )
        return Prepared(statement, _given(table))


@cache
def statements(dialect: str) -> Statements:
    """The statements in an engine's dialect; only INSERT … ON CONFLICT differs in its class."""
    if dialect == "postgresql":
        from sqlalchemy.dialects.postgresql import insert as postgresql_insert

        return Statements(postgresql_insert)
    from sqlalchemy.dialects.sqlite import insert as sqlite_insert

    return Statements(sqlite_insert)


def _columns(table: Table, names: tuple[str, ...]) -> list[ColumnElement[Any]]:
    return [table.c[name] for name in names]


def _insert(table: Table) -> Prepared:
    return Prepared(insert(table), _given(table))


def _given(table: Table) -> list[str]:
    """The columns that a value fills; the others are the store's own."""
    own = () if table is t.games else ("id", "claimed_by", "claimed_until")
    return [column.name for column in table.c if column.name not in own]


def _last(table: Table) -> Select[Any]:
    """The highest number; 0 for none."""
    return select(func.coalesce(func.max(table.c.number), 0))


def _by_seat(table: Table, names: tuple[str, ...], *then: ColumnElement[Any]) -> Select[Any]:
    """In the game's order of seats, what is public before all seats; then so, then by number."""
    same = and_(t.seats.c.game == table.c.game, t.seats.c.seat == table.c.seat)
    return (
        select(*_columns(table, names))
        .select_from(table.outerjoin(t.seats, same))
        .order_by(func.coalesce(t.seats.c.position, -1), *then, table.c.number)
    )


def _not_closed_otherwise(new: Any) -> ColumnElement[bool]:
    """A step is closed once: what came out of it stands."""
    old = t.steps.c
    same = and_(
        old.closed == new.closed,
        old.state.is_not_distinct_from(new.state),
        old.events == new.events,
    )
    return or_(old.closed.is_(None), same)


def _same_orders(new: Any) -> ColumnElement[bool]:
    """A set on file is never rewritten; it only becomes ready or executed."""
    old = t.orders.c
    return and_(
        old.orders == new.orders,
        old.digest == new.digest,
        old.arrived == new.arrived,
        old.by == new.by,
    )


def _same_letter(new: Any) -> ColumnElement[bool]:
    """A letter keeps what it says and its Message-ID, and is not sent or withdrawn again."""
    old = t.outbox.c
    return and_(
        old.message_id == new.message_id,
        old.document == new.document,
        old.template == new.template,
        or_(old.content.is_(None), old.content == new.content),
        or_(old.status == "queued", old.status == "failed", old.status == new.status),
    )


def _claim_letters() -> Update:
    """One statement, so that no two senders get the same letter."""
    free = or_(t.outbox.c.claimed_until.is_(None), t.outbox.c.claimed_until <= bindparam("at"))
    due = (
        select(t.outbox.c.id)
        .where(t.outbox.c.status == "queued", free)
        .order_by(t.outbox.c.id)
        .limit(bindparam("limit"))
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    claim: Update = (
        update(t.outbox)
        .where(t.outbox.c.id.in_(select(due.c.id)))
        .values(claimed_by=bindparam("owner"), claimed_until=bindparam("until"))
        .returning(t.outbox.c.id, *_columns(t.outbox, Letter.__struct_fields__))
    )
    return claim
