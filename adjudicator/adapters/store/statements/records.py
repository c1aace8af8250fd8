"""The statements about games, people, steps and what players ask for."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from adjudicator.adapters.store.cells import FINISHED, WITHOUT_DEADLINE, list_kept
from adjudicator.adapters.store.prepared import (
    Addition,
    Prepared,
    Query,
    Row,
    list_columns,
    quote_name,
)
from adjudicator.adapters.store.statements.queries import (
    find_highest,
    make_query,
    query_by_seat,
    require,
)
from adjudicator.core.chain import Link
from adjudicator.core.document import Document
from adjudicator.desk.model import values as v

# games and their seats


_in_order = "SELECT seat FROM seats WHERE seats.game = games.id ORDER BY position"
_seats = f"SELECT coalesce($join_texts(in_order.seat, ' '), '') FROM ({_in_order}) AS in_order"
_games = f"SELECT {list_columns('games', v.Game)}, ({_seats}) AS seats FROM games"
_parted: Final = {"seats": str.split}
GAMES = Query(v.Game, f"{_games} ORDER BY id", changes=_parted)
OPEN_GAMES = Query(
    v.Game,
    f"{_games} WHERE urgency = '{WITHOUT_DEADLINE}' AND status = 'open' ORDER BY id",
    changes=_parted,
)
GAME = Query(v.Game, f"{_games} WHERE id = :game", changes=_parted)


class RulesInUse(Struct, frozen=True, kw_only=True):
    """By which rules some games are played."""

    kind: str
    components: Document | None
    rules_digest: str


NEXT_RULES = Query(
    RulesInUse,
    f"SELECT {list_columns('games', RulesInUse)} FROM games"
    " WHERE rules_digest > :after ORDER BY rules_digest LIMIT 1",
)
NAMES_BY_RULES = Query(Row, "SELECT id FROM games WHERE rules_digest = :digest ORDER BY id")
GAME_NAMES = Query(Row, "SELECT id FROM games WHERE id > :after ORDER BY id LIMIT :most")
LOCK_GAME = Query(Row, "SELECT id FROM games WHERE id = :game $for_update")
LOCK_AWAKE = Query(Row, "SELECT id FROM games WHERE id = :game AND wake <= :at $skip_locked")
ADD_GAME = Addition("games", v.Game, "there is already a game called {id}; choose another name")
_changes = ", ".join(f"{quote_name(name)} = :{name}" for name in list_kept(v.Game) if name != "id")
CHANGE_GAME = Prepared(f"UPDATE games SET {_changes} WHERE id = :id", v.Game)
_which = {True: "", False: f" WHERE urgency < '{FINISHED}'"}
URGENT_NAMES: Final = {
    every: Query(Row, f"SELECT id FROM games{which} ORDER BY urgency, id LIMIT :most OFFSET :skip")
    for every, which in _which.items()
}
COUNT_GAMES: Final = {
    every: Query(Row, f"SELECT count(*) AS number FROM games{which}")
    for every, which in _which.items()
}
# the index finds few: sorted by the database, all games would be read in order
AWAKE = Query(Row, "SELECT id FROM games WHERE wake <= :at")
_deadline = "SELECT deadline FROM steps WHERE game = games.id AND number = games.open_step"
_urgency = (
    f"CASE WHEN status = 'over' THEN '{FINISHED}'"
    f" ELSE coalesce(({_deadline}), '{WITHOUT_DEADLINE}') END"
)
WAKE_GAME = Prepared(
    f"UPDATE games SET wake = :then, urgency = {_urgency} WHERE id = :game"
    f" AND (wake $other :then OR urgency $other {_urgency})"
)
ADD_SEAT = Addition(
    "seats",
    None,
    "{game} has a seat twice",
    more={"game": ":game", "seat": ":seat", "position": ":position"},
)
CLEAR_SEATS = Prepared("DELETE FROM seats WHERE game = :game")
DELETE_GAME: Final = (
    *(
        Prepared(f"DELETE FROM {table} WHERE game = :game")
        for table in (
            *("seatings", "plans", "papers", "orders", "absences", "steps", "signups", "seats"),
            *("press", "packs", "observers", "notes", "links", "keys", "outbox", "arrivals"),
        )
    ),
    Prepared("DELETE FROM games WHERE id = :game"),
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
    f"SELECT {list_columns('players', v.Player)}, address"
    " FROM players LEFT JOIN addresses ON addresses.player = players.name"
)
_in_turn = " ORDER BY name, position"
_seated = "SELECT player FROM seatings WHERE game = :game"
PLAYERS = Query(v.Player, _players + _in_turn, _fold_addresses)
SEATED_PLAYERS = Query(v.Player, f"{_players} WHERE name IN ({_seated}){_in_turn}", _fold_addresses)
PLAYER_BY_NAME = Query(v.Player, f"{_players} WHERE name = :name{_in_turn}", _fold_addresses)
ADDRESSES = make_query("addresses", v.Address, "player", by=("position",))
HOLDERS = make_query("addresses", v.Address, "address", by=("player",))
CLEAR_ADDRESSES = Prepared("DELETE FROM addresses WHERE player = :player")
ADD_ADDRESS = Addition(
    "addresses", v.Address, "{player} has an address twice", more={"position": ":position"}
)
SEATINGS = query_by_seat("seatings", v.Seating)
GAMES_OF = Query(Row, "SELECT DISTINCT game FROM seatings WHERE player = :player")
PRESS_MESSAGES = make_query("press", v.Press, "game", by=("number",))
LAST_PRESS = find_highest("press", "game")
# from the end, so that no others are looked at; one from before any step was open is of step 0
_last_of_these = (
    "SELECT earlier.number FROM press AS earlier WHERE earlier.game = :game"
    " AND coalesce(earlier.step, 0) <= :after ORDER BY earlier.number DESC LIMIT 1"
)
PRESS_AFTER = Query(
    v.Press,
    f"SELECT {list_columns('press', v.Press)} FROM press WHERE press.game = :game"
    f" AND press.number > coalesce(({_last_of_these}), -1) ORDER BY press.number",
)
PLANS = query_by_seat("plans", v.PlanAhead, then=("number", "place"))
DROP_PLANS = Prepared(
    "DELETE FROM plans WHERE game = :game AND seat = :seat AND number < :before"
    f" AND status IN ('{v.PLAN_SUPERSEDED}', '{v.PLAN_WITHDRAWN}')"
)
ABSENCES = query_by_seat("absences", v.Absence)
OBSERVERS = make_query("observers", v.Observer, "game", by=("address",))
OBSERVED = make_query("observers", v.Observer, "address", by=("game",))
SIGNUPS_OF = make_query("signups", v.Signup, "address", by=("game",))
SIGNUPS = make_query("signups", v.Signup, "game", by=("asked", "address"))

# steps, their orders and their outcomes

STEPS = make_query("steps", v.Step, "game", by=("number",))
STEP_BY_NUMBER = make_query("steps", v.Step, "game", "number")
FIRST_STEP = Query(v.Step, f"{STEPS.text} LIMIT 1")
STEP_NAMES = Query(Row, "SELECT number, phase FROM steps WHERE game = :game ORDER BY number")
ORDERS = query_by_seat("orders", v.OrderSet, then=("step", "number"))
ORDERS_OF_STEP = query_by_seat("orders", v.OrderSet, "step")
LAST_WORD = Query(
    Row,
    "SELECT luck FROM orders WHERE game = :game AND seat = :seat AND step < :before"
    " AND executed AND luck <> '' ORDER BY step DESC LIMIT 1",
)
PAPERS = query_by_seat("papers", v.Paper)
PAPERS_OF_STEP = query_by_seat("papers", v.Paper, "step")
PAPER = make_query("papers", v.Paper, "game", "seat", "number")
_counts = "steps.game = papers.game AND steps.number = papers.step AND NOT steps.void"
NEWEST_PAPER = Query(
    v.Paper,
    f"SELECT {list_columns('papers', v.Paper)} FROM papers JOIN steps ON {_counts}"
    f"{require('papers', 'game', 'seat')} ORDER BY papers.number DESC LIMIT 1",
)
_own = "papers.game = seats.game AND papers.seat = seats.seat ORDER BY papers.number DESC LIMIT 1"
LAST_REPORTS = Query(
    v.LastReport,
    f"SELECT seat, (SELECT papers.number FROM papers WHERE {_own}) AS number,"
    f" (SELECT papers.step FROM papers JOIN steps ON {_counts} WHERE {_own}) AS step"
    " FROM seats WHERE game = :game",
)
"""By seat the newest paper, and the newest step that counts."""
LINKS = make_query("links", Link, "game", by=("number",))
_end = "FROM links WHERE game = games.id ORDER BY number DESC LIMIT 1"
CHAIN_HEADS = Query(
    Row,
    f"SELECT id AS game, (SELECT number {_end}) AS link, (SELECT digest {_end}) AS digest,"
    " next_number - 1 AS step FROM games",
)
"""By game the end of its chain, and the highest number of a step."""
LAST_EPOCH = make_query("epochs", v.Epoch, newest="number")
LAST_LINK = make_query("links", Link, "game", newest="number")
NOTES = make_query("notes", v.HistoryNote, "game", by=("number",))
MOVED_GAMES = Query(Row, "SELECT game FROM steps WHERE coalesce(closed, opened) >= :since")
LAST_NOTE = find_highest("notes", "game")
