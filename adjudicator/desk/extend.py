"""Give the open step more time."""

from datetime import datetime

from msgspec.structs import replace

from adjudicator.desk import deadlines
from adjudicator.desk.case import take
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import notices
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import lapse
from adjudicator.desk.seating import current
from adjudicator.desk.values import Step


def extend(books: Books, library: Library, game: str, length: str, *, at: datetime) -> Step:
    """Move the open step's deadline by a length of time (24h)."""
    case = take(books, library, game, at=at)
    step = case.open_step()
    if step.deadline is None:
        raise Refused(f"{game}: {step.name} has no deadline to extend; close it when you like")
    span = deadlines.length(length)
    later = step.deadline + span
    if not span or later <= at:
        raise Refused(
            f"{game}: {length} more would end at {deadlines.words(later, case.settings.zone)}, "
            "which is not in the future; give more"
        )
    moved = replace(step, deadline=later)
    books.save_step(moved)
    lapse(case, moved)
    when = deadlines.words(later, case.settings.zone)
    log(books, game, "extend", f"{step.name} is due {when}", at=at, data={"length": length})
    lines = [f"The GM gave {step.name} more time ({length}). The deadline is now {{deadline}}."]
    notices(case, moved, "Deadline moved", lines, seatings=current(books, game), at=at)
    return moved
