"""Stop the clock of a game."""

from datetime import datetime

from adjudicator.desk.case import RUNNING, Case, take
from adjudicator.desk.letters import notices
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import lapse
from adjudicator.desk.seating import current
from adjudicator.desk.values import Game, Status


def pause(books: Books, library: Library, game: str, *, at: datetime) -> Game:
    """Stop the clock; orders are still taken, nothing closes."""
    case = take(books, library, game, at=at, status=RUNNING)
    log(books, game, "pause", "the clock stands still", at=at)
    line = "The GM paused the game: no deadline runs, nothing closes. Orders are still taken."
    return stop(case, line, at=at)


def stop(case: Case, line: str, *, at: datetime) -> Game:
    """Stop the clock of a running game and tell everybody why."""
    case = case.now(status=Status.PAUSED, paused=at)
    step = case.open_step()
    lapse(case, step)
    seatings = current(case.books, case.game.id)
    notices(case, step, "Paused", [line], seatings=seatings, at=at)
    return case.game
