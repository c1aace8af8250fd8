"""Reports, outgoing letters and pages of orders by hand: report, letters, form --page."""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from adjudicator.adapters.files import replace_file
from adjudicator.adapters.render.printer import draw_pictures
from adjudicator.cli.terminal.arguments import (
    complete_games,
    complete_games_and_kinds,
    complete_seats,
    find_game,
    find_kind,
    find_seat,
    read_text_file,
    step_option,
)
from adjudicator.cli.terminal.options import Setting, command
from adjudicator.cli.terminal.output import print_data, print_document, print_note
from adjudicator.cli.wiring import Office, find_readable_settings
from adjudicator.core.document import Document, Seat
from adjudicator.core.events import format_count
from adjudicator.desk.model.context import Context, Sender
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.lineage import find_step
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.values import Game, OutgoingLetter
from adjudicator.desk.outbox.keys import fill_key, issue_key, save_key
from adjudicator.desk.outbox.past_reports import position_document
from adjudicator.desk.outbox.queue import NO_GAME
from adjudicator.desk.outbox.reader_preferences import find_columns
from adjudicator.desk.outbox.refresh import refresh_letter
from adjudicator.desk.outbox.send import find_preferences
from adjudicator.desk.questions.screens import find_report


@command(
    "adjudicator report ember",
    "adjudicator report ember --seat red --step 3-plan",
    "adjudicator report --fields jump-wars",
)
@click.argument("game", metavar="GAME|KIND", shell_complete=complete_games_and_kinds)
@click.option(
    "--seat",
    shell_complete=complete_seats,
    help="A seat's own report; the history records that you looked.",
)
@step_option("A step other than the latest")
@click.option(
    "--pictures", metavar="DIR", help="Also write its pictures to this folder, as SVG and PNG."
)
@click.option("--fields", is_flag=True, help="Explain the fields in the reports of a KIND.")
def report_command(
    setting: Setting,
    game: str,
    seat: str | None,
    step: str | None,
    pictures: str | None,
    fields: bool,
    as_json: bool,
) -> None:
    """Show the report that a seat got; without --seat, the public report.

    A report is a document first: --json prints it. --fields explains its fields;
    with --json it prints their JSON Schema.
    """
    office = setting.office
    if fields:
        _explain(office, game, as_json=as_json)
        return
    with office.reading() as books:
        found_game = find_game(books, game)
        who = find_seat(found_game, seat) if seat else None
        name = find_step(books, found_game.id, step).name if step else None
        paper = find_report(books, found_game.id, seat=who, step=name)
    if who:
        office.record_look(found_game.id, f"report {paper['number']} of {who}")
    if pictures:
        _draw(office, paper, found_game.kind, Path(pictures))
    if as_json:
        print_document(paper)
    else:
        print_data(office.printed("report.txt", paper, found_game.kind))


@command("adjudicator forecast ember red orders.yaml --others guesses.yaml")
@click.argument("game", shell_complete=complete_games)
@click.argument("seat", shell_complete=complete_seats)
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--others",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Orders that others are guessed to send, by seat: {blue: {jump: [A1-B2 x3]}}.",
)
def forecast_command(
    setting: Setting, game: str, seat: str, file: str, others: str | None, as_json: bool
) -> None:
    """Show what orders would bring, as a report to the seat; nothing is put on file.

    It is played in positions that agree with what the seat can see, not in the true one. The
    history records that you looked.
    """
    from adjudicator.adapters.mail.inbound.candidates import parse_pasted
    from adjudicator.adapters.yaml.reader import parse_yaml
    from adjudicator.desk.orders.forecasting import forecast_block
    from adjudicator.desk.requests.envelope import parse_block

    office = setting.office
    form, source = parse_pasted(read_text_file(file, "order form"))
    guesses = parse_yaml(read_text_file(others, "file of guessed orders")).value if others else {}
    with office.reading() as books:
        found_game = find_game(books, game)
        who = find_seat(found_game, seat)
    office.record_look(found_game.id, f"a forecast for {who}")
    with office.reading() as books:
        context = Context(books, office.library, found_game.id, office.at)
        sender = Sender(
            seat=who, seating=context.seatings.get(who), step=context.open_step(), at=office.at
        )
        document = forecast_block(context, sender, parse_block(form, source=source), None, guesses)
    if as_json:
        print_document(document)
    else:
        print_data(office.printed("report.txt", document, found_game.kind))


