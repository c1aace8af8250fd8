"""The statements about games, people, steps and what players ask for."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import (
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    literal,
    literal_column,
    or_,
    select,
    true,
    update,
)

from adjudicator.adapters.store import tables as t
from adjudicator.adapters.store.prepared import Addition, Prepared, Query, Row
from adjudicator.adapters.store.statements.making import (
    find_highest,
    list_columns,
    make_conditions,
    make_query,
    query_by_seat,
)
from adjudicator.adapters.store.types import Instant
from adjudicator.core.chain import Link
from adjudicator.desk.model import values as v

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
_games = select(*list_columns(t.games, v.Game), _seats).order_by(t.games.c.id)
GAMES = Query(v.Game, _games, _part_seats)
_is_open = and_(
    t.games.c.urgency == literal(t.WITHOUT_DEADLINE, Instant), t.games.c.status == "open"
)
OPEN_GAMES = Query(v.Game, _games.where(_is_open), _part_seats)
GAME = Query(v.Game, _games.where(t.games.c.id == bindparam("game")), _part_seats)
_digest = t.games.c.rules_digest
_rules = select(t.games.c.kind, t.games.c.components, _digest)
NEXT_RULES = Query(Row, _rules.where(_digest > bindparam("after")).order_by(_digest).limit(1))
_names = select(t.games.c.id).order_by(t.games.c.id)
NAMES_BY_RULES = Query(Row, _names.where(_digest == bindparam("digest")))
_next = _names.where(t.games.c.id > bindparam("after")).limit(bindparam("most"))
GAME_NAMES = Query(Row, _next)
LOCK_GAME = Query(Row, _names.where(t.games.c.id == bindparam("game")).with_for_update())
_wake = t.games.c.wake
LOCK_AWAKE = Query(
    Row,
    _names.where(t.games.c.id == bindparam("game"), _wake <= bindparam("at")).with_for_update(
        skip_locked=True
    ),
)
ADD_GAME = Addition(
    t.games, "there is already a game called {id}; choose another name", own=("wake", "urgency")
)
CHANGE_GAME = Prepared(
    update(t.games).where(*make_conditions(t.games, ("id",))),
    [column.name for column in t.games.c if column.name not in ("id", "wake", "urgency")],
)
_is_listed = t.games.c.urgency < literal(t.FINISHED, Instant)
_listed = {True: true(), False: _is_listed}
_page = (
    select(t.games.c.id)
    .order_by(t.games.c.urgency, t.games.c.id)
    .limit(bindparam("most"))
    .offset(bindparam("skip"))
)
_count = select(func.count().label("number")).select_from(t.games)
URGENT_NAMES: Final = {every: Query(Row, _page.where(which)) for every, which in _listed.items()}
COUNT_GAMES: Final = {every: Query(Row, _count.where(which)) for every, which in _listed.items()}
# the index finds few: sorted by the database, all games would be read in order
AWAKE = Query(Row, select(t.games.c.id).where(_wake <= bindparam("at")))
_deadline = (
    select(t.steps.c.deadline)
    .where(t.steps.c.game == t.games.c.id, t.steps.c.number == t.games.c.open_step)
    .scalar_subquery()
)
_urgency = case(
    (t.games.c.status == "over", literal(t.FINISHED, Instant)),
    else_=func.coalesce(_deadline, literal(t.WITHOUT_DEADLINE, Instant)),
)
WAKE_GAME = Prepared(
    update(t.games)
    .where(
        t.games.c.id == bindparam("game"),
        or_(
            _wake.is_distinct_from(bindparam("then")),
            t.games.c.urgency.is_distinct_from(_urgency),
        ),
    )
    .values(wake=bindparam("then"), urgency=_urgency)
)
ADD_SEAT = Addition(t.seats, "{game} has a seat twice")
CLEAR_SEATS = Prepared(delete(t.seats).where(*make_conditions(t.seats, ("game",))))
_of_game = [one for one in reversed(t.METADATA.sorted_tables) if "game" in one.c]
DELETE_GAME = (
    *(Prepared(delete(one).where(*make_conditions(one, ("game",)))) for one in _of_game),
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
    select(*list_columns(t.players, v.Player), t.addresses.c.address)
    .select_from(t.players.outerjoin(t.addresses))
    .order_by(t.players.c.name, t.addresses.c.position)
)
_seated = select(t.seatings.c.player).where(*make_conditions(t.seatings, ("game",)))
PLAYERS = Query(v.Player, _players, _fold_addresses)
SEATED_PLAYERS = Query(v.Player, _players.where(t.players.c.name.in_(_seated)), _fold_addresses)
PLAYER_BY_NAME = Query(
    v.Player, _players.where(*make_conditions(t.players, ("name",))), _fold_addresses
)
ADDRESSES = make_query(t.addresses, v.Address, "player", by=("position",))
HOLDERS = make_query(t.addresses, v.Address, "address", by=("player",))
CLEAR_ADDRESSES = Prepared(delete(t.addresses).where(*make_conditions(t.addresses, ("player",))))
ADD_ADDRESS = Addition(t.addresses, "{player} has an address twice")
SEATINGS = query_by_seat(t.seatings, v.Seating)
_had_seat = select(t.seatings.c.game).where(t.seatings.c.player == bindparam("player"))
GAMES_OF = Query(Row, _had_seat.distinct())
PRESS_MESSAGES = make_query(t.press, v.Press, "game", by=("number",))
LAST_PRESS = find_highest(t.press, "game")


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
    query = select(*list_columns(t.press, v.Press)).where(*make_conditions(t.press, ("game",)))
    return query.where(press.number > func.coalesce(ends, -1)).order_by(press.number)


PRESS_AFTER = Query(v.Press, _press_after())
PLANS = query_by_seat(t.plans, v.PlanAhead, then=("number", "place"))
DROP_PLANS = Prepared(
    delete(t.plans).where(
        *make_conditions(t.plans, ("game", "seat")),
        t.plans.c.number < bindparam("before"),
        or_(t.plans.c.status == v.PLAN_SUPERSEDED, t.plans.c.status == v.PLAN_WITHDRAWN),
    )
)
ABSENCES = query_by_seat(t.absences, v.Absence)
OBSERVERS = make_query(t.observers, v.Observer, "game", by=("address",))
OBSERVED = make_query(t.observers, v.Observer, "address", by=("game",))
SIGNUPS_OF = make_query(t.signups, v.Signup, "address", by=("game",))
SIGNUPS = make_query(t.signups, v.Signup, "game", by=("asked", "address"))

# steps, their orders and their outcomes
STEPS = make_query(t.steps, v.Step, "game", by=("number",))
STEP_BY_NUMBER = make_query(t.steps, v.Step, "game", "number")
FIRST_STEP = Query(
    v.Step,
    select(*list_columns(t.steps, v.Step))
    .where(*make_conditions(t.steps, ("game",)))
    .order_by(t.steps.c.number)
    .limit(1),
)
STEP_NAMES = Query(
    Row,
    select(t.steps.c.number, t.steps.c.phase)
    .where(*make_conditions(t.steps, ("game",)))
    .order_by(t.steps.c.number),
)
ORDERS = query_by_seat(t.orders, v.OrderSet, then=("step", "number"))
ORDERS_OF_STEP = query_by_seat(t.orders, v.OrderSet, "step")
LAST_WORD = Query(
    Row,
    select(t.orders.c.luck)
    .where(*make_conditions(t.orders, ("game", "seat")))
    .where(t.orders.c.step < bindparam("before"), t.orders.c.executed, t.orders.c.luck != "")
    .order_by(t.orders.c.step.desc())
    .limit(1),
)
PAPERS = query_by_seat(t.papers, v.Paper)
PAPERS_OF_STEP = query_by_seat(t.papers, v.Paper, "step")
PAPER = make_query(t.papers, v.Paper, "game", "seat", "number")
NEWEST_PAPER = Query(
    v.Paper,
    select(*list_columns(t.papers, v.Paper))
    .join(t.steps, and_(t.steps.c.game == t.papers.c.game, t.steps.c.number == t.papers.c.step))
    .where(*make_conditions(t.papers, ("game", "seat")), t.steps.c.void.is_(False))
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
    return select(seats.seat, *newest).where(*make_conditions(t.seats, ("game",)))


LAST_REPORTS = Query(v.LastReport, _last_reports())
LINKS = make_query(t.links, Link, "game", by=("number",))


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
LAST_EPOCH = make_query(t.epochs, v.Epoch, newest="number")
LAST_LINK = make_query(t.links, Link, "game", newest="number")
NOTES = make_query(t.notes, v.HistoryNote, "game", by=("number",))
MOVED_GAMES = Query(
    Row, select(t.steps.c.game).where(t.moved_at >= bindparam("since", type_=Instant))
)
LAST_NOTE = find_highest(t.notes, "game")
