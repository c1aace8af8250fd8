"""Outgoing letters: claimed, rendered once, handed to the postman, who says what became of them."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document
from adjudicator.desk.model.errors import Unknown
from adjudicator.desk.model.history import trace_id
from adjudicator.desk.model.mail import Posting, Sent
from adjudicator.desk.model.people import GM, House
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.bounces import record_refusal
from adjudicator.desk.outbox.budgets import find_pause, list_budgets, pause_letters, use_budget
from adjudicator.desk.outbox.keys import fill_key, issue_key
from adjudicator.desk.outbox.notices import notify_gm
from adjudicator.desk.outbox.queue import SERVER
from adjudicator.desk.outbox.reader_preferences import (
    DEFAULT_WIDTH,
    FORMAT,
    JSON,
    PICTURES,
    TEXT_ONLY,
    find_columns,
)
from adjudicator.desk.outbox.refresh import ReaderTurn, refresh_letter
from adjudicator.desk.outbox.tokens import make_return_path, sign_message_id

LIFETIME = timedelta(days=3)
"""A letter that a server put off for this long has failed."""
_BACK_OFF = (1, 5, 15, 30, 60, 120, 240)  # minutes after each attempt; the last for all later ones
_AWAY = timedelta(seconds=2)
_AFTER_OTHERS = timedelta(minutes=1)
_NOWHERE = timedelta(hours=1)
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\\x00-\x20\x7f-\U0010ffff]+@[A-Za-z0-9.-]+")
_CODE = re.compile(r"\s*[245]\d\d(?:[ -]|$)")
DELIVERY_TAKEN, DELIVERY_LATER, DELIVERY_NEVER = "taken", "later", "never"


class Heading(Struct, frozen=True, kw_only=True):
    """What stands on a letter, apart from its document."""

    house: House
    to: tuple[str, ...]
    kind: str | None
    """The kind of game, whose templates are asked first; None for letters about no game."""
    thread: str
    """The Message-ID under which a reader's letters of a game hang together."""
    answers: str | None
    """The Message-ID of the letter that it answers."""
    date: datetime
    data: bool = False
    """Whether the reader also wants reports as data."""
    page: bool = True
    """Whether the reader also wants letters as HTML."""
    pictures: bool = True
    """Whether the reader wants pictures in them."""
    width: int = DEFAULT_WIDTH
    """How many columns the text has."""
    turn: ReaderTurn = ReaderTurn()
    """Whose turn it is when the letter goes out."""


class Writer(Protocol):
    """Makes a letter's bytes from its document, keys and all."""

    def write_letter(
        self, letter: OutgoingLetter, document: Document, heading: Heading
    ) -> bytes: ...


class Dispatch(Struct, frozen=True, kw_only=True):
    """A letter on its way, and what is handed to the postman."""

    letter: OutgoingLetter
    posting: Posting


class Writing(Struct, frozen=True, kw_only=True):
    """A letter as the books have it, and what a writer needs to write it."""

    letter: OutgoingLetter
    message_id: str
    """The one under which it goes out."""
    document: Document
    """With the key, if there is one."""
    heading: Heading


class Written(Struct, frozen=True, kw_only=True):
    """What came of writing a letter."""

    writing: Writing
    content: bytes | None
    fault: str = ""
    """What kept the letter from being written, or its pictures from being drawn."""


class Claimed(Struct, frozen=True, kw_only=True):
    """Letters that nobody else sends meanwhile."""

    ready: tuple[Dispatch, ...]
    """Those that were written before, and are tried again."""
    writings: tuple[Writing, ...]


def claim_letters(
    books: Books,
    *,
    library: Library,
    owner: str,
    until: datetime,
    at: datetime,
    limit: int,
    secret: bytes,
    house: House,
    urgent: bool | None = None,
) -> Claimed:
    """Claim the oldest letters that are due.

    Only so many go out in an hour and on a day, and none while the server takes none. `urgent`:
    only those that keep games going, or only the others.
    """
    ready: list[Dispatch] = []
    writings: list[Writing] = []
    if not books.are_letters_due(at, urgent=urgent):
        return Claimed(ready=(), writings=())
    budgets = list_budgets(books, house, at, urgent=urgent)
    limit = min(limit, *(one.most - one.used.answers for one in budgets))
    if find_pause(books, at):
        limit = 0
    letters = books.claim_letters(owner, until, limit, at, urgent=urgent) if limit > 0 else ()
    for letter in letters:
        books.because(find_trace_id(letter))
        if letter.content:
            ready += _dispatch(books, letter, secret, house)
        else:
            writings += _prepare_letter(books, library, letter, secret, house, at)
    number = sum(len(one.heading.to) for one in writings)  # as providers count
    for one in budgets if number else ():
        use_budget(books, house, one, number, at)
    return Claimed(ready=tuple(ready), writings=tuple(writings))