def _explain(office: Office, text: str, *, as_json: bool) -> None:
    from adjudicator.adapters.render.explanations import format_fields
    from adjudicator.core.report import build_report_schema

    frame = office.library.common("report").schema
    own = office.library.kind(_choose_kind(office, text)).reported()
    if as_json:
        print_document(build_report_schema(frame, own))
    else:
        print_data(format_fields(frame, own))


def _choose_kind(office: Office, text: str) -> str:
    """Choose the kind that is named, or that of the named game."""
    if not office.empty:
        with office.reading() as books, suppress(Unknown):
            return books.game(text).kind
    return find_kind(office.library, text).kind


def _draw(office: Office, paper: Document, kind: str, where: Path) -> None:
    from adjudicator.adapters.render.png import render_png

    where.mkdir(parents=True, exist_ok=True)
    for one in draw_pictures(office.printer, paper, office.library.kind(kind).game):
        (where / f"{one.name}.svg").write_bytes(one.whole)
        (where / f"{one.name}.png").write_bytes(render_png(one.whole.decode()))


_QUEUED = "queued"
_DROPPED = (
    "Not written: {}, sent so long ago that only the SHA-256 is kept (`keep_letters` in the "
    "settings). Their reports are still there: adjudicator report GAME --seat SEAT --step STEP."
)


@command("adjudicator letters ember --out letters", "adjudicator letters --out letters")
@click.argument("game", required=False, shell_complete=complete_games)
@click.option("--out", required=True, type=click.Path(file_okay=False), help="Where to write them.")
@click.option("--seat", shell_complete=complete_seats, help="Only the letters of this seat.")
@click.option("--all", "every", is_flag=True, help="Include letters already sent.")
@click.option(
    "--sent", "marks", is_flag=True, help="Mark them as sent, so that they are not mailed again."
)
def letters_command(
    setting: Setting,
    game: str | None,
    out: str,
    seat: str | None,
    every: bool,
    marks: bool,
    as_json: bool,
) -> None:
    """Write the letters that are waiting to be mailed into a folder, one file each.

    This is how a game is run without a mail server: hand the files out. Each
    names its reader, in the file's name and on its first line. Without GAME
    the answers that belong to no game are written.
    """
    if seat and not game:
        raise click.UsageError("--seat needs a GAME: adjudicator letters ember --seat red")
    office = setting.office
    with office.reading() as books:
        found_game = find_game(books, game) if game else None
        only = find_seat(found_game, seat) if seat and found_game else None
        name = found_game.id if found_game else NO_GAME
        selection = [
            letter
            for letter in books.letters(name)
            if (letter.status == _QUEUED or (every and letter.status != "withdrawn"))
            and only in (None, letter.seat)
        ]
        empty = sum(letter.digest != "" for letter in selection)
        letters = [_refresh(office, books, letter) for letter in selection if not letter.digest]
        files = [_write_letter(office, books, one, Path(out)) for one in letters if one]
        others = (
            [one for one in books.letters(NO_GAME) if one.status == _QUEUED] if found_game else []
        )
    for one in files:
        one.write()
    if files:
        _hand_out(office, files, mark=marks)
    if as_json:
        print_document([one.facts() for one in files])
        return
    for one in files:
        print_data(str(one.path))
    if not files:
        of = f"{name}: no letters" if name else "No letters outside games"
        print_note(f"{of} wait to be sent; --all includes those already sent.")
    if empty:
        print_note(_DROPPED.format(format_count(empty, "letter")))
    if others:
        count = format_count(len(others), "answer belongs", "answers belong")
        print_note(f"{count} to no game: adjudicator letters --out {out}")


