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
from adjudicator.desk.model.mail import Caller, Posting, Sent
from adjudicator.desk.model.people import GM, House
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import OutgoingLetter
from adjudicator.desk.outbox.bounces import record_refusal
from adjudicator.desk.outbox.keys import fill_key, issue_key
from adjudicator.desk.outbox.notices import notify_gm, notify_gm_daily
from adjudicator.desk.outbox.preferences import (
    DEFAULT_WIDTH,
    FORMAT,
    JSON,
    PICTURES,
    TEXT_ONLY,
    find_columns,
)
from adjudicator.desk.outbox.queue import SERVER
from adjudicator.desk.outbox.refresh import ReaderTurn, refresh_letter
from adjudicator.desk.outbox.tokens import sign_message_id

LIFETIME = timedelta(days=3)
"""A letter that a server put off for this long has failed."""
_BACK_OFF = (1, 5, 15, 30, 60, 120, 240)  # minutes after each attempt; the last for all later ones
_AWAY = timedelta(seconds=2)
_AFTER_OTHERS = timedelta(minutes=1)
_SHORT = 200
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

    def written(self, letter: OutgoingLetter, document: Document, heading: Heading) -> bytes: ...


class Dispatch(Struct, frozen=True, kw_only=True):
    """A letter on its way, and what is handed to the postman."""

    letter: OutgoingLetter
    posting: Posting
    is_new: bool
    """Written just now; else it is tried again."""


def claim_letters(
    books: Books,
    writer: Writer,
    *,
    library: Library,
    owner: str,
    until: datetime,
    at: datetime,
    limit: int,
    secret: bytes,
    house: House,
    urgent: bool | None = None,
) -> tuple[Dispatch, ...]:
    """Claim the oldest letters that are due; their bytes are kept from now on.

    Only so many go out in an hour and on a day, and none while the server takes none. `urgent`:
    only those that keep games going, or only the others.
    """
    made: list[Dispatch] = []
    budgets = _list_budgets(books, house, at, urgent=urgent)
    limit = min(limit, *(one.most - one.used.answers for one in budgets))
    paused = books.caller(_PAUSED)
    if paused is not None and paused.until is not None and paused.until > at:
        limit = 0
    found = books.claim_letters(owner, until, limit, at, urgent=urgent) if limit > 0 else ()
    for letter in found:
        books.because(trace_of(letter))
        kept = letter
        if not letter.content:
            kept = _write_letter(books, library, writer, letter, secret, house, at)
        books.save(kept)
        to = tuple(one for one, state in kept.results.items() if state["status"] == DELIVERY_LATER)
        if kept.content and to:
            posting = Posting(sender=house.address, recipients=to, content=kept.content)
            made.append(Dispatch(letter=kept, posting=posting, is_new=not letter.content))
    number = sum(one.is_new for one in made)
    for one in budgets if number else ():
        _use_budget(books, house, one, number, at)
    return tuple(made)


class _Budget(Struct, frozen=True):
    """How many letters may go out in a time, and how many did."""

    used: Caller
    most: int
    warns: int
    """The GM is told when so many have gone out."""
    notice: tuple[str, str]
    """What is told: the subject and the sentence."""


_PAUSED = "letters out pause"
"""The caller under whose name it is kept until when the server takes no letters."""
_MANY_HOURLY, _MANY_DAILY = "Many letters go out this hour", "Many letters go out today"
_HOURLY = (
    "{{}} letters have gone out since {:%H}:00 UTC. At most {} go out in an hour (`hourly_letters` "
    "in the settings); press, and letters to people without a seat, may be half of them. The "
    "others wait for the next hour, and none is lost. You get this notice once a day."
)
_DAILY = (
    "{{}} letters have gone out since 00:00 UTC. At most {} go out on a day (`daily_letters` in "
    "the settings). Receipts and reports go first; press, and letters to people without a seat, "
    "may be half of them, spread over the day. The others wait, and none is lost."
)


