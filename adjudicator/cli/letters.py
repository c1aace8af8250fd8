"""The letters that would be mailed, as files: letters."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.cli.completing import game_argument
from adjudicator.cli.naming import game_of, seat_of
from adjudicator.cli.options import Setting, example, home_option, json_option
from adjudicator.cli.output import data, document, say
from adjudicator.cli.wiring import Office
from adjudicator.core.canonical import decode
from adjudicator.desk.errors import Unknown
from adjudicator.desk.ports import Books
from adjudicator.desk.values import Letter

_QUEUED = "queued"


@click.command(
    epilog=example(
        "adjudicator letters ember --out letters", "adjudicator letters ember --out /tmp"
    )
)
@game_argument
@click.option("--out", required=True, type=click.Path(file_okay=False), help="Where to write them.")
@click.option("--seat", help="Only this seat's.")
@click.option("--all", "every", is_flag=True, help="Those that went out already, too.")
@click.option("--sent", is_flag=True, help="Note them as sent, so that they are not mailed again.")
@json_option
@home_option
@click.pass_obj
def letters(
    setting: Setting,
    game: str,
    out: str,
    seat: str | None,
    every: bool,  # noqa: FBT001
    sent: bool,  # noqa: FBT001
    as_json: bool,  # noqa: FBT001
) -> None:
    """Write the letters that wait to be mailed into a folder, a file for each.

    This is how a game is run without a mail server: hand the files out.
    """
    office = setting.office
    with office.reading() as books:
        found = game_of(books, game)
        only = seat_of(found, seat) if seat else None
        written = made_letters(office, books, found.id, Path(out), seat=only, every=every)
    write(written)
    if sent:
        with office.acting() as books:
            for one in written:
                if one.letter.status == _QUEUED:
                    gone = replace(one.letter, status="sent", content=one.content)
                    books.save_letter(gone)
    if as_json:
        document([one.facts() for one in written])
        return
    for one in written:
        data(str(one.path))
    if not written:
        say(f"{found.id}: no letters wait to be sent; --all writes those that did, too.")


class Written(Struct, frozen=True):
    """A letter as a file."""

    letter: Letter
    path: Path
    content: bytes

    def facts(self) -> dict[str, Any]:
        """For programs."""
        letter = self.letter
        return {
            "file": str(self.path),
            "seat": letter.seat,
            "kind": letter.kind,
            "number": letter.number,
        }


def made_letters(
    office: Office,
    books: Books,
    game: str,
    folder: Path,
    *,
    seat: str | None = None,
    every: bool = False,
) -> list[Written]:
    """The letters that are queued (or all that were not withdrawn), rendered."""
    return [
        _made(office, books, letter, folder)
        for letter in books.letters(game)
        if (letter.status == _QUEUED or (every and letter.status != "withdrawn"))
        and seat in (None, letter.seat)
    ]


def _made(office: Office, books: Books, letter: Letter, folder: Path) -> Written:
    name = f"{_step(books, letter)}-{letter.seat}-{letter.kind}-{letter.number}.txt"
    content = letter.content or rendered(office, books, letter).encode()
    return Written(letter, folder / name, content)


def _step(books: Books, letter: Letter) -> str:
    """As folders have it; a game that has not begun has no steps, but letters."""
    try:
        step = books.step(letter.game, letter.step)
    except Unknown:
        return f"{letter.step:03}-open"
    return f"{step.number:03}-{step.phase}"


def write(letters: Sequence[Written]) -> None:
    """Each letter into its file."""
    for one in letters:
        one.path.parent.mkdir(parents=True, exist_ok=True)
        one.path.write_bytes(one.content)


def rendered(office: Office, books: Books, letter: Letter) -> str:
    """The letter as its reader gets it, with the key that the archive never sees."""
    from adjudicator.desk.prefer import columns
    from adjudicator.desk.sending import filled, preferences

    document_ = filled(letter, decode(letter.document), office.home.secret())
    template = letter.template.partition("/")[0]
    width = columns(preferences(books, letter))
    return office.printed(f"{template}.txt", document_, books.game(letter.game).kind, width)
