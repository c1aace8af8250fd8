"""End a game before its rules do: by the players' votes, or because nobody plays any more."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.core.document import Impossible, Seat
from adjudicator.core.game import Over
from adjudicator.desk.case import Case, take
from adjudicator.desk.closing import Closing
from adjudicator.desk.errors import Refused
from adjudicator.desk.log import log
from adjudicator.desk.news import Outcome
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import lapse
from adjudicator.desk.stepping import settle
from adjudicator.desk.values import Step

END = "end"


def end(
    books: Books,
    library: Library,
    game: str,
    *,
    winners: Sequence[Seat],
    reason: str,
    at: datetime,
) -> Closing:
    """End the game with these winners; without any it is drawn."""
    case = take(books, library, game, at=at)
    for seat in winners:
        case.seat(seat)
    if not reason.strip():
        raise Refused(f"{game}: an end needs its reason, for the history")
    return finish(case, winners, reason.strip(), at=at, by="gm")


def finish(
    case: Case, winners: Sequence[Seat], reason: str, *, at: datetime, by: str = "house"
) -> Closing:
    """The pseudo-step in which the game ends; the open step is never adjudicated."""
    opened = case.open_step()
    before = case.before(opened)
    document = dict(case.kind.rules.dump(before))
    order = [seat for seat in case.game.seats if seat in winners]
    document["over"] = {"winners": order}
    try:
        state = case.kind.rules.load(document)
    except Impossible as wrong:
        raise Refused(f"{case.game.id}: the game cannot end like this: {wrong}") from wrong
    if not isinstance(case.kind.rules.due(state), Over):
        raise Refused(f"{case.kind.title} cannot be ended by hand: its rules know no such end")
    case.books.save_step(replace(opened, void=True))
    lapse(case, opened)
    step = Step(
        game=case.game.id,
        number=case.game.next_number,
        phase=END,
        predecessor=opened.predecessor,
        dice=f"{case.game.next_number}-{END}",
        opened=at,
        reason=reason,
    )
    closing = settle(case, "end", step, Outcome(state, (), {}), at=at, turn=None)
    words = f"won by {', '.join(order)}" if order else "drawn"
    log(case.books, case.game.id, "end", f"{words}: {reason}", at=at, by=by)
    return closing
