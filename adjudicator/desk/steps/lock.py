from datetime import datetime

from adjudicator.desk.model.context import STARTED, Context, status_advice
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.replay import pin_rules


def lock_context(
    books: Books,
    library: Library,
    game: str,
    *,
    at: datetime,
    status: tuple[Status, ...] = STARTED,
) -> Context:
    """The game for an act that changes it; refuses when it does not stand where it must."""
    books.locked(game)
    context = Context(books, library, game, at)
    if context.game.status not in status:
        raise Refused(f"{game}: {status_advice(context)}")
    if context.kind.digest != context.game.rules_digest:
        pin_rules(books, context.game, context.kind, at=at)
    return context
