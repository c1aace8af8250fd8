"""Outgoing letters: queued with what caused them, rendered and sent by others."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat, decode
from adjudicator.desk.model.context import Context, current_step
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.people import NOBODY, PUBLIC
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OutgoingLetter, Seating, Step
from adjudicator.desk.outbox.form import reader_facts, seat_form

REPORT = "report"
RECEIPT = "receipt"
NOTICE = "notice"
ANSWER = "answer"
REMINDER = "reminder"
PRESS = "press"
REPORTED = "report/1"
"""The template of every letter with a report in it, asked for or not."""
_TEMPLATES = {
    REPORT: REPORTED,
    ANSWER: REPORTED,
    RECEIPT: "receipt/1",
    NOTICE: "notice/1",
    REMINDER: "notice/1",
    PRESS: "press/1",
}
_KIND_OF = attrgetter("kind")
NO_GAME = ""
"""The game of letters that are about no game."""
SERVER = "house"
"""The replacement for a game's name in their Message-IDs."""


def queue_letter(
    context: Context,
    step: Step,
    seat: Seat,
    kind: str,
    document: Document | bytes,
    *,
    number: int | None = None,
    template: str | None = None,
    seating: int | None = None,
) -> OutgoingLetter:
    """Put a letter into the outbox; (game, step, seat, kind, number) names it for ever.

    It goes to the person of this seating (None: the present one), whoever holds the seat later.
    A document that is bytes already holds its number.
    """
    game = context.id
    if number is None:
        number = context.books.last_letter(game, seat, kind) + 1
    if seating is None:
        now = context.seatings.get(seat)
        seating = now.number if now else 0
    letter = OutgoingLetter(
        game=game,
        step=step.number,
        seat=seat,
        kind=kind,
        number=number,
        document=document if isinstance(document, bytes) else number_letter(document, number),
        template=template or _TEMPLATES[kind],
        message_id=f"<{game}.{step.name}.{seat}.{kind}.{number}@{context.settings.host}>",
        made=context.at,
        seating=seating,
    )
    if kind in _WHOLE and NOTICE in map(_KIND_OF, context.books.new_letters.values()):
        letter = _take_notices_in(context.books, letter)
    context.books.save(letter)
    return letter


# one letter to each reader of what one transaction causes


def _take_notices_in(books: Books, letter: OutgoingLetter) -> OutgoingLetter:
    """Make the notices parts of a letter that were queued for its reader before."""
    reader = (letter.game, letter.seat, letter.seating, letter.to)
    for one in (*books.new_letters.values(),):
        if one.kind == NOTICE and _is_waiting_for(one, reader):
            books.drop_letter(one)
            letter = _add_notice(letter, decode(one.document))
    return letter


_Reader = tuple[str, str, int, tuple[str, ...] | None]
"""Game, seat, seating and addresses of who gets a letter."""


def _is_waiting_for(letter: OutgoingLetter, reader: _Reader) -> bool:
    """Whether a letter to this reader was not written yet."""
    is_unwritten = letter.status == "queued" and letter.content is None
    return is_unwritten and (letter.game, letter.seat, letter.seating, letter.to) == reader


def _add_notice(letter: OutgoingLetter, notice: Document) -> OutgoingLetter:
    """Add a notice to a letter's document; where it leads, it is what the subject says.

    A report that is sent again is sent for what the notice says.
    """
    document = decode(letter.document)
    part = {key: notice[key] for key in _OF_A_NOTICE if notice.get(key)}
    whole = {
        **document,
        "notices": [*document.get("notices", ()), part, *notice.get("notices", ())],
    }
    leads = notice.get("leads") or (letter.kind, letter.template) == (ANSWER, REPORTED)
    if leads and not document.get("subject"):
        whole["subject"] = notice["headline"]
    return replace(letter, document=encode_letter(whole))


_WHOLE = (REPORT, ANSWER)
"""The kinds of letters that have in them what else the same transaction tells their reader."""
_OF_A_NOTICE = ("headline", "lines", "raw", "holds", "opened")
"""What stays of a notice in another letter."""


