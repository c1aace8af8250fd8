"""Read-only facts for the GM's screen; secrets only when they are asked for."""

from datetime import datetime

from adjudicator.core.document import Document, Seat
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.values import Note


def games(books: Books, library: Library) -> tuple[Document, ...]:
    """[{id, kind, title, status, step, deadline, seats, missing}], by id.

    deadline is {at, zone, text} in the game's zone, or null.
    """
    raise NotImplementedError


def show(books: Books, library: Library, game: str, *, reveal: bool = False) -> Document:
    """{id, kind, title, status, verifiable, rules_digest, seed_digest, created, options, settings,
    step, deadline, seats: [{seat, player, kind, seating, missed, in, ready, why}], score, links,
    outside}; with `reveal` also {seed, luck, state, votes}.
    """
    raise NotImplementedError


def orders(
    books: Books, library: Library, game: str, *, step: str | None = None, reveal: bool = False
) -> Document:
    """{game, step, seats: [{seat, player, due, in, ready, why, receipt, digest, sets}]}.

    With `reveal` every set is [{number, arrived, by, executed, ready, digest, orders}]; without
    it `sets` is how many there are.
    """
    raise NotImplementedError


def report(
    books: Books, game: str, *, seat: Seat | None = None, step: str | None = None
) -> Document:
    """The latest report/1 document of a seat (None: the public's), or that of a step."""
    raise NotImplementedError


def reveal(books: Books, game: str, what: str, *, at: datetime) -> Note:
    """Record that the GM looked at secrets; needs a writing transaction."""
    raise NotImplementedError
