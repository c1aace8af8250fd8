"""The reports that a seat has got and that count."""

from collections.abc import Sequence

from adjudicator.core.document import Seat
from adjudicator.desk.case import Case
from adjudicator.desk.errors import Refused, Unknown
from adjudicator.desk.values import Paper


def papers_of(case: Case, seat: Seat) -> Sequence[Paper]:
    """All that this seat has got, by number; also of steps that were struck later."""
    return [paper for paper in case.books.papers(case.game.id) if paper.seat == seat]


def latest(case: Case, seat: Seat) -> Paper:
    """The last one of a step that counts."""
    struck = {step.number for step in case.books.steps(case.game.id) if step.void}
    mine = [paper for paper in papers_of(case, seat) if paper.step not in struck]
    if not mine:
        raise Refused(f"{case.game.id} has not begun, so there is no report yet")
    return max(mine, key=lambda paper: paper.number)


def numbered(case: Case, seat: Seat, number: int) -> Paper:
    """The one of this number."""
    mine = papers_of(case, seat)
    for paper in mine:
        if paper.number == number:
            return paper
    last = mine[-1].number if mine else 0
    raise Unknown(f"{seat} has no report {number}; its reports are numbered 1 to {last}")
