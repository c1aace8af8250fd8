"""The letters that would be mailed, as files: letters."""

from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from adjudicator.cli.acting import act
from adjudicator.cli.naming import seat_of
from adjudicator.cli.options import Setting, example, home_option, json_option
from adjudicator.cli.output import data, document, say
from adjudicator.cli.wiring import Office
from adjudicator.core.canonical import decode
from adjudicator.desk.ports import Books
from adjudicator.desk.values import Letter, Seating

_QUEUED = "queued"


@click.command(
    epilog=example(
        "adjudicator letters ember --out letters", "adjudicator letters ember --out /tmp"
    )
)
@click.argument("game")
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
    with act(setting, game, dry_run=False) as now:
        only = seat_of(now.game, seat) if seat else None
        folder = Path(out)
        written = write_letters(
            now.office, now.books, now.game.id, folder, seat=only, every=every, sent=sent
        )
    if as_json:
        document(written)
        return
    for one in written:
        data(one["file"])
    if not written:
        say(f"{now.game.id}: no letters wait to be sent; --all writes those that did, too.")


def write_letters(
    office: Office,
    books: Books,
    game: str,
    folder: Path,
    *,
    seat: str | None = None,
    every: bool = False,
    sent: bool = False,
) -> list[dict[str, Any]]:
    """The letters as files: {file, seat, kind, number} of each."""
    return [
        _write(office, books, letter, folder, sent=sent)
        for letter in books.letters(game)
        if (letter.status == _QUEUED or (every and letter.status != "withdrawn"))
        and seat in (None, letter.seat)
    ]


def _write(
    office: Office, books: Books, letter: Letter, folder: Path, *, sent: bool
) -> dict[str, Any]:
    step = books.step(letter.game, letter.step)
    name = f"{step.number:03}-{step.phase}-{letter.seat}-{letter.kind}-{letter.number}.txt"
    path = folder / name
    content = letter.content or rendered(office, books, letter).encode()
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    if sent and letter.status == _QUEUED:
        books.save_letter(replace(letter, status="sent", content=content))
    return {"file": str(path), "seat": letter.seat, "kind": letter.kind, "number": letter.number}


def rendered(office: Office, books: Books, letter: Letter) -> str:
    """The letter as its reader gets it, with the key that the archive never sees."""
    found: dict[str, Any] = decode(letter.document)
    form = found.get("form")
    if form and form.get("envelope"):
        key = _key(office, books, letter, str(form["envelope"]["step"]))
        found["form"] = {**form, "envelope": {**form["envelope"], "key": key}}
    template = letter.template.partition("/")[0]
    kind = books.game(letter.game).kind
    return office.printed(f"{template}.txt", found, kind)


def _key(office: Office, books: Books, letter: Letter, step: str) -> str:
    from adjudicator.desk.keys import key

    seating = max(
        (s for s in books.seatings(letter.game) if s.seat == letter.seat),
        key=lambda s: s.number,
        default=Seating(
            game=letter.game,
            seat=letter.seat,
            number=1,
            kind="player",
            player=None,
            since=letter.made,
        ),
    )
    return key(
        office.home.secret(),
        game=letter.game,
        seat=letter.seat,
        seating=seating.number,
        step=step,
    )
