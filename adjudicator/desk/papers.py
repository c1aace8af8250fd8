"""The reports that a seat has got and that count."""

from collections.abc import Sequence
from typing import Any

from adjudicator.core.canonical import decode
from adjudicator.core.document import Document, Seat
from adjudicator.desk.answers import form_of
from adjudicator.desk.case import Case
from adjudicator.desk.errors import Refused, Unknown
from adjudicator.desk.letters import REPORTED, is_out, person, zone_for
from adjudicator.desk.report import due_facts, due_told
from adjudicator.desk.seating import current
from adjudicator.desk.values import Paper


def papers_of(case: Case, seat: Seat) -> Sequence[Paper]:
    """All that this seat has got, by number; also of steps that were struck later."""
    return [paper for paper in case.books.papers(case.game.id) if paper.seat == seat]


def newest(case: Case, seat: Seat) -> Paper | None:
    """The last one of a step that counts, if there is one."""
    struck = {step.number for step in case.books.steps(case.game.id) if step.void}
    mine = [paper for paper in papers_of(case, seat) if paper.step not in struck]
    return max(mine, key=lambda paper: paper.number, default=None)


def latest(case: Case, seat: Seat) -> Paper:
    """The last one of a step that counts."""
    paper = newest(case, seat)
    if paper is None:
        raise Refused(f"{case.game.id} has not begun, so there is no report yet")
    return paper


def numbered(case: Case, seat: Seat, number: int) -> Paper:
    """The one of this number; of a step that was struck only what went out before."""
    mine = papers_of(case, seat)
    for paper in mine:
        if paper.number == number:
            _refuse_unread(case, paper)
            return paper
    last = mine[-1].number if mine else 0
    known = f"they are numbered 1 to {last}" if last > 1 else f"there is only report {last}"
    raise Unknown(f"{seat} has got no report {number}; {known}")


def _refuse_unread(case: Case, paper: Paper) -> None:
    """What was struck before anybody read it stays unread: the step may be played again."""
    step = case.books.step(case.game.id, paper.step)
    if step.void and not went_out(case, paper):
        raise Refused(
            f"report {paper.number} is of {step.name}, which counts no longer; it was taken back "
            "before it went out"
        )


def went_out(case: Case, paper: Paper) -> bool:
    """Whether its reader may have it."""
    return any(
        letter.seat == paper.seat
        and letter.template == REPORTED
        and is_out(letter)
        and decode(letter.document)["number"] == paper.number
        for letter in case.books.letters(case.game.id, paper.step)
    )


def as_it_is(case: Case, seat: Seat | None, document: Document) -> dict[str, Any]:
    """A report as it is sent once more: what happened then, but what is due, and the form, now."""
    form = form_of(case, seat) if seat else None
    return {**document, "due": _due(case, seat), "form": form}


def _due(case: Case, seat: Seat | None) -> Document | None:
    """The last report may be older than the open step: somebody was asked, or the GM ruled."""
    if case.game.open_step is None:
        return None
    step, rules = case.open_step(), case.kind.rules
    state = case.before(step)
    owed = case.due(state).get(seat) if seat else None
    player = person(case, current(case.books, case.game.id).get(seat)) if seat else None
    zone = zone_for(case, player)
    form = owed.form if owed else step.phase
    known = due_facts(step, form, step.deadline, zone, waiting=owed is not None)
    return due_told(rules.report(rules.view(state, seat), ()), known)
