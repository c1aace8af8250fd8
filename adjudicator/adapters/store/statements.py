"""Every statement, built once for an engine and kept: built each time it costs 30 times more."""

from collections.abc import Callable
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
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
from adjudicator.desk.model.values import (
    Absence,
    Address,
    Arrival,
    Caller,
    Game,
    Heartbeat,
    HistoryNote,
    Observer,
    OrderSet,
    OutgoingLetter,
    Paper,
    Player,
    Press,
    Seating,
    Signup,
    Step,
)

GAME_COLUMNS = tuple(field for field in Game.__struct_fields__ if field != "seats")
PLAYER_COLUMNS = tuple(field for field in Player.__struct_fields__ if field != "addresses")
LINK_COLUMNS = tuple(column.name for column in t.links.c if column.name != "game")

_game: BindParameter[str] = bindparam("game")
_step: BindParameter[int] = bindparam("step")
_seat: BindParameter[str] = bindparam("seat")

Guard = Callable[[Any], ColumnElement[bool]]


class Statements:
    """What the books say to one engine."""

    def __init__(self, insert: Callable[[Table], Any]) -> None:
        self._insert = insert
        self._about_games()
        self._about_players()
        self._about_steps()
        self._about_letters()
        self._about_arrivals()
        self._about_people()
        self._about_the_record()

    def _about_games(self) -> None:
        games = select(*_columns(t.games, GAME_COLUMNS)).order_by(t.games.c.id)
        one = games.where(t.games.c.id == _game)
        self.games = Prepared(games)
        self.game = Prepared(one)
        self.locked = Prepared(one.with_for_update())
        self.add_game = _insert(t.games)
        self.save_game = Prepared(
            update(t.games).where(t.games.c.id == bindparam("key")), (*GAME_COLUMNS[1:], "key")
        )
        seats = select(t.seats.c.game, t.seats.c.seat).order_by(t.seats.c.game, t.seats.c.position)
        self.all_seats = Prepared(seats)
        self.seats = Prepared(seats.where(t.seats.c.game == _game))
        self.clear_seats = delete(t.seats).where(t.seats.c.game == _game)
        self.save_seat = _insert(t.seats)
        of_game = [one for one in reversed(t.METADATA.sorted_tables) if "game" in one.c]
        self.delete_game = (
            *(delete(one).where(one.c.game == _game) for one in of_game),
            delete(t.games).where(t.games.c.id == _game),
        )

    def _about_players(self) -> None:
        name: BindParameter[str] = bindparam("name")
        players = (
            select(*_columns(t.players, PLAYER_COLUMNS), t.addresses.c.address)
            .select_from(t.players.outerjoin(t.addresses))
            .order_by(t.players.c.name, t.addresses.c.position)
        )
        self.players = Prepared(players)
        self.player = Prepared(players.where(t.players.c.name == name))
        seated = select(t.seatings.c.player).where(t.seatings.c.game == _game)
        self.people = Prepared(players.where(t.players.c.name.in_(seated)))
        self.save_player = self._upsert(t.players, ("name",))
        self.clear_addresses = delete(t.addresses).where(t.addresses.c.player == name)
        addresses = select(*_columns(t.addresses, Address.__struct_fields__))
        self.addresses = Prepared(
            addresses.where(t.addresses.c.player == name).order_by(t.addresses.c.position)
        )
        self.holders = Prepared(
            select(t.addresses.c.player)
            .where(t.addresses.c.address == bindparam("address"))
            .order_by(t.addresses.c.player)
        )
        self.add_address = _insert(t.addresses)
        self.seatings = Prepared(_by_seat(t.seatings, Seating.__struct_fields__))
        self.save_seating = self._upsert(t.seatings, ("game", "seat", "number"))

    def _about_steps(self) -> None:
        steps = _of_game(t.steps, Step.__struct_fields__).order_by(t.steps.c.number)
        self.steps = Prepared(steps)
        self.step = Prepared(steps.where(t.steps.c.number == bindparam("number")))
        names = select(t.steps.c.number, t.steps.c.phase).where(t.steps.c.game == _game)
        self.step_names = Prepared(names.order_by(t.steps.c.number))
        self.save_step = self._upsert(t.steps, ("game", "number"), guard=_not_closed_otherwise)
        orders = _by_seat(t.orders, OrderSet.__struct_fields__, t.orders.c.step)
        self.orders = Prepared(orders)
        self.orders_of_step = Prepared(orders.where(t.orders.c.step == _step))
        self.save_orders = self._upsert(
            t.orders,
            ("game", "step", "seat", "number"),
            change=("ready", "not_ready", "executed"),
            guard=_same_orders,
        )

    def _about_letters(self) -> None:
        letters = _of_game(t.outbox, OutgoingLetter.__struct_fields__).order_by(t.outbox.c.id)
        self.letters = Prepared(letters)
        self.letters_of_step = Prepared(letters.where(t.outbox.c.step == _step))
        about = _columns(t.outbox, ("kind", "seat", "number"))
        self.caused = Prepared(
            select(*about).where(t.outbox.c.cause == bindparam("cause")).order_by(t.outbox.c.id)
        )
        self.last_letter = _last(
            t.outbox, t.outbox.c.seat == _seat, t.outbox.c.kind == bindparam("kind")
        )
        self.save_letter = self._upsert(
            t.outbox,
            ("game", "step", "seat", "kind", "number"),
            change=("status", "content", "attempts", "not_before", "results"),
            guard=_same_letter,
        )
        self.claim_letters = _claim_letters()
        self.release_letters = (
            update(t.outbox)
            .where(t.outbox.c.status == "queued", t.outbox.c.claimed_by.is_not(None))
            .values(claimed_by=None, not_before=None)
        )
        queued = t.outbox.c.status == "queued"
        names = ("game", "step", "seat", "kind")
        mine = [t.outbox.c[name] == bindparam(name) for name in names]
        self.withdraw_letters = Prepared(
            update(t.outbox).where(queued, *mine).values(status="withdrawn")
        )
        self.waiting_letters = Prepared(
            select(func.count(t.outbox.c.id).label("number")).where(queued)
        )
        self.last_sent = Prepared(
            select(*_columns(t.outbox, OutgoingLetter.__struct_fields__))
            .where(t.outbox.c.status == "sent")
            .order_by(t.outbox.c.id.desc())
            .limit(1)
        )

    def _about_arrivals(self) -> None:
        c = t.arrivals.c
        arrivals = select(*_columns(t.arrivals, Arrival.__struct_fields__))
        self.arrivals = Prepared(arrivals.order_by(c.id))
        self.arrivals_of_game = Prepared(arrivals.where(c.game == _game).order_by(c.id))
        self.last_arrival = Prepared(arrivals.order_by(c.id.desc()).limit(1))
        same = and_(c.message_id == bindparam("message_id"), c.digest == bindparam("digest"))
        self.arrival = Prepared(arrivals.where(same))
        of = and_(c.game == _game, c.seat == _seat, c.number == bindparam("number"))
        self.arrival_of = Prepared(arrivals.where(of).order_by(c.id.desc()).limit(1))
        self.answered_by = Prepared(arrivals.where(c.answer == bindparam("answer")).limit(1))
        self.save_arrival = _insert(t.arrivals)
        callers = select(*_columns(t.callers, Caller.__struct_fields__))
        self.caller = Prepared(callers.where(t.callers.c.address == bindparam("address")))
        self.save_caller = self._upsert(t.callers, ("address",))
        beats = select(*_columns(t.heartbeats, Heartbeat.__struct_fields__))
        self.heartbeats = Prepared(beats.order_by(t.heartbeats.c.name))
        self.save_heartbeat = self._upsert(t.heartbeats, ("name",))

    def _about_people(self) -> None:
        press = _of_game(t.press, Press.__struct_fields__)
        self.press = Prepared(press.order_by(t.press.c.number))
        self.save_press = _insert(t.press)
        self.absences = Prepared(_by_seat(t.absences, Absence.__struct_fields__))
        self.save_absence = self._upsert(t.absences, ("game", "seat", "number"))
        observers = _of_game(t.observers, Observer.__struct_fields__)
        self.observers = Prepared(observers.order_by(t.observers.c.address))
        self.save_observer = self._upsert(t.observers, ("game", "address"))
        signups = _of_game(t.signups, Signup.__struct_fields__)
        self.signups = Prepared(signups.order_by(t.signups.c.asked, t.signups.c.address))
        self.save_signup = self._upsert(t.signups, ("game", "address"))

    def _about_the_record(self) -> None:
        papers = _by_seat(t.papers, Paper.__struct_fields__)
        self.papers = Prepared(papers)
        self.papers_of_step = Prepared(papers.where(t.papers.c.step == _step))
        self.last_reports = Prepared(_last_reports())
        self.save_paper = _insert(t.papers)
        links = _of_game(t.links, LINK_COLUMNS)
        self.links = Prepared(links.order_by(t.links.c.number))
        self.last_link = Prepared(links.order_by(t.links.c.number.desc()).limit(1))
        self.save_link = _insert(t.links)
        notes = _of_game(t.notes, HistoryNote.__struct_fields__)
        self.notes = Prepared(notes.order_by(t.notes.c.number))
        self.last_note = _last(t.notes)
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
def build_statements(dialect: str) -> Statements:
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
    own = () if table is t.games else ("id", "claimed_by")
    return [column.name for column in table.c if column.name not in own]


