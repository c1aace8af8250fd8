"""Start a game: deal the position, open the first step, send the first reports."""

from datetime import datetime
from typing import Any

from adjudicator.core.dice import Dice, key_of
from adjudicator.core.document import Impossible
from adjudicator.desk.case import take
from adjudicator.desk.closing import Closing
from adjudicator.desk.errors import Refused
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Kind, Library
from adjudicator.desk.seating import current
from adjudicator.desk.stepping import Outcome, settle
from adjudicator.desk.values import Game, Status, Step

SETUP = "0-setup"


def start(books: Books, library: Library, game: str, *, at: datetime) -> Closing:
    """Deal the position from seed and luck words; every seat needs a player or a bot by now."""
    case = take(books, library, game, at=at, status=(Status.OPEN,))
    seatings = current(books, game)
    empty = [seat for seat in case.game.seats if seat not in seatings]
    if empty:
        raise Refused(
            f"{game}: nobody plays {', '.join(empty)}; give the seat a player (replace) or the bot"
        )
    state = dealt(case.game, case.kind)
    case = case.now(status=Status.RUNNING)
    step = Step(game=game, number=0, phase="setup", predecessor=None, dice=SETUP, opened=at)
    closing = settle(case, "setup", step, Outcome(state, (), {}), at=at, turn=None)
    log(books, game, "start", f"started with {len(case.game.seats)} seats", at=at)
    return closing


def dealt(game: Game, kind: Kind) -> Any:
    """The position in which the game begins; Refused where its options leave none."""
    try:
        dice = Dice(key_of(game.seed, game.luck), SETUP)
        return kind.rules.setup(game.options, game.seats, dice)
    except Impossible as wrong:
        raise Refused(f"{game.id}: it cannot be set up: {wrong}") from wrong
