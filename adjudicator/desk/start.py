"""Start a game: deal the position, open the first step, send the first reports."""

from datetime import datetime
from typing import Any

from adjudicator.core.dice import Dice, key_of
from adjudicator.core.document import Impossible
from adjudicator.desk.case import Case, take
from adjudicator.desk.closing import Closing
from adjudicator.desk.errors import Refused
from adjudicator.desk.log import log
from adjudicator.desk.news import Outcome
from adjudicator.desk.ports import Books, Kind, Library
from adjudicator.desk.seating import IDLE, current
from adjudicator.desk.stepping import settle
from adjudicator.desk.values import Game, Status, Step

SETUP = "setup"


def start(books: Books, library: Library, game: str, *, at: datetime) -> Closing:
    """Deal the position from seed and luck words; every seat needs a player or a bot by now.

    Where the settings name a smaller number, seats that nobody has taken fall away.
    """
    case = take(books, library, game, at=at, status=(Status.OPEN,))
    case = _complete(case)
    state = dealt(case.game, case.kind)
    case = case.now(status=Status.RUNNING)
    step = Step(
        game=game,
        number=case.game.next_number,
        phase=SETUP,
        predecessor=None,
        dice=setup_name(case.game),
        opened=at,
    )
    closing = settle(case, "setup", step, Outcome(state, (), {}), at=at, turn=None)
    log(books, game, "start", f"started with {len(case.game.seats)} seats", at=at)
    return closing


def _complete(case: Case) -> Case:
    """The game with a player or a bot on every seat."""
    seatings = current(case.books, case.game.id)
    empty = [
        seat
        for seat in case.game.seats
        if seat not in seatings or seatings[seat].kind == IDLE  # who left before the start
    ]
    if not empty:
        return case
    taken = tuple(seat for seat in case.game.seats if seat not in empty)
    enough = case.settings.smallest
    never_held = all(seat not in seatings for seat in empty)
    if not enough or len(taken) < max(enough, case.kind.smallest) or not never_held:
        needs = f"; it may begin with {enough} players" if enough and len(taken) < enough else ""
        raise Refused(
            f"{case.game.id}: nobody plays {', '.join(empty)}; give the seat a player (replace) "
            f"or the bot{needs}"
        )
    try:
        options = case.kind.options(case.game.options, taken)
    except Impossible as wrong:
        raise Refused(f"{case.game.id}: with {len(taken)} seats, options: {wrong}") from wrong
    return case.now(seats=taken, options=options)


def setup_name(game: Game) -> str:
    """The step in which a game that is open begins; of each start a new one, so are its dice."""
    return f"{game.next_number}-{SETUP}"


def dealt(game: Game, kind: Kind) -> Any:
    """The position in which the game begins; Refused where its options leave none."""
    try:
        dice = Dice(key_of(game.seed, game.luck), setup_name(game))
        return kind.rules.setup(game.options, game.seats, dice)
    except Impossible as wrong:
        raise Refused(f"{game.id}: it cannot be set up: {wrong}") from wrong
