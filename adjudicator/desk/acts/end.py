"""End a game before its rules do."""

from collections.abc import Sequence
from datetime import datetime

from adjudicator.core.document import Seat
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.steps.advance import StepClosing
from adjudicator.desk.steps.finish import finish_game
from adjudicator.desk.steps.lock import lock_context


def end_game(
    books: Books,
    library: Library,
    game: str,
    *,
    winners: Sequence[Seat],
    reason: str,
    at: datetime,
) -> StepClosing:
    """End the game with these winners; without any it is drawn."""
    context = lock_context(books, library, game, at=at)
    for seat in winners:
        context.seat(seat)
    if not reason.strip():
        raise Refused(f"{game}: an end needs its reason, for the history")
    return finish_game(context, winners, reason.strip(), at=at, by="gm")