def _queue_in_whole(books: Books, reader: _Reader, document: Document) -> OutgoingLetter | None:
    """Make a notice a part of an earlier letter of this transaction, if there is one."""
    letters = [
        one
        for one in books.new_letters.values()
        if one.kind in (*_WHOLE, RECEIPT, NOTICE) and _is_waiting_for(one, reader)
    ]
    reports = [one for one in letters if one.template == REPORTED]
    if not letters:
        return None
    letter = _add_notice((reports or letters)[-1], document)
    books.rewrite_letter(letter)
    return letter


def queue_to_address(
    context: Context,
    address: str | Sequence[str],
    kind: str,
    document: Document,
    *,
    template: str | None = None,
    reader: str = NOBODY,
    step: Step | None = None,
) -> OutgoingLetter:
    """Queue a letter to somebody without a seat: `reader` is nobody, public or gm.

    It holds public information only, except to the GM. It is about the open step unless another is
    named.
    """
    return queue_addressed(
        context.books,
        (address,) if isinstance(address, str) else tuple(address),
        kind,
        document,
        host=context.settings.host,
        at=context.at,
        template=template or _TEMPLATES[kind],
        reader=reader,
        game=context.id,
        step=step.number if step else context.game.open_step or 0,
    )


def queue_addressed(
    books: Books,
    to: tuple[str, ...],
    kind: str,
    document: Document,
    *,
    host: str,
    at: datetime,
    template: str,
    reader: str,
    game: str = NO_GAME,
    step: int = 0,
) -> OutgoingLetter:
    """Queue a letter that goes to these addresses; for the GM, there are none."""
    number = books.last_letter(game, reader, kind) + 1
    letter = OutgoingLetter(
        game=game,
        step=step,
        seat=reader,
        kind=kind,
        number=number,
        document=number_letter(document, number),
        template=template,
        message_id=f"<{game or SERVER}.{step}.{reader}.{kind}.{number}@{host}>",
        made=at,
        to=to,
    )
    if kind in _WHOLE and NOTICE in map(_KIND_OF, books.new_letters.values()):
        letter = _take_notices_in(books, letter)
    books.save(letter)
    return letter


def number_letter(document: Document, number: int) -> bytes:
    """Number the document; a report or receipt that goes out again keeps its own number."""
    return encode_letter(document if "number" in document else {**document, "number": number})


def encode_letter(document: Document) -> bytes:
    """Encode a letter's document; its keys stay in order."""
    return msgspec.json.encode(document)


def queue_notice(
    context: Context,
    step: Step,
    seat: Seat,
    subject: str,
    lines: Sequence[str],
    *,
    seating: Seating | None,
    opening: Document | None = None,
    form: bool = True,
    kind: str = NOTICE,
    passing: bool = False,
    leads: bool = False,
) -> OutgoingLetter | None:
    """Tell the person on a seat what was decided; an empty seat gets no letter.

    It is a part of the report or answer that the same transaction sends to the same reader, if
    there is one; `leads`: and is its subject.

    `{deadline}` in a line becomes a sentence with the deadline by the reader's own clock. A
    `passing` notice is dropped if the open step, its deadline or the clock changes before it is
    sent.
    """
    player = context.player(seating)
    if player is None or seating is None:
        return None
    now = context.seatings.get(seating.seat)
    still_plays = now is not None and now.number == seating.number  # otherwise no key is good
    document = notice_document(
        context,
        step,
        seat,
        subject,
        lines,
        player=player.name,
        zone=context.zone(player),
        opening=opening,
        form=seat_form(context, seat) if form and still_plays else None,
        kind=kind,
        passing=passing,
    )
    if leads:
        document["leads"] = True
    whole = None
    if kind == NOTICE:
        reader = (context.id, seat, seating.number, None)
        whole = _queue_in_whole(context.books, reader, document)
    return whole or queue_letter(context, step, seat, kind, document, seating=seating.number)