def _dispatch(books: Books, letter: OutgoingLetter, secret: bytes, house: House) -> list[Dispatch]:
    """Hand a letter over for those who have not got it; none if all have."""
    to = tuple(one for one, state in letter.results.items() if state["status"] == DELIVERY_LATER)
    if not to or not letter.content:
        return []
    name = sign_message_id(books, secret, letter) if house.bounces else letter.message_id
    back = make_return_path(house, name)
    posting = Posting(sender=back, recipients=to, content=letter.content)
    return [Dispatch(letter=letter, posting=posting)]


def find_trace_id(letter: OutgoingLetter) -> str:
    """Find the trace id of a letter; what goes wrong with it is recorded there, too."""
    return letter.cause or trace_id(letter.message_id)


def _prepare_letter(
    books: Books,
    library: Library,
    letter: OutgoingLetter,
    secret: bytes,
    house: House,
    at: datetime,
) -> list[Writing]:
    """Bring the letter up to date; put it off while there is nobody to send it to."""
    to = find_recipients(books, letter, house, at)
    if not to:
        books.save(replace(letter, not_before=at + _NOWHERE))
        return []
    refreshed = refresh_letter(books, library, letter, at)
    if refreshed is None:
        books.save(replace(letter, status="withdrawn"))
        return []
    if refreshed.letter is not letter:
        letter = refreshed.letter
        books.rewrite_letter(letter)
    arrival = books.answered_by(letter.message_id)
    preferred = find_preferences(books, letter)
    heading = Heading(
        house=house,
        to=to,
        kind=_find_kind(books, letter),
        thread=make_thread_id(letter, house),
        answers=(arrival.message_id or None) if arrival else None,
        date=at,
        data=letter.template.startswith("report/") and bool(preferred.get(JSON)),
        page=preferred.get(FORMAT) != TEXT_ONLY,
        pictures=bool(preferred.get(PICTURES, True)),
        width=find_columns(preferred),
        turn=refreshed.turn,
    )
    return [
        Writing(
            letter=letter,
            message_id=sign_message_id(books, secret, letter),
            document=fill_key(books, letter, secret),
            heading=heading,
        )
    ]


def write_letter(writer: Writer, writing: Writing) -> Written:
    """Write a letter, outside of any transaction; without pictures if they cannot be drawn."""
    letter = replace(writing.letter, message_id=writing.message_id)
    fault = ""
    for heading in (writing.heading, replace(writing.heading, pictures=False)):
        try:
            content = writer.write_letter(letter, writing.document, heading)
        except Exception as wrong:  # a faulty template must not hold up the other letters
            fault = fault or f"{type(wrong).__name__}: {wrong}"[:300]
        else:
            return Written(writing=writing, content=content, fault=fault)
    return Written(writing=writing, content=None, fault=fault)


def keep_letters(
    books: Books, drafts: Sequence[Written], *, secret: bytes, house: House, at: datetime
) -> tuple[Dispatch, ...]:
    """Keep the bytes of letters, which are the same from now on; what to hand to the postman.

    A letter that was withdrawn or changed while it was written is not sent so.
    """
    dispatches: list[Dispatch] = []
    for one in drafts:
        letter = one.writing.letter
        now = books.letter(*letter.name)
        if now is None or now.status != letter.status or now.content:
            continue
        books.because(find_trace_id(letter))
        if now.document != letter.document:
            books.save(replace(now, not_before=None))
            continue
        if one.fault:
            _tell_fault(books, one, house, at)
        if one.content is None:
            books.save(_put_off(letter, at))
            continue
        issue_key(books, letter, secret)
        results = {to: {"status": DELIVERY_LATER} for to in one.writing.heading.to}
        new_letter = replace(letter, content=one.content, results=results)
        books.save(new_letter)
        dispatches += _dispatch(books, new_letter, secret, house)
    return tuple(dispatches)


def _tell_fault(books: Books, result: Written, house: House, at: datetime) -> None:
    """Tell the GM once that a letter, or its pictures, could not be made."""
    letter = result.writing.letter
    about = f"{letter.kind} {letter.number} to {letter.seat} ({letter.game or 'no game'})"
    reason = f"This is a fault in the program: {result.fault}"
    if result.content is not None:
        lines = [f"A letter went out without its pictures: {about}.", reason]
        notify_gm(books, house, "Pictures could not be drawn", lines, at=at)
    elif letter.attempts == 0 and letter.seat != GM:
        lines = [f"A letter could not be written: {about}, template {letter.template}.", reason]
        lines.append("It is tried again every hour.")
        notify_gm(books, house, "A letter could not be written", lines, at=at)


