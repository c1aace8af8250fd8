"""Replay: everything that happened, computed again from seed and orders, compared byte by byte."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from adjudicator.core.chain import Link
from adjudicator.desk.ports import Books, Kind
from adjudicator.desk.values import Game, OrderSet, Paper, Step


class Record(Struct, frozen=True, kw_only=True):
    """All that is known of a game, wherever it was kept."""

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


class Difference(Struct, frozen=True, kw_only=True):
    """Something that does not hold."""

    step: str
    part: str
    """orders/red, events, state, report/red, report (the public's), link."""
    message: str


def record_of(books: Books, game: str) -> Record:
    """The record of a game as the store keeps it."""
    raise NotImplementedError


def replay(record: Record, kind: Kind) -> tuple[Difference, ...]:
    """Compute every closed step again; nothing differs when all is as it was."""
    raise NotImplementedError


def chain_of(record: Record) -> tuple[Difference, ...]:
    """Check links, their order, and every commitment that the seed opens."""
    raise NotImplementedError


def links_of(links: Sequence[Link]) -> tuple[Difference, ...]:
    """Check the chain alone, as one can without the seed."""
    raise NotImplementedError


def pinned(books: Books, game: Game, kind: Kind, *, at: datetime) -> Game:
    """The game, if its rules still say what they said: replayed when code or components changed.

    Raises errors.Changed with the differences until the GM accepts them.
    """
    raise NotImplementedError