def notice_document(
    context: Context,
    step: Step,
    reader: Seat | None,
    subject: str,
    lines: Sequence[str],
    *,
    zone: str,
    player: str | None = None,
    opening: Document | None = None,
    form: Document | None = None,
    kind: str = NOTICE,
    passing: bool = False,
) -> dict[str, Any]:
    """Make the document notice/1; `reader` is a seat, gm, or None for all observers."""
    return {
        "notice": "notice/1",
        "kind": kind,
        **reader_facts(context, step, reader, player),
        "headline": subject,
        "lines": [fill_instants(step, line, zone) for line in lines],
        **({"raw": list(lines)} if "{deadline}" in "".join(lines) else {}),
        **({"holds": notice_facts(context)} if passing else {}),
        "opened": opening,
        "form": form,
    }


def notice_facts(context: Context) -> dict[str, Any]:
    """Make the facts while which a passing notice holds."""
    step = current_step(context)
    due = step.deadline.astimezone(UTC).isoformat() if step.deadline else None
    return {"step": step.name, "deadline": due, "status": str(context.game.status)}


def queue_notices(
    context: Context,
    step: Step,
    subject: str,
    lines: Sequence[str],
    *,
    seatings: Mapping[Seat, Seating] | None = None,
    opening: Document | None = None,
    without: Sequence[Seat] = (),
    passing: bool = False,
) -> tuple[OutgoingLetter, ...]:
    """Queue the same notice to everybody, observers too: it must be public.

    `seatings` are those who read it, where they are not the present players.
    """
    seatings = context.seatings if seatings is None else seatings
    letters = [
        queue_notice(
            context,
            step,
            seat,
            subject,
            lines,
            seating=seatings.get(seat),
            opening=opening,
            passing=passing,
        )
        for seat in context.game.seats
        if seat not in without
    ]
    zone = context.zone(None)
    for one in context.observers:
        document = notice_document(
            context,
            step,
            None,
            subject,
            lines,
            player=one.name,
            zone=zone,
            opening=opening,
            passing=passing,
        )
        letters.append(tell_address(context, (one.address,), document, PUBLIC))
    return tuple(letter for letter in letters if letter)


def tell_address(
    context: Context, to: tuple[str, ...], document: Document, reader: str
) -> OutgoingLetter:
    """Queue a notice to an observer or the GM, in a letter of this transaction if there is one."""
    whole = _queue_in_whole(context.books, (context.id, reader, 0, to), document)
    return whole or queue_to_address(context, to, NOTICE, document, reader=reader)


def instant_placeholder(at: datetime) -> str:
    """Write an instant into a line of a notice, for each reader to see by their own clock."""
    return f"{{{at.isoformat()}}}"


def fill_instants(step: Step, line: str, zone: str) -> str:
    """Fill in a line for a zone; `{deadline}` is a sentence, other instants are as given."""
    when = f"The deadline is {format_deadline(step.deadline, zone)}." if step.deadline else BY_HAND
    line = line.replace("{deadline}", when)
    return _INSTANT.sub(lambda match: format_deadline(datetime.fromisoformat(match[1]), zone), line)


BY_HAND = "There is no fixed deadline; the GM closes the step by hand."
_INSTANT = re.compile(r"\{(\d{4}-\d\d-\d\dT[0-9:.]+\+\d\d:\d\d)\}")
_OF_A_STEP = (REPORT, REMINDER)


def is_out(letter: OutgoingLetter) -> bool:
    """Whether somebody may have the letter: it was written out, and perhaps handed over."""
    return letter.status == "sent" or letter.content is not None or letter.digest != ""


def withdraw_letters(context: Context, steps: Sequence[Step]) -> None:
    """Withhold unsent letters about undone steps; what answers a letter, and notices, go out."""
    for step in steps:
        for letter in context.books.letters(context.id, step.number):
            if letter.status == "queued" and letter.kind in _OF_A_STEP:
                context.books.save(replace(letter, status="withdrawn"))


def withdraw_reminders(context: Context, step: Step, seat: Seat | None = None) -> None:
    """Withhold a step's unsent reminders, which are no longer true.

    With a seat only its own: its orders arrived, or somebody else plays it.
    """
    seats = context.game.seats if seat is None else (seat,)
    context.books.withdraw_letters(context.id, step.number, seats, REMINDER)
