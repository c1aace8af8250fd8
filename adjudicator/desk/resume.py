"""Let the clock of a paused game go on."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from adjudicator.desk.case import take
from adjudicator.desk.letters import notices
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.seating import current
from adjudicator.desk.values import Game, Status


def resume(books: Books, library: Library, game: str, *, at: datetime) -> Game:
    """Go on; the deadline moves by as long as the pause was."""
    case = take(books, library, game, at=at, status=(Status.PAUSED,))
    since = case.game.paused
    step = case.open_step()
    if step.deadline is not None and since is not None:
        stood = max(at - max(since, step.opened), timedelta())  # a clock may have been set back
        step = replace(step, deadline=step.deadline + stood)
        books.save_step(step)
    case = case.now(status=Status.RUNNING, paused=None)
    log(books, game, "resume", "the clock goes on", at=at)
    lines = ["The game goes on. The deadline is {deadline}."]
    notices(case, step, "The game goes on", lines, seatings=current(books, game), at=at)
    return case.game
