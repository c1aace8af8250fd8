"""Players who are programs: they read their letters and reply with what a bot would order."""

import email
import re
from collections.abc import Iterator, Mapping
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any

from adjudicator.adapters.layout import block
from adjudicator.cli.wiring import Office
from adjudicator.core.canonical import decode
from adjudicator.core.dice import Dice, key_of
from adjudicator.desk.close import missing

HOUSE = "games@game.test"
_LINE = re.compile(r"^(game|step|key|after): (.*)$", re.MULTILINE)


def read_letter(content: bytes) -> EmailMessage:
    """A letter as a mail program opens it."""
    return email.message_from_bytes(content, policy=SMTP)  # type: ignore[return-value]


def envelope(letter: EmailMessage) -> dict[str, str]:
    """The first lines of the block that the letter ends with."""
    body = letter.get_body(("plain",))
    assert body is not None
    text = body.get_content().replace("\r\n", "\n")
    _, block_there, rest = text.rpartition("\ngame: ")
    return {m[1]: m[2] for m in _LINE.finditer("game: " + rest)} if block_there else {}


def inbox(folder: Path) -> Iterator[bytes]:
    """All letters of a Maildir, oldest first."""
    files = [path for name in ("new", "cur") for path in (folder / name).glob("*")]
    for path in sorted(files, key=lambda path: path.stat().st_mtime_ns):
        yield path.read_bytes()


def reply(
    sender: str,
    asked: EmailMessage,
    facts: Mapping[str, str],
    orders: Any,
    number: int,
    to: str = HOUSE,
) -> bytes:
    """An answer with orders in it, as a person writes it on top."""
    letter = EmailMessage(policy=SMTP)
    letter["From"] = sender
    letter["To"] = to
    letter["Subject"] = f"Re: {asked['Subject']}"
    letter["Message-ID"] = f"<{facts['step']}.{number}@{sender}>"
    letter["In-Reply-To"] = asked["Message-ID"]
    head = "".join(f"{name}: {facts[name]}\n" for name in ("game", "step", "key", "after"))
    letter.set_content(f"Hello,\n\n{head}{block(orders)}\n# end of orders\n\nThanks\n")
    return letter.as_bytes()


class Bots:
    """What the bot would order for the seats that are still missing."""

    def __init__(self, office: Office, game: str) -> None:
        self._office = office
        self._game = game

    def wanted(self) -> tuple[str | None, dict[str, dict[str, Any]]]:
        """The open step, and orders for everybody who is missing in it."""
        with self._office.reading() as books:
            game = books.game(self._game)
            if game.open_step is None:
                return None, {}
            step = books.step(game.id, game.open_step)
            assert step.predecessor is not None
            before = books.step(game.id, step.predecessor)
            seats = missing(books, self._office.library, game.id)
        rules = self._office.library.kind(game.kind).rules
        state = rules.load(decode(before.state or b""))
        dice = Dice(key_of(game.seed, game.luck), step.dice)
        return step.name, {
            seat: dict(rules.bot(rules.view(state, seat), seat, dice)) for seat in seats
        }
