"""Letters out: queued with what caused them, rendered and sent by others."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.desk.answers import form_of
from adjudicator.desk.case import Case
from adjudicator.desk.deadlines import words
from adjudicator.desk.house import NOBODY, PUBLIC
from adjudicator.desk.ports import Books
from adjudicator.desk.seating import PLAYER, current
from adjudicator.desk.values import Letter, Player, Seating, Step

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
HOUSE = ""
"""The game of letters that are about no game."""


def queue(
    case: Case,
    step: Step,
    seat: Seat,
    kind: str,
    document: Document,
    *,
    at: datetime,
    number: int | None = None,
    template: str | None = None,
    seating: int | None = None,
) -> Letter:
    """Put a letter into the outbox; (game, step, seat, kind, number) names it for ever.

    It goes to the person of this seating (None: the present one), whoever holds the seat later.
    """
    if number is None:
        number = case.books.last_letter(case.game.id, seat, kind) + 1
    content = _numbered(document, number)
    return put(
        case,
        step,
        seat,
        kind,
        number,
        content,
        at=at,
        template=template,
        seating=seating,
    )


def put(
    case: Case,
    step: Step,
    seat: Seat,
    kind: str,
    number: int,
    document: bytes,
    *,
    at: datetime,
    template: str | None = None,
    seating: int | None = None,
) -> Letter:
    """Put a document that is written already, and holds its number, into the outbox."""
    game = case.game.id
    if seating is None:
        held = current(case.books, game).get(seat)
        seating = held.number if held else 0
    letter = Letter(
        game=game,
        step=step.number,
        seat=seat,
        kind=kind,
        number=number,
        document=document,
        template=template or _TEMPLATES[kind],
        message_id=f"<{game}.{step.name}.{seat}.{kind}.{number}@{case.settings.host}>",
        made=at,
        seating=seating,
    )
    case.books.save_letter(letter)
    return letter


def to_address(
    case: Case,
    address: str | Sequence[str],
    kind: str,
    document: Document,
    *,
    at: datetime,
    template: str | None = None,
    reader: str = NOBODY,
    step: Step | None = None,
) -> Letter:
    """Put a letter to somebody without a seat into the outbox: `reader` is nobody, public or gm.

    Nothing that not everybody may know goes out like this, except to the GM. It is about a step,
    the open one unless another is named.
    """
    to = (address,) if isinstance(address, str) else tuple(address)
    return addressed(
        case.books,
        Letter(
            game=case.game.id,
            step=step.number if step else case.game.open_step or 0,
            seat=reader,
            kind=kind,
            number=0,
            document=b"",
            template=template or _TEMPLATES[kind],
            message_id="",
            made=at,
            to=to,
        ),
        document,
        case.settings.host,
    )


def addressed(books: Books, letter: Letter, document: Document, host: str) -> Letter:
    """Number a letter that goes to addresses, and put it into the outbox."""
    number = books.last_letter(letter.game, letter.seat, letter.kind) + 1
    game = letter.game or "house"
    made = replace(
        letter,
        number=number,
        document=_numbered(document, number),
        message_id=f"<{game}.{letter.step}.{letter.seat}.{letter.kind}.{number}@{host}>",
    )
    books.save_letter(made)
    return made


def _numbered(document: Document, number: int) -> bytes:
    """The document with its number; a report or receipt that goes out again keeps its own."""
    whole = document if "number" in document else {**document, "number": number}
    return msgspec.json.encode(whole)  # keys stay in order


def zone_for(case: Case, player: Player | None) -> str:
    """The zone in which a reader reads instants."""
    return player.zone if player and player.zone != "UTC" else case.settings.zone


def person(case: Case, seating: Seating | None) -> Player | None:
    """The person who plays a seat, if any."""
    if seating is None or seating.kind != PLAYER or seating.player is None:
        return None
    return case.books.player(seating.player) or Player(name=seating.player)


def notice(
    case: Case,
    step: Step,
    seat: Seat,
    subject: str,
    lines: Sequence[str],
    *,
    seating: Seating | None,
    at: datetime,
    opened: Document | None = None,
    form: bool = True,
    kind: str = NOTICE,
) -> Letter | None:
    """Tell the person on a seat that something was decided; nobody there, no letter.

    `{deadline}` in a line becomes the step's deadline by the reader's own clock; see `instant`.
    """
    player = person(case, seating)
    if player is None:
        return None
    document = noted(
        case,
        step,
        seat,
        subject,
        lines,
        player=player.name,
        zone=zone_for(case, player),
        opened=opened,
        form=form_of(case, seat) if form and _holds(case, seating) else None,
        kind=kind,
    )
    number = seating.number if seating else None
    return queue(case, step, seat, kind, document, at=at, seating=number)


def noted(
    case: Case,
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
    """The document notice/1; `reader` is a seat, gm, or None for all who look on."""
    return {
        "notice": "notice/1",
        "kind": kind,
        "game": case.names,
        "seat": reader,
        "player": player,
        "step": step.name,
        "headline": subject,
        "lines": [told(step, line, zone) for line in lines],
        "opened": opened,
        "form": form,
    }


def _holds(case: Case, seating: Seating | None) -> bool:
    """Whether somebody still plays the seat: of one who has left no key is good."""
    held = current(case.books, case.game.id).get(seating.seat) if seating else None
    return held is not None and seating is not None and held.number == seating.number


def notices(
    case: Case,
    step: Step,
    subject: str,
    lines: Sequence[str],
    *,
    seatings: Mapping[Seat, Seating],
    at: datetime,
    opened: Document | None = None,
    without: Sequence[Seat] = (),
) -> tuple[Letter, ...]:
    """The same notice to everybody, observers too: what it says, everybody may know."""
    made = []
    for seat in case.game.seats:
        if seat in without:
            continue
        letter = notice(
            case, step, seat, subject, lines, seating=seatings.get(seat), at=at, opened=opened
        )
        if letter:
            made.append(letter)
    return (*made, *_observed(case, step, subject, lines, at=at, opened=opened))


def _observed(
    case: Case,
    step: Step,
    subject: str,
    lines: Sequence[str],
    *,
    at: datetime,
    opened: Document | None,
) -> tuple[Letter, ...]:
    """A notice to everybody who looks on without a seat."""
    zone = zone_for(case, None)
    watching = [one for one in case.books.observers(case.game.id) if one.until is None]
    return tuple(
        to_address(
            case,
            one.address,
            NOTICE,
            noted(case, step, None, subject, lines, player=one.name, zone=zone, opened=opened),
            at=at,
            reader=PUBLIC,
        )
        for one in watching
    )


def instant(at: datetime) -> str:
    """An instant in a line of a notice: each reader sees it by their own clock."""
    return f"{{{at.isoformat()}}}"


def told(step: Step, line: str, zone: str) -> str:
    """A line as it is read in a zone: `{deadline}` is the step's, other instants are as given."""
    when = words(step.deadline, zone) if step.deadline else "no fixed deadline"
    line = line.replace("{deadline}", when)
    return _INSTANT.sub(lambda found: words(datetime.fromisoformat(found[1]), zone), line)


_INSTANT = re.compile(r"\{(\d{4}-\d\d-\d\dT[0-9:.]+\+\d\d:\d\d)\}")
_OF_A_STEP = (REPORT, RECEIPT, REMINDER)


def is_out(letter: Letter) -> bool:
    """Whether somebody may have it: it has been written out, and perhaps handed over."""
    return letter.status == "sent" or letter.content is not None


def withdraw(case: Case, steps: Sequence[Step]) -> None:
    """What struck steps came to and has not gone out stays in; press, answers and notices go."""
    for step in steps:
        for letter in case.books.letters(case.game.id, step.number):
            if letter.status == "queued" and letter.kind in _OF_A_STEP:
                case.books.save_letter(replace(letter, status="withdrawn"))
