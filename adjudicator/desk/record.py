"""All that is known of a game, wherever it was kept; what replay and archive work on."""

from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct, convert
from msgspec.structs import replace

from adjudicator.core.chain import Link
from adjudicator.core.document import Document, Seat
from adjudicator.desk.ended import BACK
from adjudicator.desk.ports import Books
from adjudicator.desk.values import Game, Note, OrderSet, Paper, Status, Step

ACCEPT = "accept"
"""The act of the note that says from which step on changed rules count."""


class Start(Struct, frozen=True, kw_only=True):
    """A start that was taken back, with what was mixed into its dice and dealt to."""

    setup: int
    """The number of its setup."""
    seats: tuple[Seat, ...]
    options: Document
    luck: tuple[tuple[Seat, str], ...]


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
    starts: tuple[Start, ...] = ()
    """Those that were taken back: their steps were played with other luck words and seats."""

    @property
    def is_told(self) -> bool:
        """The game was played to an end, and its seed is told; one withdrawn keeps its secret."""
        return self.game.status is Status.OVER and any(not step.void for step in self.steps)

    def as_dealt(self, step: Step) -> Game:
        """The game as it was when the start was made that this step goes back to."""
        if not self.starts:
            return self.game
        steps = {one.number: one for one in self.steps}
        while step.predecessor is not None:
            step = steps[step.predecessor]
        start = next((one for one in self.starts if one.setup == step.number), None)
        if start is None:
            return self.game
        return replace(self.game, seats=start.seats, options=start.options, luck=start.luck)


V = TypeVar("V", OrderSet, Paper)


def by_step(values: Iterable[V]) -> dict[int, list[V]]:
    """What belongs to each step, by its number: looked through once, however many steps."""
    found: dict[int, list[V]] = {}
    for value in values:
        found.setdefault(value.step, []).append(value)
    return found


def record_of(books: Books, game: str) -> Record:
    """The record of a game as the store keeps it."""
    notes = books.notes(game)
    since = [note.data["since"] for note in notes if note.act == ACCEPT]
    return Record(
        game=books.game(game),
        steps=tuple(books.steps(game)),
        orders=tuple(o for o in books.orders(game) if o.executed),
        papers=tuple(books.papers(game)),
        links=tuple(books.links(game)),
        since=max(since, default=0),
        starts=tuple(convert(one.data, Start) for one in notes if _takes_start_back(one)),
    )


def _takes_start_back(note: Note) -> bool:
    return note.act == "start" and BACK in note.data
