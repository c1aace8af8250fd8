"""A note for the game's history, and rules that have changed accepted."""

from datetime import datetime

from msgspec.structs import replace

from adjudicator.desk.model.context import Context, read_context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import current_seatings
from adjudicator.desk.model.values import Game, HistoryNote
from adjudicator.desk.outbox.queue import queue_notices
from adjudicator.desk.steps.record import ACCEPT_ACT


def add_note(books: Books, library: Library, game: str, text: str, *, at: datetime) -> HistoryNote:  # noqa: ARG001 - every act of the GM is called alike
    """Write the GM's own words into the history."""
    words = " ".join(text.split())
    if not words:
        raise Refused(f"{game}: a note needs words")
    return write_note(books, books.locked(game).id, "note", words, at=at)


def accept_rules(books: Books, library: Library, game: str, *, at: datetime) -> Game:
    """Let the game go on under the rules as they are now; earlier steps stay as they are."""
    found = books.locked(game)
    kind = library.kind(found.kind, found.components)
    if kind.digest == found.rules_digest:
        raise Refused(f"{game}: its rules are those it was played by; there is nothing to accept")
    since = found.next_number if found.open_step is None else found.open_step
    accepted = replace(found, rules_digest=kind.digest)
    books.save_game(accepted)
    data = {"since": since, "rules_digest": kind.digest, "before": found.rules_digest}
    text = f"changed rules accepted; steps before number {since} stay as they were adjudicated"
    write_note(books, game, ACCEPT_ACT, text, at=at, data=data)
    if accepted.open_step is not None:
        _tell(read_context(books, library, game), at)
    return accepted


def _tell(context: Context, at: datetime) -> None:
    """The players should know, since results change."""
    step = context.open_step()
    told = (
        "The program has changed since this game began, in a way that changes results; the GM "
        f"goes on with it from {step.name}. Earlier steps stay as they were adjudicated."
    )
    lines = [told, "The deadline is {deadline}."]
    seatings = current_seatings(context.books, context.game.id)
    queue_notices(context, step, "The rules have changed", lines, seatings=seatings, at=at)
