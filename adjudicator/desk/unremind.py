"""Take a reminder back: what has not gone out stays in, who has it is asked to disregard it."""

from datetime import datetime

from msgspec.structs import replace

from adjudicator.desk.case import STARTED, Case, take
from adjudicator.desk.ended import BACK
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import REMINDER, is_out, notice
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.values import Letter, Note, Seating, Step


def unremind(books: Books, library: Library, game: str, *, at: datetime) -> tuple[Letter, ...]:
    """Take the GM's last reminder of the open step back; the reminders as they are now.

    Those of the clock come by the settings and are true; none of them is taken back here.
    """
    case = take(books, library, game, at=at, status=STARTED)
    step = case.open_step()
    made = _last(case, step)
    taken = tuple(_withdrawn(case, letter) for letter in made)
    late = [letter for letter in taken if is_out(letter)]
    for letter in late:
        _disregard(case, step, letter, at)
    kept = len(taken) - len(late)
    text = f"the reminder of {step.name} was taken back: {kept} not sent, {len(late)} disregarded"
    data = {BACK: True, "seats": [letter.seat for letter in taken]}
    log(books, game, "remind", text, at=at, data=data)
    return taken


def _last(case: Case, step: Step) -> tuple[Letter, ...]:
    """The reminders of the GM's last wish that may still be read."""
    game = case.game.id
    note = next((one for one in reversed(case.books.notes(game)) if _is_mine(one)), None)
    if note is None or BACK in note.data:
        raise Refused(f"{game}: no reminder of yours is there to be taken back")
    made = tuple(
        letter
        for letter in case.books.letters(game, step.number)
        if letter.kind == REMINDER and letter.made == note.at and letter.status != "withdrawn"
    )
    if not made:
        raise Refused(
            f"{game}: your last reminder is not of {step.name}, or nobody needs it any more, so "
            "there is nothing to take back"
        )
    return made


def _is_mine(note: Note) -> bool:
    return note.act == "remind" and note.by == "gm"


def _withdrawn(case: Case, letter: Letter) -> Letter:
    if letter.status != "queued":
        return letter
    kept = replace(letter, status="withdrawn")
    case.books.save_letter(kept)
    return kept


def _disregard(case: Case, step: Step, letter: Letter, at: datetime) -> None:
    """To whoever was reminded, also where somebody else has the seat by now."""
    lines = [
        f"The GM takes back the reminder of {step.name} that went out to you.",
        "Please disregard it. What you have sent stands; the deadline is {deadline}.",
    ]
    seating = _seating(case, letter)
    subject = f"Please disregard the reminder of {step.name}"
    notice(case, step, letter.seat, subject, lines, seating=seating, at=at)


def _seating(case: Case, letter: Letter) -> Seating | None:
    known = case.books.seatings(case.game.id)
    mine = (letter.seat, letter.seating)
    return next((one for one in known if (one.seat, one.number) == mine), None)
