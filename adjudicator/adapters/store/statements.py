"""All statements, built once: building one each time would cost 30 times more."""

from collections.abc import Sequence
from functools import partial
from operator import itemgetter
from typing import Any, Final, TypeVar

from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Select,
    Table,
    Update,
    and_,
    bindparam,
    delete,
    func,
    literal_column,
    not_,
    or_,
    select,
    update,
)

from adjudicator.adapters.store import tables as t
from adjudicator.adapters.store.prepared import Addition, Prepared, Query, Row
from adjudicator.core.chain import Link
from adjudicator.desk.model import values as v
from adjudicator.desk.model.mail import Caller, Claim, ReturnedLetter
from adjudicator.desk.model.people import NOBODY, PUBLIC

V = TypeVar("V", bound=Struct)


def _list_columns(table: Table, value: type[Struct]) -> list[ColumnElement[Any]]:
    """List the columns of the fields that the table keeps."""
    return [table.c[name] for name in value.__struct_fields__ if name in table.c]


def _make_conditions(table: Table, names: Sequence[str]) -> list[ColumnElement[bool]]:
    """Make the conditions that these columns equal the parameters of their names."""
    return [table.c[name] == bindparam(name) for name in names]


def _make_query(
    table: Table, value: type[V], *names: str, by: Sequence[str] = (), newest: str = ""
) -> Query[V]:
    """Make the query for values by these columns, in this order, or for the newest one."""
    query = select(*_list_columns(table, value)).where(*_make_conditions(table, names))
    if newest:
        return Query(value, query.order_by(table.c[newest].desc()).limit(1))
    return Query(value, query.order_by(*(table.c[name] for name in by)))


def _by_seat(
    table: Table, value: type[V], *names: str, then: Sequence[str] = ("number",)
) -> Query[V]:
    """Make a query in the game's order of seats, the public's first, then by number."""
    same = and_(t.seats.c.game == table.c.game, t.seats.c.seat == table.c.seat)
    query = select(*_list_columns(table, value)).where(*_make_conditions(table, ("game", *names)))
    order = [table.c[name] for name in then]
    join = query.select_from(table.outerjoin(t.seats, same))
    return Query(value, join.order_by(func.coalesce(t.seats.c.position, -1), *order))


def _find_highest(table: Table, *names: str) -> Query[Row]:
    """Find the highest number; no row if there is none."""
    query = select(table.c.number).where(*_make_conditions(table, names))
    return Query(Row, query.order_by(table.c.number.desc()).limit(1))


# games and their seats


def _part_seats(rows: Sequence[Row]) -> list[Row]:
    """Split the seats of a game, which are stored as one text."""
    return [{**row, "seats": (row["seats"] or "").split()} for row in rows]


_in_order = (
    select(t.seats.c.seat)
    .where(t.seats.c.game == t.games.c.id)
    .order_by(t.seats.c.position)
    .correlate(t.games)
    .subquery()
)
_space: Any = literal_column("' '")  # no value to bind
_joined = func.aggregate_strings(_in_order.c.seat, _space)
_seats = select(_joined).scalar_subquery().label("seats")
_games = select(*_list_columns(t.games, v.Game), _seats).order_by(t.games.c.id)
GAMES = Query(v.Game, _games, _part_seats)
GAME = Query(v.Game, _games.where(t.games.c.id == bindparam("game")), _part_seats)
_rules = (t.games.c.kind, t.games.c.components, t.games.c.rules_digest)
RULES_PLAYED = Query(Row, select(*_rules).distinct())
_names = select(t.games.c.id).order_by(t.games.c.id)
GAME_NAMES = Query(Row, _names)
LOCK_GAME = Query(Row, _names.where(t.games.c.id == bindparam("game")).with_for_update())
_wake = t.games.c.wake
LOCK_AWAKE = Query(
    Row,
    _names.where(t.games.c.id == bindparam("game"), _wake <= bindparam("at")).with_for_update(
        skip_locked=True
    ),
)
ADD_GAME = Addition(
    t.games, "there is already a game called {id}; choose another name", own=("wake",)
)
CHANGE_GAME = Prepared(
    update(t.games).where(*_make_conditions(t.games, ("id",))),
    [column.name for column in t.games.c if column.name not in ("id", "wake")],
)
_open = and_(t.steps.c.game == t.games.c.id, t.steps.c.number == t.games.c.open_step)
_is_over = t.games.c.status == "over"
_urgent = (
    select(t.games.c.id)
    .select_from(t.games.outerjoin(t.steps, _open))
    .order_by(_is_over, t.steps.c.deadline.nulls_last(), t.games.c.id)
)
_page = _urgent.limit(bindparam("most")).offset(bindparam("skip"))
_count = select(func.count().label("number")).select_from(t.games)
_listed = {True: (), False: (not_(_is_over), t.games.c.archived.is_(None))}
URGENT_NAMES: Final = {every: Query(Row, _page.where(*which)) for every, which in _listed.items()}
COUNT_GAMES: Final = {every: Query(Row, _count.where(*which)) for every, which in _listed.items()}
AWAKE = Query(Row, _names.where(_wake <= bindparam("at")))
WAKE_GAME = Prepared(
    update(t.games)
    .where(t.games.c.id == bindparam("game"), _wake.is_distinct_from(bindparam("then")))
    .values(wake=bindparam("then"))
)
ADD_SEAT = Addition(t.seats, "{game} has a seat twice")
CLEAR_SEATS = Prepared(delete(t.seats).where(*_make_conditions(t.seats, ("game",))))
_of_game = [one for one in reversed(t.METADATA.sorted_tables) if "game" in one.c]
DELETE_GAME = (
    *(Prepared(delete(one).where(*_make_conditions(one, ("game",)))) for one in _of_game),
    Prepared(delete(t.games).where(t.games.c.id == bindparam("game"))),
)

