"""A game by letters from its announcement to the last letter, as fast as it goes."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from adjudicator.cli.demo.people import PEOPLE, PersonalLetter, Table
from adjudicator.cli.demo.post_office import LOG_FILE, SERVER_ADDRESS, PostOffice
from adjudicator.cli.demo.self_play import BotGame, PlayedStep, Progress, read_played_step
from adjudicator.cli.wiring import Office
from adjudicator.desk.acts.announce import announce_game
from adjudicator.desk.acts.new import create_game
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import Status
from adjudicator.desk.steps.advance import StepClosing


class PlayedDemo(Struct, frozen=True, kw_only=True):
    """What was played, and all that was written."""

    steps: Sequence[PlayedStep]
    correspondence: Mapping[str, Sequence[PersonalLetter]]
    """Each person's letters, in the order in which they were read and written."""

    def letters(self, *, own: bool) -> int:
        """How many letters people wrote themselves, or got."""
        return sum(one.own is own for letters in self.correspondence.values() for one in letters)


async def play_demo(office: Office, folder: Path, wish: BotGame, progress: Progress) -> PlayedDemo:
    """Announce it, and let people write until it is over."""
    _announce(office, wish)
    closed: list[StepClosing] = []
    table = Table(office, wish.game, folder / "post", SERVER_ADDRESS)
    async with PostOffice(office, folder, closed.append) as post:
        await post.work()
        while table.write():
            await post.work()
            progress(len(closed), closed[-1].step.name if closed else "sign-up")
    with office.reading() as books:
        if books.game(wish.game).status is not Status.OVER:
            raise Refused(f"{wish.game} has stopped; {folder / LOG_FILE} tells more")
        steps = [read_played_step(books, closing) for closing in closed]
    return PlayedDemo(steps=steps, correspondence=table.letters)


def _announce(office: Office, wish: BotGame) -> None:
    """A game with free seats, and a letter to those who might take them."""
    at = datetime.now(UTC)
    with office.making() as books:
        create_game(
            books,
            office.library,
            game=wish.game,
            kind=wish.kind,
            seats=wish.seats,
            options=wish.options,
            # everybody writes at once, so that a step need not wait for second thoughts
            settings={"pace": "72h", "settle": "0m", "host": SERVER_ADDRESS.partition("@")[2]},
            seed=wish.seed,
            luck={},
            verifiable=wish.verifiable,
            components=None,
            start=False,
            at=at,
        )
        announce_game(books, office.library, wish.game, [one.address for one in PEOPLE], at=at)
