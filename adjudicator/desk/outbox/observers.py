"""Observers: people without a seat who get what the public may know, and nothing else."""

import msgspec

from adjudicator.core.document import decode
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.people import PUBLIC
from adjudicator.desk.model.seats import seat_holders
from adjudicator.desk.model.values import Observer, Paper
from adjudicator.desk.outbox.queue import ANSWER, queue_to_address


def current_observers(context: Context) -> tuple[Observer, ...]:
    """Who observes the game now, by address."""
    return tuple(one for one in context.books.observers(context.game.id) if one.until is None)


def add_observer(context: Context, address: str, name: str | None) -> str:
    """Let an address observe, once its owner has confirmed it; says what came of it."""
    game = context.game.id
    if any(one.address == address for one in current_observers(context)):
        return f"You observe {game} already."
    if _is_player(context, address):
        return f"You play in {game}, so you get your own reports and need not observe it."
    made = Observer(game=game, address=address, name=name, since=context.at)
    context.books.save(made)
    context.note("observe", "an observer has joined", by="stranger")
    last = _find_last(context)
    if last is not None:
        report = decode(last.document)
        queue_to_address(context, address, ANSWER, report, reader=PUBLIC, template="report/1")
    return f"You observe {game} from now on: you get what everybody may know."


def remove_observer(context: Context, address: str) -> str:
    """Send an address nothing more."""
    game = context.game.id
    own = [one for one in current_observers(context) if one.address == address]
    if not own:
        return f"You do not observe {game}."
    for one in own:
        context.books.save(msgspec.structs.replace(one, until=context.at))
    context.note("observe", "an observer has left", by="stranger")
    return f"You no longer observe {game}."


def _is_player(context: Context, address: str) -> bool:
    held = seat_holders(context.seatings).values()
    players = [context.books.player(name) for name in held]
    return any(player is not None and address in player.addresses for player in players)


def _find_last(context: Context) -> Paper | None:
    struck = {step.number for step in context.books.steps(context.game.id) if step.void}
    papers = [
        paper
        for paper in context.books.papers(context.game.id)
        if paper.seat is None and paper.step not in struck
    ]
    return papers[-1] if papers else None
