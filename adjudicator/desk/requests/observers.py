"""Observers: people without a seat who get what the public may know, and nothing else."""

from msgspec.structs import replace

from adjudicator.core.document import decode
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.people import PUBLIC
from adjudicator.desk.model.values import Observer
from adjudicator.desk.outbox.queue import ANSWER, queue_to_address


def add_observer(context: Context, address: str, name: str | None) -> str:
    """Let an address observe, once its owner has confirmed it; say what came of it."""
    game = context.id
    if any(one.address == address for one in context.observers):
        return f"You observe {game} already."
    if context.seat_of(address):
        return f"You play in {game}, so you get your own reports and need not observe it."
    observer = Observer(game=game, address=address, name=name, since=context.at)
    context.books.save(observer)
    context.note("observe", "an observer has joined", by="stranger")
    last = context.books.paper(context.id, None)
    if last is not None:
        report = decode(last.document)
        queue_to_address(context, address, ANSWER, report, reader=PUBLIC, template="report/1")
    return f"You observe {game} from now on: you get what everybody may know."


def remove_observer(context: Context, address: str) -> str:
    """Stop sending letters to an address that observes."""
    game = context.id
    own = [one for one in context.observers if one.address == address]
    if not own:
        return f"You do not observe {game}."
    for one in own:
        context.books.save(replace(one, until=context.at))
    context.note("observe", "an observer has left", by="stranger")
    return f"You no longer observe {game}."
