"""Remind players now, and take a reminder back."""

from datetime import datetime

from msgspec.structs import replace

from adjudicator.desk.clock.reminders import write_reminders
from adjudicator.desk.model.context import STARTED, Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.lineage import BACK
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import HistoryNote, OutgoingLetter, Seating, Step
from adjudicator.desk.outbox.queue import REMINDER, is_out, queue_notice
from adjudicator.desk.steps.lock import lock_context


def remind_late(
    books: Books, library: Library, game: str, *, at: datetime
) -> tuple[OutgoingLetter, ...]:
    """Write to everybody who is not in."""
    context = lock_context(books, library, game, at=at, status=STARTED)
    step = context.open_step()
    letters = write_reminders(context, step, context.standings, at=at, by="gm")
    if not letters:
        raise Refused(f"{game}: nobody who plays is missing in {step.name}, so nobody is reminded")
    return letters


def withdraw_reminder(
    books: Books, library: Library, game: str, *, at: datetime
) -> tuple[OutgoingLetter, ...]:
    """Take the GM's last reminder of the open step back; the reminders as they are now.

    Those of the clock come by the settings and are true; none of them is taken back here.
    """
    context = lock_context(books, library, game, at=at, status=STARTED)
    step = context.open_step()
    made = _last(context, step)
    taken = tuple(_withdrawn(context, letter) for letter in made)
    late = [letter for letter in taken if is_out(letter)]
    for letter in late:
        _disregard(context, step, letter, at)
    kept = len(taken) - len(late)
    text = f"the reminder of {step.name} was taken back: {kept} not sent, {len(late)} disregarded"
    data = {BACK: True, "seats": [letter.seat for letter in taken]}
    write_note(books, game, "remind", text, at=at, data=data)
    return taken


def _last(context: Context, step: Step) -> tuple[OutgoingLetter, ...]:
    """The reminders of the GM's last wish that may still be read."""
    game = context.game.id
    note = next((one for one in reversed(context.books.notes(game)) if _is_mine(one)), None)
    if note is None or BACK in note.data:
        raise Refused(f"{game}: no reminder of yours is there to be taken back")
    made = tuple(
        letter
        for letter in context.books.letters(game, step.number)
        if letter.kind == REMINDER and letter.made == note.at and letter.status != "withdrawn"
    )
    if not made:
        raise Refused(
            f"{game}: your last reminder is not of {step.name}, or nobody needs it any more, so "
            "there is nothing to take back"
        )
    return made


def _is_mine(note: HistoryNote) -> bool:
    return note.act == "remind" and note.by == "gm"


def _withdrawn(context: Context, letter: OutgoingLetter) -> OutgoingLetter:
    if letter.status != "queued":
        return letter
    kept = replace(letter, status="withdrawn")
    context.books.save_letter(kept)
    return kept


def _disregard(context: Context, step: Step, letter: OutgoingLetter, at: datetime) -> None:
    """To whoever was reminded, also where somebody else has the seat by now."""
    lines = [
        f"The GM takes back the reminder of {step.name} that went out to you.",
        "Please disregard it. What you have sent stands; the deadline is {deadline}.",
    ]
    seating = _seating(context, letter)
    subject = f"Please disregard the reminder of {step.name}"
    queue_notice(context, step, letter.seat, subject, lines, seating=seating, at=at)


def _seating(context: Context, letter: OutgoingLetter) -> Seating | None:
    known = context.books.seatings(context.game.id)
    mine = (letter.seat, letter.seating)
    return next((one for one in known if (one.seat, one.number) == mine), None)