# people


def _fold_addresses(rows: Sequence[Row]) -> list[Row]:
    """Fold the rows of a player, one per address; a player without any has a row with None."""
    players: dict[str, Row] = {}
    for row in rows:
        player = players.setdefault(row["name"], {**row, "addresses": []})
        if row["address"] is not None:
            player["addresses"].append(row["address"])
    return list(players.values())


_players = (
    select(*_list_columns(t.players, v.Player), t.addresses.c.address)
    .select_from(t.players.outerjoin(t.addresses))
    .order_by(t.players.c.name, t.addresses.c.position)
)
_seated = select(t.seatings.c.player).where(*_make_conditions(t.seatings, ("game",)))
PLAYERS = Query(v.Player, _players, _fold_addresses)
SEATED_PLAYERS = Query(v.Player, _players.where(t.players.c.name.in_(_seated)), _fold_addresses)
PLAYER_BY_NAME = Query(
    v.Player, _players.where(*_make_conditions(t.players, ("name",))), _fold_addresses
)
ADDRESSES = _make_query(t.addresses, v.Address, "player", by=("position",))
HOLDERS = _make_query(t.addresses, v.Address, "address", by=("player",))
CLEAR_ADDRESSES = Prepared(delete(t.addresses).where(*_make_conditions(t.addresses, ("player",))))
ADD_ADDRESS = Addition(t.addresses, "{player} has an address twice")
SEATINGS = _by_seat(t.seatings, v.Seating)
_had_seat = select(t.seatings.c.game).where(t.seatings.c.player == bindparam("player"))
GAMES_OF = Query(Row, _had_seat.distinct())
PRESS_MESSAGES = _make_query(t.press, v.Press, "game", by=("number",))
LAST_PRESS = _find_highest(t.press, "game")


def _press_after() -> Select[Any]:
    """Find the messages after the last one of these steps, from the end: no others are looked at.

    A message that was written before any step was open is one of step 0.
    """
    press, earlier = t.press.c, t.press.alias()
    ends = (
        select(earlier.c.number)
        .where(earlier.c.game == bindparam("game"))
        .where(func.coalesce(earlier.c.step, 0) <= bindparam("after"))
        .order_by(earlier.c.number.desc())
        .limit(1)
        .scalar_subquery()
    )
    query = select(*_list_columns(t.press, v.Press)).where(*_make_conditions(t.press, ("game",)))
    return query.where(press.number > func.coalesce(ends, -1)).order_by(press.number)


PRESS_AFTER = Query(v.Press, _press_after())
PLANS = _by_seat(t.plans, v.PlanAhead, then=("number", "place"))
DROP_PLANS = Prepared(
    delete(t.plans).where(
        *_make_conditions(t.plans, ("game", "seat")),
        t.plans.c.number < bindparam("before"),
        or_(t.plans.c.status == v.PLAN_SUPERSEDED, t.plans.c.status == v.PLAN_WITHDRAWN),
    )
)
ABSENCES = _by_seat(t.absences, v.Absence)
OBSERVERS = _make_query(t.observers, v.Observer, "game", by=("address",))
OBSERVED = _make_query(t.observers, v.Observer, "address", by=("game",))
SIGNUPS = _make_query(t.signups, v.Signup, "game", by=("asked", "address"))

