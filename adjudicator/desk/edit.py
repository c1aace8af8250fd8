"""A ruling of the GM's: the position itself is changed."""

from datetime import datetime
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core.canonical import decode, encode
from adjudicator.core.document import Document, Impossible
from adjudicator.core.game import Over
from adjudicator.desk.case import Case, look, take
from adjudicator.desk.closing import Closing
from adjudicator.desk.differences import public_changes
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import notices
from adjudicator.desk.log import log
from adjudicator.desk.news import Outcome, catch_up, news_of, to_seats
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import lapse
from adjudicator.desk.seating import current
from adjudicator.desk.stepping import add_link, commitments, open_next, phase_of, settle
from adjudicator.desk.values import Step

RULING: Final = "ruling"


def position(books: Books, library: Library, game: str) -> Document:
    """The state document in which orders are owed now, to be edited."""
    case = look(books, library, game)
    step = case.open_step()
    document: Document = decode(encode(case.kind.rules.dump(case.before(step))))
    return document


def edit(
    books: Books,
    library: Library,
    game: str,
    document: Document,
    *,
    reason: str,
    at: datetime,
) -> Closing:
    """Put this position in the place of the present one, as a ruling with its reason."""
    case = take(books, library, game, at=at)
    words = " ".join(reason.split())
    if not words:
        raise Refused(f"{game}: a ruling needs its reason; the players will read it")
    opened = case.open_step()
    state = _state(case, opened, document)
    step = Step(
        game=game,
        number=case.game.next_number,
        phase=RULING,
        predecessor=opened.predecessor,
        dice=f"{case.game.next_number}-{RULING}",
        opened=at,
        reason=words,
    )
    closing = _rule(case, opened, step, state, at)
    data = {"step": step.name, "open": closing.opened.name if closing.opened else None}
    log(books, game, "edit", f"{step.name}: {words}", at=at, data=data)
    return closing


def _state(case: Case, opened: Step, document: Document) -> Any:
    game = case.game.id
    try:
        state = case.kind.rules.load(document)
    except Impossible as wrong:
        raise Refused(f"{game}: this position cannot be: {wrong}") from wrong
    made = encode(case.kind.rules.dump(state))
    if made == encode(case.kind.rules.dump(case.before(opened))):
        raise Refused(f"{game}: nothing is changed, so there is nothing to rule")
    facts = decode(made)
    if tuple(facts.get("seats", case.game.seats)) != case.game.seats:
        raise Refused(f"{game}: a ruling cannot change the seats; use replace for players")
    return state


def _rule(case: Case, opened: Step, step: Step, state: Any, at: datetime) -> Closing:
    lapse(case, opened)  # everybody gets a letter about the step now
    if isinstance(case.kind.rules.due(state), Over):
        case.books.save_step(replace(opened, void=True))
        return settle(case, RULING, step, Outcome(state, (), {}), at=at, turn=None)
    closed = replace(step, closed=at, state=encode(case.kind.rules.dump(state)))
    case.books.save_step(closed)
    case = case.now(next_number=step.number + 1)
    goes_on = _go_on(case, opened, closed, state, at)
    case = case.now(
        open_step=goes_on.number, next_number=max(case.game.next_number, goes_on.number + 1)
    )
    papers = catch_up(case, news_of(case, closed, goes_on, Outcome(state, (), {})))
    for paper in papers:
        case.books.save_paper(paper)
    link = add_link(case, RULING, closed, commitments(case, closed, {}, papers))
    reports = to_seats(case, closed, papers, at=at)
    lines = [
        f"The GM changed the position by a ruling ({closed.name}): {closed.reason}",
        *public_changes(case, case.before(opened), state),
        f"{goes_on.name} goes on, due: {{deadline}}.",
    ]
    letters = notices(
        case,
        goes_on,
        "A ruling of the GM",
        lines,
        seatings=current(case.books, case.game.id),
        at=at,
    )
    letters = (*reports, *letters)
    return Closing(game=case.game, step=closed, opened=goes_on, links=(link,), letters=letters)


def _go_on(case: Case, opened: Step, ruling: Step, state: Any, at: datetime) -> Step:
    """The open step with its name and orders; another one if the ruling led to another phase."""
    if phase_of(case.due(state)) == opened.phase:
        step = replace(opened, predecessor=ruling.number)
        case.books.save_step(step)
        return step
    case.books.save_step(replace(opened, void=True))
    step_or_none = open_next(case, ruling, state, turn=None, at=at)
    assert step_or_none is not None
    return step_or_none
