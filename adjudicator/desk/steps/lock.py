"""Lock a game for an act, and refuse what its status or its changed rules do not allow."""

from datetime import datetime

from adjudicator.desk.model.context import STARTED, Context, status_advice
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.replay import pin_rules


def lock_game(books: Books, library: Library, game: str, *, at: datetime) -> Context:
    """Lock the game for a change, whatever its status."""
    books.locked(game)
    return Context(books, library, game, at)


def check_status(context: Context, status: tuple[Status, ...] = STARTED) -> None:
    """Refuse an act if the game has the wrong status, or its rules have changed."""
    if context.game.status not in status:
        raise Refused(f"{context.id}: {status_advice(context)}")
    over = context.game.status is Status.OVER  # nothing more is adjudicated
    if not over and context.kind.digest != context.game.rules_digest:
        pin_rules(context.books, context.game, context.kind, at=context.at)


def lock_context(
    books: Books,
    library: Library,
    game: str,
    *,
    at: datetime,
    status: tuple[Status, ...] = STARTED,
) -> Context:
    """Lock the game for an act that changes it; refuse if it has the wrong status."""
    context = lock_game(books, library, game, at=at)
    check_status(context, status)
    return context
