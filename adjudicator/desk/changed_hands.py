"""Tell the others that a seat has changed hands."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.core.document import Seat
from adjudicator.desk.case import Case
from adjudicator.desk.letters import notice
from adjudicator.desk.seating import current
from adjudicator.desk.values import Letter, Step


def tell_others(
    case: Case, step: Step, seat: Seat, subject: str, lines: Sequence[str], *, at: datetime
) -> tuple[Letter, ...]:
    """A notice to everybody but this seat."""
    seatings = current(case.books, case.game.id)
    told = [*lines, "Nothing else changes for you."]
    made = (
        notice(case, step, other, subject, told, seating=seatings.get(other), at=at)
        for other in case.game.seats
        if other != seat
    )
    return tuple(letter for letter in made if letter)