def _put_off(letter: OutgoingLetter, at: datetime) -> OutgoingLetter:
    """Put off a letter that cannot be written."""
    status = "failed" if at - letter.made > LIFETIME else letter.status
    return replace(letter, attempts=letter.attempts + 1, not_before=at + _NOWHERE, status=status)


def _find_kind(books: Books, letter: OutgoingLetter) -> str | None:
    try:
        return books.game(letter.game).kind if letter.game else None
    except Unknown:
        return None


def make_thread_id(letter: OutgoingLetter, house: House) -> str:
    """Make the thread's Message-ID: no letter has it; all a reader's letters refer to it."""
    reader = f"{letter.seat}.{letter.seating}" if letter.seating else letter.seat
    return f"<{letter.game or SERVER}.{reader}@{house.host}>"


def find_recipients(
    books: Books, letter: OutgoingLetter, house: House, at: datetime
) -> tuple[str, ...]:
    """Find where a letter goes now: its seating's addresses, or those it names."""
    if letter.seat == GM and not letter.to:
        addresses: Sequence[str] = house.gm
    elif letter.to is not None:
        addresses = letter.to
    else:
        name = _find_player(books, letter)
        addresses = list_reachable_addresses(books, name, at) if name else ()
    fit = filter(_ADDRESS.fullmatch, dict.fromkeys(addresses))
    return tuple(one for one in fit if not house.is_own(one))


def _find_player(books: Books, letter: OutgoingLetter) -> str | None:
    """Find the person that a letter is for, whoever holds the seat now."""
    if not letter.seating:
        return None
    for seating in books.seatings(letter.game):
        if (seating.seat, seating.number) == (letter.seat, letter.seating):
            return seating.player
    return None


def find_preferences(books: Books, letter: OutgoingLetter) -> Document:
    """Find how the reader of this letter likes letters."""
    name = _find_player(books, letter)
    player = books.player(name) if name else None
    return player.preferences if player else {}


def list_reachable_addresses(books: Books, player: str, at: datetime) -> tuple[str, ...]:
    """List a player's addresses; marked ones only if there is no other."""
    addresses = [one for one in books.addresses(player) if one.confirmed]
    good = [one.address for one in addresses if not one.is_marked(at)]
    return tuple(good or (one.address for one in addresses))


def record_delivery(
    books: Books, letter: OutgoingLetter, results: Sequence[Sent], *, at: datetime, house: House
) -> OutgoingLetter:
    """Record the mail server's result for each recipient; tell the GM what it never accepts."""
    outcomes = dict(letter.results)
    failures: list[Sent] = []
    for one in results:
        since = outcomes.get(one.recipient, {}).get("since")
        if since is None and _is_about_letter(one):
            since = at.isoformat()
        late = since is not None and at - datetime.fromisoformat(since) > LIFETIME
        status = DELIVERY_NEVER if late and _is_about_letter(one) else one.status
        outcomes[one.recipient] = {
            "status": status,
            "reply": one.reply[:300],
            "at": at.isoformat(),
            **({"since": since} if since and status == DELIVERY_LATER else {}),
        }
        if status == DELIVERY_NEVER:
            failures.append(one)
    new_letter = replace(letter, results=outcomes, **_choose_next(letter, outcomes, results, at))
    books.record_results(new_letter)
    books.because(find_trace_id(letter))
    pause = max((one.wait for one in results if one.for_all), default=0)
    if pause:
        reply = next(one.reply for one in results if one.for_all)
        pause_letters(books, house, reply, at + timedelta(seconds=pause), at)
    for one in failures:
        record_refusal(books, letter, one.recipient, one.reply, house=house, at=at)
    return new_letter


def _is_about_letter(one: Sent) -> bool:
    """Whether a server put off this letter; no server, and one that wants fewer, did not."""
    return one.status == DELIVERY_LATER and not one.for_all and _CODE.match(one.reply) is not None


def _choose_next(
    letter: OutgoingLetter, outcomes: Document, results: Sequence[Sent], at: datetime
) -> dict[str, Any]:
    """Choose to try again while somebody may still get it; else it is sent if anybody got it."""
    states = [one["status"] for one in outcomes.values()]
    if DELIVERY_LATER not in states:
        status = "sent" if DELIVERY_TAKEN in states else "failed"
        return {"status": status, "attempts": letter.attempts + 1, "not_before": None}
    pause = timedelta(seconds=max(one.wait for one in results))
    if any(one.for_all for one in results):  # another letter is the next trial
        return {"not_before": at + pause + _AFTER_OTHERS}
    if not any(_CODE.match(one.reply) for one in results):  # no server answered at all
        return {"not_before": at + _AWAY}
    wait = timedelta(minutes=_BACK_OFF[min(letter.attempts, len(_BACK_OFF) - 1)])
    return {"attempts": letter.attempts + 1, "not_before": at + max(wait, pause)}
