"""Letters out: queued with what caused them, rendered and sent by others."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.deadlines import format_deadline
from adjudicator.desk.model.people import NOBODY, PUBLIC
from adjudicator.desk.model.ports import Books
from adjudicator.desk.model.values import OutgoingLetter, Seating, Step
from adjudicator.desk.outbox.answers import reader_facts, seat_form

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
        held = context.seatings.get(seat)
        seating = held.number if held else 0
    letter = OutgoingLetter(
        game=game,
        step=step.number,
        seat=seat,
        kind=kind,
        number=number,
        document=document if isinstance(document, bytes) else _number_letter(document, number),
        template=template or _TEMPLATES[kind],
        message_id=f"<{game}.{step.name}.{seat}.{kind}.{number}@{context.settings.host}>",
        made=context.at,
        seating=seating,
    )
    context.books.save(letter)
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
        document=_number_letter(document, number),
        template=template,
        message_id=f"<{game or SERVER}.{step}.{reader}.{kind}.{number}@{host}>",
        made=at,
        to=to,
    )
    books.save(letter)
    return letter


def _number_letter(document: Document, number: int) -> bytes:
    """Number the document; a report or receipt that goes out again keeps its own number."""
    whole = document if "number" in document else {**document, "number": number}
    return msgspec.json.encode(whole)  # keys stay in order


def queue_notice(
    context: Context,
    step: Step,
    seat: Seat,
    subject: str,
    lines: Sequence[str],
    *,
    seating: Seating | None,
    opened: Document | None = None,
    form: bool = True,
    kind: str = NOTICE,
) -> OutgoingLetter | None:
    """Tell the person on a seat what was decided; an empty seat gets no letter.

    `{deadline}` in a line becomes a sentence with the deadline by the reader's own clock.
    """
    player = context.player(seating)
    if player is None or seating is None:
        return None
    held = context.seatings.get(seating.seat)
    still_plays = held is not None and held.number == seating.number  # otherwise no key is good
    document = notice_document(
        context,
        step,
        seat,
        subject,
        lines,
        player=player.name,
        zone=context.zone(player),
        opened=opened,
        form=seat_form(context, seat) if form and still_plays else None,
        kind=kind,
    )
    return queue_letter(context, step, seat, kind, document, seating=seating.number)


def notice_document(
    context: Context,
    step: Step,
    reader: Seat | None,
    subject: str,
    lines: Sequence[str],
    *,
    zone: str,
    player: str | None = None,
    opened: Document | None = None,
    form: Document | None = None,
    kind: str = NOTICE,
) -> dict[str, Any]:
    """Make the document notice/1; `reader` is a seat, gm, or None for all observers."""
    return {
        "notice": "notice/1",
        "kind": kind,
        **reader_facts(context, step, reader, player),
        "headline": subject,
        "lines": [fill_instants(step, line, zone) for line in lines],
        "opened": opened,
        "form": form,
    }


def queue_notices(
    context: Context,
    step: Step,
    subject: str,
    lines: Sequence[str],
    *,
    seatings: Mapping[Seat, Seating] | None = None,
    opened: Document | None = None,
    without: Sequence[Seat] = (),
) -> tuple[OutgoingLetter, ...]:
    """Queue the same notice to everybody, observers too: it must be public.

    `seatings` are those who read it, where they are not the present players.
    """
    seatings = context.seatings if seatings is None else seatings
    made = [
        queue_notice(context, step, seat, subject, lines, seating=seatings.get(seat), opened=opened)
        for seat in context.game.seats
        if seat not in without
    ]
    zone = context.zone(None)
    for one in context.observers:
        document = notice_document(
            context, step, None, subject, lines, player=one.name, zone=zone, opened=opened
        )
        made.append(queue_to_address(context, one.address, NOTICE, document, reader=PUBLIC))
    return tuple(letter for letter in made if letter)


def instant_placeholder(at: datetime) -> str:
    """Write an instant into a line of a notice, for each reader to see by their own clock."""
    return f"{{{at.isoformat()}}}"


def fill_instants(step: Step, line: str, zone: str) -> str:
    """Fill in a line for a zone; `{deadline}` is a sentence, other instants are as given."""
    when = f"The deadline is {format_deadline(step.deadline, zone)}." if step.deadline else BY_HAND
    line = line.replace("{deadline}", when)
    return _INSTANT.sub(lambda found: format_deadline(datetime.fromisoformat(found[1]), zone), line)


BY_HAND = "There is no fixed deadline; the GM closes the step by hand."
_INSTANT = re.compile(r"\{(\d{4}-\d\d-\d\dT[0-9:.]+\+\d\d:\d\d)\}")
_OF_A_STEP = (REPORT, RECEIPT, REMINDER)


def is_out(letter: OutgoingLetter) -> bool:
    """Whether somebody may have the letter: it was written out, and perhaps handed over."""
    return letter.status == "sent" or letter.content is not None


def withdraw_letters(context: Context, steps: Sequence[Step]) -> None:
    """Withhold unsent letters about undone steps; press, answers and notices go out."""
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
