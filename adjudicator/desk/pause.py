"""Stop the clock of a game."""

from datetime import datetime

from adjudicator.desk.case import RUNNING, take
from adjudicator.desk.letters import notices
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import lapse
from adjudicator.desk.seating import current
from adjudicator.desk.values import Game, Status


def pause(books: Books, library: Library, game: str, *, at: datetime) -> Game:
    """Stop the clock; orders are still taken, nothing closes."""
    case = take(books, library, game, at=at, status=RUNNING).now(status=Status.PAUSED, paused=at)
    lapse(case, case.open_step())
    log(books, game, "pause", "the clock stands still", at=at)
    lines = ["The GM paused the game: no deadline runs, nothing closes. Orders are still taken."]
    notices(case, case.open_step(), "Paused", lines, seatings=current(books, game), at=at)
    return case.game
