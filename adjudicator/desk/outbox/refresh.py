"""Bring a letter up to date before it is sent: its form, its deadline and its standing.

A letter may have waited in the outbox while the game went on. What it tells of the past stays; the
form, what is due and how its reader stands are computed again, and a notice that no longer holds is
dropped.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat, decode
from adjudicator.desk.model.context import Context, current_step
from adjudicator.desk.model.errors import Refused, Unknown
from adjudicator.desk.model.people import GM
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import PLAYER
from adjudicator.desk.model.values import OutgoingLetter, Status
from adjudicator.desk.outbox.form import bare_form, gm_form, list_waiting, seat_form
from adjudicator.desk.outbox.introduction import welcome_part
from adjudicator.desk.outbox.past_reports import due_now
from adjudicator.desk.outbox.queue import REPORT, encode_letter, fill_instants, notice_facts

_MOST_NAMED = 3
"""More seats than these are "others" in a subject."""


class ReaderTurn(Struct, frozen=True, kw_only=True):
    """Whose turn it is when a letter goes out, as far as its reader may know."""

    yours: bool = False
    """Orders are due from the reader, and none are on file."""
    deadline: datetime | None = None
    """Of the open step, while it runs and has not passed."""
    zone: str = "UTC"
    next: str = ""
    """The open step as people call it: turn 4, jump; empty when none is open."""
    waiting_for: tuple[Seat, ...] = ()
    """The seats whose turn it is; empty where that is nobody's business, or are too many."""


class Refreshed(Struct, frozen=True):
    """A letter that can be written now, and whose turn it is."""

    letter: OutgoingLetter
    turn: ReaderTurn = ReaderTurn()


def refresh_letter(
    books: Books, library: Library, letter: OutgoingLetter, at: datetime
) -> Refreshed | None:
    """Bring a letter up to date; None if it has been overtaken and is dropped."""
    if not letter.game:
        return Refreshed(letter)
    try:
        context = Context(books, library, letter.game, at)
        return _refresh(context, letter)
    except (Refused, Unknown):  # a game that is damaged, or gone: the letter goes out as it is
        return Refreshed(letter)


def _refresh(context: Context, letter: OutgoingLetter) -> Refreshed | None:
    document: dict[str, Any] = decode(letter.document)
    if document.get("holds") not in (None, notice_facts(context)):
        return None
    seat = letter.seat if letter.to is None and letter.seat in context.game.seats else None
    fresh = dict(document)
    if seat is not None:
        fresh |= _renew_for_seat(context, document, seat, is_held=_is_held(context, letter))
        if _is_overtaken(context, letter, document, seat):
            fresh |= {"due": None, "form": bare_form(context), "overtaken": True}
    elif letter.seat == GM and document.get("form"):
        fresh["form"] = gm_form(context)
    zone = context.zone(_find_reader(context, letter))
    fresh = _renew_lines(context, fresh, zone)
    if fresh.get("notices"):
        facts = notice_facts(context)
        parts = [one for one in fresh["notices"] if one.get("holds") in (None, facts)]
        fresh["notices"] = [_renew_lines(context, one, zone) for one in parts]
    turn = ReaderTurn() if "overtaken" in fresh else _find_turn(context, letter, seat)
    if fresh == document:
        return Refreshed(letter, turn)
    return Refreshed(replace(letter, document=encode_letter(fresh)), turn)


def _renew_lines(context: Context, notice: Document, zone: str) -> dict[str, Any]:
    """Fill in the deadline of now."""
    if not notice.get("raw"):
        return dict(notice)
    step = current_step(context)
    return {**notice, "lines": [fill_instants(step, line, zone) for line in notice["raw"]]}


def _is_held(context: Context, letter: OutgoingLetter) -> bool:
    """Whether the reader still has the seat; otherwise no key is good."""
    seating = context.seatings.get(letter.seat)
    return seating is not None and (seating.kind, seating.number) == (PLAYER, letter.seating)


def _find_reader(context: Context, letter: OutgoingLetter) -> Any:
    return context.player(context.seatings.get(letter.seat)) if letter.seating else None


# what is renewed for a seat