# steps, their orders and their outcomes
STEPS = _make_query(t.steps, v.Step, "game", by=("number",))
STEP_BY_NUMBER = _make_query(t.steps, v.Step, "game", "number")
FIRST_STEP = Query(
    v.Step,
    select(*_list_columns(t.steps, v.Step))
    .where(*_make_conditions(t.steps, ("game",)))
    .order_by(t.steps.c.number)
    .limit(1),
)
STEP_NAMES = Query(
    Row,
    select(t.steps.c.number, t.steps.c.phase)
    .where(*_make_conditions(t.steps, ("game",)))
    .order_by(t.steps.c.number),
)
ORDERS = _by_seat(t.orders, v.OrderSet, then=("step", "number"))
ORDERS_OF_STEP = _by_seat(t.orders, v.OrderSet, "step")
LAST_WORD = Query(
    Row,
    select(t.orders.c.luck)
    .where(*_make_conditions(t.orders, ("game", "seat")))
    .where(t.orders.c.step < bindparam("before"), t.orders.c.executed, t.orders.c.luck != "")
    .order_by(t.orders.c.step.desc())
    .limit(1),
)
PAPERS = _by_seat(t.papers, v.Paper)
PAPERS_OF_STEP = _by_seat(t.papers, v.Paper, "step")
PAPER = _make_query(t.papers, v.Paper, "game", "seat", "number")
NEWEST_PAPER = Query(
    v.Paper,
    select(*_list_columns(t.papers, v.Paper))
    .join(t.steps, and_(t.steps.c.game == t.papers.c.game, t.steps.c.number == t.papers.c.step))
    .where(*_make_conditions(t.papers, ("game", "seat")), t.steps.c.void.is_(False))
    .order_by(t.papers.c.number.desc())
    .limit(1),
)


def _last_reports() -> Select[Any]:
    """Find by seat the newest paper, and the newest step that counts."""
    papers, steps, seats = t.papers.c, t.steps.c, t.seats.c
    own = and_(papers.game == seats.game, papers.seat == seats.seat)
    counts = and_(steps.game == papers.game, steps.number == papers.step, steps.void.is_(False))
    number = select(papers.number.label("number")).where(own)
    step = select(papers.step.label("step")).join_from(t.papers, t.steps, counts).where(own)
    newest = [
        one.order_by(papers.number.desc()).limit(1).correlate(t.seats).scalar_subquery().label(name)
        for name, one in (("number", number), ("step", step))
    ]
    return select(seats.seat, *newest).where(*_make_conditions(t.seats, ("game",)))


LAST_REPORTS = Query(v.LastReport, _last_reports())
LINKS = _make_query(t.links, Link, "game", by=("number",))


def _find_heads() -> Select[Any]:
    """Find by game the end of its chain, and the highest number of a step."""
    links, games = t.links.c, t.games.c
    ends = [
        select(column)
        .where(links.game == games.id)
        .order_by(links.number.desc())
        .limit(1)
        .correlate(t.games)
        .scalar_subquery()
        .label(name)
        for name, column in (("link", links.number), ("digest", links.digest))
    ]
    return select(games.id.label("game"), *ends, (games.next_number - 1).label("step"))


CHAIN_HEADS = Query(Row, _find_heads())
LAST_EPOCH = _make_query(t.epochs, v.Epoch, newest="number")
LAST_LINK = _make_query(t.links, Link, "game", newest="number")
NOTES = _make_query(t.notes, v.HistoryNote, "game", by=("number",))
LAST_NOTE = _find_highest(t.notes, "game")

# letters out and in, callers, signs of life

