"""All that is known of a game, wherever it was kept; what replay and archive work on."""

from msgspec import Struct

from adjudicator.core.chain import Link
from adjudicator.desk.ports import Books
from adjudicator.desk.values import Game, OrderSet, Paper, Step

ACCEPT = "accept"
"""The act of the note that says from which step on changed rules count."""


class Record(Struct, frozen=True, kw_only=True):
    """A game's steps with what was ordered, what came of it, and what was told."""

    game: Game
    steps: tuple[Step, ...]
    """By number, struck ones and the open one too."""
    orders: tuple[OrderSet, ...]
    """At least the executed ones."""
    papers: tuple[Paper, ...]
    links: tuple[Link, ...]
    since: int = 0
    """Steps with a lower number ran under rules that were changed since (desk/accept.py): they
    are checked against the chain but not computed again."""


def record_of(books: Books, game: str) -> Record:
    """The record of a game as the store keeps it."""
    since = [note.data["since"] for note in books.notes(game) if note.act == ACCEPT]
    return Record(
        game=books.game(game),
        steps=tuple(books.steps(game)),
        orders=tuple(o for o in books.orders(game) if o.executed),
        papers=tuple(books.papers(game)),
        links=tuple(books.links(game)),
        since=max(since, default=0),
    )