def _renew_for_seat(
    context: Context, document: Document, seat: Seat, *, is_held: bool
) -> dict[str, Any]:
    """Compute again what depends on the open step and on the orders on file."""
    if not is_held:
        facts = _quieten(_LEFT.format(seat)) if "receipt" in document else {}
        if "report" in document and document["due"]:
            facts = {"due": {**document["due"], "waiting": False}, "welcome": None}
        return {**facts, **({"form": None} if document.get("form") else {})}
    renewed: dict[str, Any] = {}
    if "report" in document and _is_due_stale(context, document["due"]):
        renewed["due"] = due_now(context, seat)
        if document.get("welcome"):
            is_open = context.game.open_step is not None
            renewed["welcome"] = welcome_part(context, seat) if is_open else None
    if "receipt" in document and (past := _tell_passed(context, document)):
        renewed |= past
    if document.get("form") and _is_form_stale(context, document["form"], seat):
        renewed["form"] = seat_form(context, seat)
    is_over = context.game.status is Status.OVER
    if is_over and ("receipt" in document or "report" in document):
        renewed["form"] = None  # what ended the game, or was overtaken by its end
    return renewed


def _is_due_stale(context: Context, due: Document | None) -> bool:
    if due is None or context.game.open_step is None:
        return (due is None) is (context.game.open_step is not None)
    step = context.open_step()
    deadline = due["deadline"] and datetime.fromisoformat(due["deadline"])
    return (due["step"], deadline) != (step.name, step.deadline)


def _is_overtaken(context: Context, letter: OutgoingLetter, document: Document, seat: Seat) -> bool:
    """Whether a later report to the same reader says what is due: bots play several steps at once.

    Who has two letters that call for the same orders does not know which to answer.
    """
    if letter.kind != REPORT or not _is_due_stale(context, document["due"]):
        return False
    newest = context.books.last_reports(context.id)[seat].number
    return newest is not None and newest > document["number"]


def _is_form_stale(context: Context, form: Document, seat: Seat) -> bool:
    head = form["envelope"]
    if head.get("step") != current_step(context).name:
        return True
    if form.get("ahead", []) != list_waiting(context, seat):
        return True
    after = max((one.number for one in context.sets if one.seat == seat), default=0)
    return bool(head.get("after") != after)


_UNDONE = (
    "The GM rolled the game back after your letter was read: these orders are NOT on file any "
    "more. Orders for {} are due now; to send them again, use the form below."
)
_CLOSED = "{} has closed since then. The report says what came of it, and what is due now."
_ENDED = "The game is over."
_LEFT = "You no longer play {}."


def _tell_passed(context: Context, receipt: Document) -> Mapping[str, Any]:
    """Say in a receipt what has happened to its step since; nothing while it is open."""
    now = current_step(context)
    if receipt["step"] == now.name and context.game.open_step is not None:
        return {}
    own = next(one for one in context.books.steps(context.id) if one.name == receipt["step"])
    sentence = _ENDED
    past: dict[str, Any] = {}
    label = receipt.get("label") or context.label(own)  # receipts of 0.1 had none
    if context.game.open_step is not None:
        sentence = _UNDONE.format(context.label(now)) if own.void else _CLOSED.format(_begin(label))
    if own.void and context.game.open_step is not None:
        past["headline"] = f"NOT on file any more, rolled back: {label}"
    return {**past, **_drop_question(receipt), **_quieten(sentence)}


def _drop_question(receipt: Document) -> dict[str, Any]:
    """Leave the question out of a receipt that nobody can answer any more, with what led to it."""
    question = receipt.get("asked")
    if not question:
        return {}
    lines = [
        _QUESTION.sub("", one) if one == question["question"] else one for one in receipt["ignored"]
    ]
    return {"asked": None, "ignored": lines}


_QUESTION = re.compile(r" (?:Did you mean|Is that what you want|Reply \*yes\*).*")


def _quieten(sentence: str) -> dict[str, Any]:
    """Make the facts of a receipt whose step is no longer its reader's to play."""
    quiet = {"due": False, "in": True, "ready": True, "why": ""}
    return {"afterwards": sentence, "standing": quiet, "deadline": None, "missing": []}


def _begin(label: str) -> str:
    return f"{label[0].upper()}{label[1:]}"


# whose turn it is


def _find_turn(context: Context, letter: OutgoingLetter, seat: Seat | None) -> ReaderTurn:
    if context.game.open_step is None:
        return ReaderTurn()
    step = context.open_step()
    zone = context.zone(_find_reader(context, letter) if seat else None)
    runs = context.game.status is Status.RUNNING
    deadline = step.deadline if runs and step.deadline and context.at < step.deadline else None
    stand = context.standing(seat) if seat and _is_held(context, letter) else None
    return ReaderTurn(
        yours=stand is not None and not stand.is_in,
        deadline=deadline,
        zone=zone,
        next=context.label(step),
        waiting_for=_name_waiting(context),
    )


def _name_waiting(context: Context) -> tuple[Seat, ...]:
    """Name whose turn it is; who is asked something in mid-turn stays private."""
    seats = tuple(seat for seat, due in context.due.items() if due.clock != "short")
    return seats if len(seats) == len(context.due) <= _MOST_NAMED else ()