LETTERS = _make_query(t.outbox, v.OutgoingLetter, "game", by=("id",))
LETTERS_OF_STEP = _make_query(t.outbox, v.OutgoingLetter, "game", "step", by=("id",))
LETTER = _make_query(t.outbox, v.OutgoingLetter, "game", "seat", "kind", "number", "step")
LAST_LETTER = _find_highest(t.outbox, "game", "seat", "kind")
_caused = select(t.outbox.c.kind, t.outbox.c.seat, t.outbox.c.number)
CAUSED = Query(Row, _caused.where(t.outbox.c.cause == bindparam("cause")).order_by(t.outbox.c.id))
_queued = t.outbox.c.status == "queued"
WAITING_LETTERS = Query(Row, select(func.count(t.outbox.c.id).label("number")).where(_queued))
LAST_SENT = Query(
    v.OutgoingLetter,
    select(*_list_columns(t.outbox, v.OutgoingLetter))
    .where(t.outbox.c.status == "sent")
    .order_by(t.outbox.c.id.desc())
    .limit(1),
)
WITHDRAW_LETTERS = Prepared(
    update(t.outbox)
    .where(_queued, *_make_conditions(t.outbox, ("game", "step", "seat", "kind")))
    .values(status="withdrawn")
)
_unwritten = and_(
    _queued,
    t.outbox.c.content.is_(None),
    *_make_conditions(t.outbox, ("game", "step", "seat", "kind", "number")),
)
REWRITE_LETTER = Prepared(update(t.outbox).where(_unwritten).values(document=bindparam("written")))
DROP_LETTER = Prepared(delete(t.outbox).where(_unwritten))
WITHDRAW_ALL = Prepared(update(t.outbox).where(_queued).values(status="withdrawn"))
RELEASE_LETTERS = Prepared(
    update(t.outbox)
    .where(_queued, t.outbox.c.claimed_by == bindparam("owner"))
    .values(claimed_by=None, not_before=None)
)
LETTER_HOLDERS = Query(
    Row,
    select(t.outbox.c.claimed_by.label("owner"))
    .where(_queued, t.outbox.c.claimed_by.is_not(None))
    .distinct(),
)
ARRIVALS = _make_query(t.arrivals, v.Arrival, by=("id",))
ARRIVALS_OF_GAME = _make_query(t.arrivals, v.Arrival, "game", by=("id",))
ARRIVAL = _make_query(t.arrivals, v.Arrival, "message_id", "digest")
ARRIVAL_OF = _make_query(t.arrivals, v.Arrival, "game", "seat", "number", newest="id")
_read = select(t.arrivals.c.id).where(
    *_make_conditions(t.arrivals, ("game", "seat")), t.arrivals.c.read >= bindparam("since")
)
LETTERS_READ = Query(
    Row,
    select(func.count().label("number")).select_from(_read.limit(bindparam("most")).subquery()),
)
ANSWERED_BY = _make_query(t.arrivals, v.Arrival, "answer", newest="id")
LAST_ARRIVAL = _make_query(t.arrivals, v.Arrival, newest="id")
RETURNED = _make_query(t.returned, ReturnedLetter, "address", by=("message_id",))
FORGET_RETURNED = Prepared(delete(t.returned).where(*_make_conditions(t.returned, ("address",))))
KEY = _make_query(t.keys, v.IssuedKey, "digest")
ANY_KEY = Query(Row, select(t.keys.c.digest).limit(1))
CALLER = _make_query(t.callers, Caller, "address")
_named = t.heartbeats.c.name
HEARTBEATS = Query(
    v.Heartbeat,
    select(*_list_columns(t.heartbeats, v.Heartbeat))
    .where(_named >= bindparam("low"), _named < bindparam("high"))
    .order_by(_named),
)
HEARTBEAT = _make_query(t.heartbeats, v.Heartbeat, "name")
FORGET_HEARTBEAT = Prepared(delete(t.heartbeats).where(*_make_conditions(t.heartbeats, ("name",))))
CLAIMS = _make_query(t.claims, Claim, by=("name",))
RELEASE_CLAIMS = Prepared(delete(t.claims).where(*_make_conditions(t.claims, ("owner",))))


_patient = or_(t.outbox.c.kind == "press", t.outbox.c.seat == NOBODY, t.outbox.c.seat == PUBLIC)
"""Letters that can wait for those that keep games going."""


def _claim_letters(*which: ColumnElement[bool], by_turns: bool = False) -> Update:
    """Claim letters in one statement, so that no two senders get the same one.

    A claimed letter is not tried before its claim ends, which is also how one is postponed.
    With `by_turns` each reader's oldest goes first, a receipt before a report: nobody waits for
    what others caused, and who has just written least of all.
    """
    box = t.outbox.c
    ripe = or_(box.not_before.is_(None), box.not_before <= bindparam("at"))
    waiting = (_queued, ripe, *which)
    letters = select(box.id)
    order: list[ColumnElement[Any]] = [box.id]
    if by_turns:
        turn = func.row_number().over(partition_by=(box.game, box.seat), order_by=box.id)
        turns = select(box.id, turn.label("turn")).where(*waiting).subquery("turns")
        letters = letters.join(turns, turns.c.id == box.id)
        order = [turns.c.turn, box.kind != "receipt", box.id]
    due = (
        letters.where(*waiting)
        .order_by(*order)
        .limit(bindparam("limit"))
        .with_for_update(skip_locked=True, of=t.outbox)
        .cte("due")
    )
    claim: Update = (
        update(t.outbox)
        .where(t.outbox.c.id.in_(select(due.c.id)))
        .values(claimed_by=bindparam("owner"), not_before=bindparam("until"))
        .returning(t.outbox.c.id, *_list_columns(t.outbox, v.OutgoingLetter))
    )
    return claim


_by_age: Any = partial(sorted, key=itemgetter("id"))
CLAIM_LETTERS: Final = {
    None: Query(v.OutgoingLetter, _claim_letters(), _by_age),
    True: Query(v.OutgoingLetter, _claim_letters(not_(_patient), by_turns=True), _by_age),
    False: Query(v.OutgoingLetter, _claim_letters(_patient), _by_age),
}
"""By whether only urgent letters are wanted, or only the others."""
