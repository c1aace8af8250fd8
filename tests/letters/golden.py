"""Ten letters as their readers get them, written by games that are always the same.

python -m tests.letters.golden     # writes them anew; read the diff
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory

from adjudicator.adapters.games.library import FolderLibrary
from tests.desk.mailing import words
from tests.desk.post import HOUSE
from tests.desk.twins import World, address

HERE = Path(__file__).parent
DAN = "dan@example.org"
_SETTINGS = {"pace": "72h", "zone": "Europe/Berlin"}


def write_letters(folder: Path) -> Mapping[str, str]:
    """Play the games, and give their letters by the names of their files."""
    library = FolderLibrary()
    with ExitStack() as ends:
        invited = World(folder / "invited.db", library, ends)
        played = World(folder / "played.db", library, ends)
        found = [*_join(invited), *_play(played)]
        for kind in ("jump-gate", "jump-drive"):
            world = World(folder / f"{kind}.db", library, ends)
            found += [(f"report-{kind}", _report(world, kind))]
    return {f"{name}.txt": _show(letter) for name, letter in found}


def _show(letter: EmailMessage) -> str:
    return f"Subject: {letter['Subject']}\n\n{words(letter)}"


def _join(world: World) -> Iterator[tuple[str, EmailMessage]]:
    """An invitation, and the answer to somebody who wants to join."""
    free = {"red": "Ada", "blue": None, "green": "bot"}
    world.desk.new(kind="jump-drive", seats=free, settings=_SETTINGS, luck={}, start=False)
    world.post.address("Ada", address("Ada"))
    world.say("gm", f"gm: [announce {DAN}]")
    invitation = world.mail.last(DAN)
    yield "invitation", invitation
    world.mail.write(DAN, "join as Dan\n\nThanks, I am looking forward to it!", invitation)
    yield "please-confirm", world.mail.last(DAN)


def _play(world: World) -> Iterator[tuple[str, EmailMessage]]:
    """A game of Jump Wars: its first letters, a mistake, the GM, a rollback and the end."""
    world.new("jump-wars", 3, ["red", "blue", "green"], settings=_SETTINGS)
    ada = address("Ada")
    first = world.mail.last(ada)
    yield "first-report", first
    world.mail.write(ada, "build: 7\nThanks, see you next turn!", first)
    yield "receipt", world.mail.last(ada)
    world.mail.write(ada, "biuld: max\n", first)
    yield "nothing-read", world.mail.last(ada)
    world.say("gm", "gm: [extend 24h, replace purple]")
    yield "to-the-gm", world.mail.last(HOUSE.gm[0])
    _go_on(world, steps=18)
    yield "report", _latest(world, ada, "Report")
    world.say("gm", "gm: [rollback 17-plan]")
    yield "rolled-back", world.mail.last(ada)


def _report(world: World, kind: str) -> EmailMessage:
    """A report from the middle of a game."""
    world.new(kind, 3, ["red", "blue", "green"], settings=_SETTINGS)
    _go_on(world, steps=9)
    return _latest(world, address("Ada"), "Report")


def _go_on(world: World, steps: int) -> None:
    """Let everybody order what the bot would."""
    for _ in range(steps):
        for seat, orders in world.choices("bot", 1).items():
            world.order(seat, orders)
        world.desk.later(hours=1)
        world.round()


def _latest(world: World, reader: str, title: str) -> EmailMessage:
    world.mail.deliver()
    return [one for one in world.mail.inbox[reader] if title in words(one).splitlines()[0]][-1]


def main() -> int:
    """Write the files anew."""
    with TemporaryDirectory() as folder:
        for name, text in write_letters(Path(folder)).items():
            (HERE / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
