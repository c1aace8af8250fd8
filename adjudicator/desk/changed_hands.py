"""Tell the others that a seat has changed hands."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.core.document import Seat
from adjudicator.desk.case import Case
from adjudicator.desk.letters import notices
from adjudicator.desk.seating import current
from adjudicator.desk.values import Letter, Step


def tell_others(
    case: Case, step: Step, seat: Seat, subject: str, lines: Sequence[str], *, at: datetime
) -> tuple[Letter, ...]:
    """A notice to everybody but this seat, observers too."""
    seatings = current(case.books, case.game.id)
    told = [*lines, "Nothing else changes for you."]
    return notices(case, step, subject, told, seatings=seatings, at=at, without=(seat,))