def _of_game(table: Table, names: tuple[str, ...]) -> Select[Any]:
    return select(*_columns(table, names)).where(table.c.game == _game)


def _by_seat(table: Table, names: tuple[str, ...], *then: ColumnElement[Any]) -> Select[Any]:
    """In the game's order of seats, what is public before all seats; then so, then by number."""
    same = and_(t.seats.c.game == table.c.game, t.seats.c.seat == table.c.seat)
    return (
        _of_game(table, names)
        .select_from(table.outerjoin(t.seats, same))
        .order_by(func.coalesce(t.seats.c.position, -1), *then, table.c.number)
    )


def _last(table: Table, *where: ColumnElement[bool]) -> Prepared:
    """The highest number; nothing where there is none."""
    found = select(table.c.number).where(table.c.game == _game, *where)
    return Prepared(found.order_by(table.c.number.desc()).limit(1))


def _last_reports() -> Select[Any]:
    """By seat the number of the newest paper, and the step of the newest that still counts."""
    papers, steps, seats = t.papers.c, t.steps.c, t.seats.c
    own = and_(papers.game == seats.game, papers.seat == seats.seat)
    counts = and_(steps.game == papers.game, steps.number == papers.step, steps.void.is_(False))
    number = select(papers.number).where(own)
    step = select(papers.step).join_from(t.papers, t.steps, counts).where(own)
    newest = [
        one.order_by(papers.number.desc()).limit(1).correlate(t.seats).scalar_subquery()
        for one in (number, step)
    ]
    found = select(
        seats.seat, *(one.label(name) for one, name in zip(newest, ("number", "step"), strict=True))
    )
    return found.where(seats.game == _game)


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
        old.seating == new.seating,
        old.to.is_not_distinct_from(new.to),
        or_(old.content.is_(None), old.content == new.content),
        or_(old.status == "queued", old.status == "failed", old.status == new.status),
    )


def _claim_letters() -> Update:
    """One statement, so that no two senders get the same letter.

    A claimed letter is not tried before its claim is over, which is also how one is put off.
    """
    ripe = or_(t.outbox.c.not_before.is_(None), t.outbox.c.not_before <= bindparam("at"))
    due = (
        select(t.outbox.c.id)
        .where(t.outbox.c.status == "queued", ripe)
        .order_by(t.outbox.c.id)
        .limit(bindparam("limit"))
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    claim: Update = (
        update(t.outbox)
        .where(t.outbox.c.id.in_(select(due.c.id)))
        .values(claimed_by=bindparam("owner"), not_before=bindparam("until"))
        .returning(t.outbox.c.id, *_columns(t.outbox, OutgoingLetter.__struct_fields__))
    )
    return claim