class WrittenLetter(Struct, frozen=True):
    """A letter as a file."""

    letter: OutgoingLetter
    path: Path
    content: bytes
    to: str
    """The reader, for the GM who hands it out."""

    def write(self) -> None:
        """Write the file; a letter that is a mail names its recipients itself."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        is_mail = b"\nMIME-Version:" in self.content
        self.path.write_bytes((b"" if is_mail else f"To: {self.to}\n\n".encode()) + self.content)

    def facts(self) -> dict[str, Any]:
        """Describe the letter for programs."""
        facts = {name: getattr(self.letter, name) for name in ("seat", "kind", "number")}
        return {"file": str(self.path), **facts, "to": self.to}


def _hand_out(office: Office, letters: Sequence[WrittenLetter], *, mark: bool) -> None:
    """Make the keys in letters valid, and mark those that waited as sent on request."""
    with office.acting() as books:
        secret = office.secret(books)
        for one in letters:
            issue_key(books, one.letter, secret)
            if mark and one.letter.status == _QUEUED:
                books.rewrite_letter(one.letter)
                books.save(replace(one.letter, status="sent", content=one.content))


def _refresh(office: Office, books: Books, letter: OutgoingLetter) -> OutgoingLetter | None:
    """Bring a letter up to date that was not handed out yet; None if it was overtaken."""
    if letter.content or letter.status != _QUEUED:
        return letter
    fresh = refresh_letter(books, office.library, letter, office.at)
    return fresh.letter if fresh else None


def _write_letter(
    office: Office, books: Books, letter: OutgoingLetter, folder: Path
) -> WrittenLetter:
    to = _name_reader(books, letter)
    whom = re.sub(r"[^\w.@]+", "_", to.partition(" <")[0]).strip("_") or "nobody"
    name = f"{_name_step(books, letter)}-{letter.seat}-{letter.kind}-{letter.number}-{whom}.txt"
    content = letter.content or render_letter(office, books, letter).encode()
    return WrittenLetter(letter, folder / name, content, to)


def _name_reader(books: Books, letter: OutgoingLetter) -> str:
    """Name the letter's reader with all addresses: Ada <ada@example.org>."""
    if letter.to is not None:
        return ", ".join(letter.to) or letter.seat
    seatings = books.seatings(letter.game)
    key = (letter.seat, letter.seating)
    names = [one.player for one in seatings if (one.seat, one.number) == key and one.player]
    player = books.player(names[0]) if names else None
    if player is None:
        return letter.seat
    return f"{player.name} <{', '.join(player.addresses)}>" if player.addresses else player.name


def _name_step(books: Books, letter: OutgoingLetter) -> str:
    """Name the step as folders do; a game that has not begun has letters, but no steps."""
    if letter.game == NO_GAME:
        return "000-server"
    try:
        step = books.step(letter.game, letter.step)
    except Unknown:
        return f"{letter.step:03}-open"
    return f"{step.number:03}-{step.phase}"


def render_letter(office: Office, books: Books, letter: OutgoingLetter) -> str:
    """Render the letter as its reader gets it, with the key that the archive never contains."""
    document = fill_key(books, letter, office.secret(books))
    template = f"{letter.template.partition('/')[0]}.txt"
    width = find_columns(find_preferences(books, letter))
    if letter.game == NO_GAME:
        return office.printer.text(template, document, width=width)
    return office.printed(template, document, books.game(letter.game).kind, width)


# pages on which orders are chosen


def write_order_page(office: Office, name: str, seat: str, file: Path) -> None:
    """Write the page of a seat for the step that is open, with the seat's key in it."""
    with office.reading() as books:
        game = find_game(books, name)
        who = find_seat(game, seat)
    replace_file(file, make_order_page(office, game, who))
    print_data(str(file))
    print_note(f"It holds the key of {who}: give it to that player alone.")


def make_order_page(office: Office, game: Game, seat: Seat) -> bytes:
    """Make the page with everything that it needs; the history records it."""
    from adjudicator.adapters.render.order_page import list_pages, render_order_page

    if game.kind not in list_pages(office.printer):
        raise Refused(f"orders of {game.kind} cannot be chosen on a page yet; send the form")
    office.record_look(game.id, f"the page of orders for {seat}")
    data = _collect_data(office, game.id, seat)
    return render_order_page(office.printer, game.kind, data)


def _collect_data(office: Office, game: str, seat: Seat) -> Document:
    from adjudicator.adapters.render.order_page import collect_page_data

    with office.acting() as books:
        context = Context(books, office.library, game, office.at)
        seating = context.seatings.get(seat)
        if seating is None or seating.kind != PLAYER:
            raise Refused(f"{game}: nobody plays {seat}, so nobody needs a page")
        document = position_document(context, seat)
        key = save_key(
            books,
            office.secret(books),
            game=game,
            seat=seat,
            seating=seating.number,
            step=context.open_step().name,
        )
    form = document["form"]
    whole = {**document, "form": {**form, "envelope": {**form["envelope"], "key": key}}}
    settings = find_readable_settings(office)
    address = settings.house.address if settings else ""
    data = collect_page_data(whole, address, f"[{game}] orders")
    if data is None:
        raise Refused(f"{game}: {seat} owes no orders now, so there is nothing to choose")
    return data
