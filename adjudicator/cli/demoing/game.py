"""A game by letters from its announcement to the last letter, as fast as it goes."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from adjudicator.cli.demoing.people import PEOPLE, Letter, Table
from adjudicator.cli.demoing.postoffice import ADDRESS, LOG, PostOffice
from adjudicator.cli.selfplay import Played, Progress
from adjudicator.cli.wiring import Office
from adjudicator.core.canonical import decode
from adjudicator.core.document import Document
from adjudicator.desk.announce import announce
from adjudicator.desk.closing import Closing
from adjudicator.desk.errors import Refused
from adjudicator.desk.new import new
from adjudicator.desk.ports import Books
from adjudicator.desk.values import Status


class Wish(Struct, frozen=True, kw_only=True):
    """The game to be played."""

    kind: str
    options: Document
    seed: bytes
    verifiable: bool
    game: str = "ember"


class Told(Struct, frozen=True, kw_only=True):
    """What was played, and all that was written."""

    steps: Sequence[Played]
    correspondence: Mapping[str, Sequence[Letter]]
    """Each person's letters, in the order in which they were read and written."""

    def letters(self, *, own: bool) -> int:
        """How many letters people wrote themselves, or got."""
        return sum(one.own is own for letters in self.correspondence.values() for one in letters)


async def play(office: Office, folder: Path, wish: Wish, progress: Progress) -> Told:
    """Announce it, and let people write until it is over."""
    _open(office, wish)
    closed: list[Closing] = []
    table = Table(office, wish.game, folder / "post", ADDRESS)
    async with PostOffice(office, folder, closed.append) as post:
        await post.work()
        while table.write():
            await post.work()
            progress(len(closed), closed[-1].step.name if closed else "sign-up")
    with office.reading() as books:
        if books.game(wish.game).status is not Status.OVER:
            raise Refused(f"{wish.game} has come to a halt; {folder / LOG} tells more")
        steps = [_told(books, closing) for closing in closed]
    return Told(steps=steps, correspondence=table.letters)


def _open(office: Office, wish: Wish) -> None:
    """A game with free seats, and a letter to those who might take them."""
    at = datetime.now(UTC)
    with office.making() as books:
        new(
            books,
            office.library,
            game=wish.game,
            kind=wish.kind,
            seats=dict.fromkeys(one.seat for one in PEOPLE),
            options=wish.options,
            # everybody writes at once, so that a step need not wait for second thoughts
            settings={"pace": "72h", "settle": "0m", "host": ADDRESS.partition("@")[2]},
            seed=wish.seed,
            luck={},
            verifiable=wish.verifiable,
            components=None,
            start=False,
            at=at,
        )
        announce(books, office.library, wish.game, [one.address for one in PEOPLE], at=at)


def _told(books: Books, closing: Closing) -> Played:
    papers = books.papers(closing.game.id, closing.step.number)
    public = next(paper.document for paper in papers if paper.seat is None)
    return Played(step=closing.step.name, report=decode(public))