def _list_budgets(
    books: Books, house: House, at: datetime, *, urgent: bool | None
) -> list[_Budget]:
    """List the budgets that letters out use up, with what is left of them."""
    hour, day = f"{at:%Y-%m-%dT%H}", f"{at:%Y-%m-%d}"
    most = house.hourly_letters
    notice = _MANY_HOURLY, _HOURLY.format(at, most)
    found = [_Budget(_count(books, "letters out", hour), most, most - most // 10, notice)]
    if urgent is False:
        used = _count(books, "letters out that are not urgent", hour)
        found.append(_Budget(used, most // 2, most // 2, notice))
    most = house.daily_letters
    if most:
        notice = _MANY_DAILY, _DAILY.format(most)
        used = _count(books, "letters out today", day)
        found.append(_Budget(used, most, most - most // 10, notice))
        if urgent is False:
            used = _count(books, "letters out today that are not urgent", day)
            share = most // 2 * (at.hour + 1) // 24
            found.append(_Budget(used, share, most // 2, notice))
    return found


def _count(books: Books, name: str, period: str) -> Caller:
    """Count the letters sent in this hour or on this day."""
    known = books.caller(name)
    return known if known and known.day == period else Caller(address=name, day=period)


def _use_budget(books: Books, house: House, one: _Budget, number: int, at: datetime) -> None:
    """Count letters that go out; tell the GM in time that there is little room left."""
    used = one.used.answers + number
    books.save(replace(one.used, answers=used))
    if one.used.answers < one.warns <= used:
        headline, words = one.notice
        notify_gm_daily(books, house, headline, [words.format(used)], at=at)


def trace_of(letter: OutgoingLetter) -> str:
    """Find the trace id of a letter; what goes wrong with it is recorded there, too."""
    return letter.cause or trace_id(letter.message_id)


def _write_letter(
    books: Books,
    library: Library,
    writer: Writer,
    letter: OutgoingLetter,
    secret: bytes,
    house: House,
    at: datetime,
) -> OutgoingLetter:
    """Write the letter as it holds now; put it off while there is nobody to send it to."""
    to = find_recipients(books, letter, house, at)
    if not to:
        return replace(letter, not_before=at + _NOWHERE)
    refreshed = refresh_letter(books, library, letter, at)
    if refreshed is None:
        return replace(letter, status="withdrawn")
    if refreshed.letter is not letter:
        letter = refreshed.letter
        books.rewrite_letter(letter)
    arrival = books.answered_by(letter.message_id)
    preferred = reader_preferences(books, letter)
    heading = Heading(
        house=house,
        to=to,
        kind=_find_kind(books, letter),
        thread=thread_id(letter, house),
        answers=(arrival.message_id or None) if arrival else None,
        date=at,
        data=letter.template.startswith("report/") and bool(preferred.get(JSON)),
        page=preferred.get(FORMAT) != TEXT_ONLY,
        pictures=bool(preferred.get(PICTURES, True)),
        width=find_columns(preferred),
        turn=refreshed.turn,
    )
    document = fill_key(books, letter, secret)
    signed = replace(letter, message_id=sign_message_id(books, secret, letter))
    try:
        content = _write_content(books, writer, signed, document, heading, at)
    except Exception as wrong:  # a faulty template must not hold up the other letters
        return _put_off(books, letter, wrong, house, at)
    issue_key(books, letter, secret)
    results = {one: {"status": DELIVERY_LATER} for one in to}
    return replace(letter, content=content, results=results)


def _write_content(
    books: Books,
    writer: Writer,
    letter: OutgoingLetter,
    document: Document,
    heading: Heading,
    at: datetime,
) -> bytes:
    """Write the letter; without its pictures if it cannot be written with them."""
    try:
        return writer.written(letter, document, heading)
    except Exception as wrong:  # a picture is not worth a late report
        content = writer.written(letter, document, replace(heading, pictures=False))
        about = f"{letter.kind} {letter.number} to {letter.seat} ({letter.game or 'no game'})"
        lines = [
            f"A letter went out without its pictures: {about}.",
            f"This is a fault in the program: {type(wrong).__name__}: {wrong}"[:300],
        ]
        notify_gm(books, heading.house, "Pictures could not be drawn", lines, at=at)
        return content


def _put_off(
    books: Books, letter: OutgoingLetter, wrong: Exception, house: House, at: datetime
) -> OutgoingLetter:
    """Put off a letter that cannot be written; the GM gets one notice."""
    if letter.attempts == 0 and letter.seat != GM:
        about = f"{letter.kind} {letter.number} to {letter.seat} ({letter.game or 'no game'})"
        lines = [
            f"A letter could not be written: {about}, template {letter.template}.",
            f"This is a fault in the program: {type(wrong).__name__}: {wrong}"[:300],
            "It is tried again every hour.",
        ]
        notify_gm(books, house, "A letter could not be written", lines, at=at)
    status = "failed" if at - letter.made > LIFETIME else letter.status
    return replace(letter, attempts=letter.attempts + 1, not_before=at + _NOWHERE, status=status)


def _find_kind(books: Books, letter: OutgoingLetter) -> str | None:
    try:
        return books.game(letter.game).kind if letter.game else None
    except Unknown:
        return None


def thread_id(letter: OutgoingLetter, house: House) -> str:
    """Make the thread's Message-ID: no letter has it; all a reader's letters refer to it."""
    reader = f"{letter.seat}.{letter.seating}" if letter.seating else letter.seat
    return f"<{letter.game or SERVER}.{reader}@{house.host}>"


def find_recipients(
    books: Books, letter: OutgoingLetter, house: House, at: datetime
) -> tuple[str, ...]:
    """Find where a letter goes now: its seating's addresses, or those it names."""
    if letter.seat == GM and not letter.to:
        found: Sequence[str] = house.gm
    elif letter.to is not None:
        found = letter.to
    else:
        name = _find_player(books, letter)
        found = reachable_addresses(books, name, at) if name else ()
    fit = filter(_ADDRESS.fullmatch, dict.fromkeys(found))
    return tuple(one for one in fit if not house.is_own(one))


def _find_player(books: Books, letter: OutgoingLetter) -> str | None:
    """Find the person that a letter is for, whoever holds the seat now."""
    if not letter.seating:
        return None
    for seating in books.seatings(letter.game):
        if (seating.seat, seating.number) == (letter.seat, letter.seating):
            return seating.player
    return None


def reader_preferences(books: Books, letter: OutgoingLetter) -> Document:
    """Find how the reader of this letter likes letters."""
    name = _find_player(books, letter)
    player = books.player(name) if name else None
    return player.preferences if player else {}


def reachable_addresses(books: Books, player: str, at: datetime) -> tuple[str, ...]:
    """List a player's addresses; marked ones only if there is no other."""
    known = [one for one in books.addresses(player) if one.confirmed]
    good = [one.address for one in known if not one.is_marked(at)]
    return tuple(good or (one.address for one in known))


def record_delivery(
    books: Books, letter: OutgoingLetter, results: Sequence[Sent], *, at: datetime, house: House
) -> OutgoingLetter:
    """Record the mail server's result for each recipient; tell the GM what it never accepts."""
    outcomes = dict(letter.results)
    lost: list[Sent] = []
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
            lost.append(one)
    changed = replace(letter, results=outcomes, **_choose_next(letter, outcomes, results, at))
    books.save(changed)
    books.because(trace_of(letter))
    pause = max((one.wait for one in results if one.for_all), default=0)
    if pause:
        said = next(one.reply for one in results if one.for_all)
        _pause_letters(books, house, said, at + timedelta(seconds=pause), at)
    for one in lost:
        record_refusal(books, letter, one.recipient, one.reply, house=house, at=at)
    return changed


def _is_about_letter(one: Sent) -> bool:
    """Whether a server put off this letter; no server, and one that wants fewer, did not."""
    return one.status == DELIVERY_LATER and not one.for_all and _CODE.match(one.reply) is not None


_TOO_MANY = "The mail server takes no more letters for now"
_PAUSE = (
    "It said: {} No letter goes out before {:%H:%M} UTC, then one at a time as a trial. None is "
    "lost. If that happens often, set `daily_letters` in the settings to what your provider allows "
    "on a day, or `hourly_letters`. You get this notice once a day."
)


def _pause_letters(books: Books, house: House, said: str, until: datetime, at: datetime) -> None:
    """Send nothing before this instant, and tell the GM why."""
    books.save(Caller(address=_PAUSED, day=f"{at:%Y-%m-%d}", until=until))
    line = _PAUSE.format(f"{said.rstrip('.')[:_SHORT]}.", until)
    notify_gm_daily(books, house, _TOO_MANY, [line], at=at)


def _choose_next(
    letter: OutgoingLetter, outcomes: Document, results: Sequence[Sent], at: datetime
) -> dict[str, Any]:
    """Choose to try again while somebody may still get it; else it is sent if anybody got it."""
    states = [one["status"] for one in outcomes.values()]
    if DELIVERY_LATER not in states:
        status = "sent" if DELIVERY_TAKEN in states else "failed"
        return {"status": status, "attempts": letter.attempts + 1, "not_before": None}
    told = timedelta(seconds=max(one.wait for one in results))
    if any(one.for_all for one in results):  # another letter is the next trial
        return {"not_before": at + told + _AFTER_OTHERS}
    if not any(_CODE.match(one.reply) for one in results):  # no server answered at all
        return {"not_before": at + _AWAY}
    wait = timedelta(minutes=_BACK_OFF[min(letter.attempts, len(_BACK_OFF) - 1)])
    return {"attempts": letter.attempts + 1, "not_before": at + max(wait, told)}
