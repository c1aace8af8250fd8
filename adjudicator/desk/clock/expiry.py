from datetime import datetime

from adjudicator.desk.model.context import Context, current_step
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import WAITING, Status
from adjudicator.desk.outbox.announcement import expiry_of
from adjudicator.desk.outbox.answers import answer_document, answer_part
from adjudicator.desk.outbox.notices import tell_gm
from adjudicator.desk.outbox.queue import ANSWER, queue_notices, queue_to_address
from adjudicator.desk.steps.lock import lock_context


def expire_open_game(books: Books, library: Library, game: str, *, at: datetime) -> bool:
    """Give up an open game that has not begun in time; everybody in it gets a notice."""
    context = Context(books, library, game)
    if context.game.status is not Status.OPEN or at < expiry_of(context):
        return False
    context = lock_context(books, library, game, at=at, status=(Status.OPEN,)).now(
        status=Status.OVER
    )
    context.note("expire", "cancelled: it had not begun in time", by="clock")
    subject = "The game is cancelled"
    lines = [
        (f"{game} did not get enough players in time, so it is cancelled. Thank you for waiting.")
    ]
    queue_notices(context, current_step(context), subject, lines)
    tell_gm(context, current_step(context), subject, lines[:1])
    for one in books.signups(game):
        if one.status == WAITING:
            document = answer_document(
                context, None, one.name, subject, [answer_part(None, lines)], None
            )
            queue_to_address(context, one.address, ANSWER, document, template="answer/1")
    return True
