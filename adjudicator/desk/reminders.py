"""Reminders: before a deadline to those who are not in, after it to those who are late."""

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.desk.case import STARTED, Case, take
from adjudicator.desk.deadlines import length
from adjudicator.desk.errors import Refused
from adjudicator.desk.inform import Standing
from adjudicator.desk.letters import REMINDER, instant, notice, notices
from adjudicator.desk.log import log
from adjudicator.desk.moment import Before, Moment
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.seating import PLAYER, current
from adjudicator.desk.settling import end_of_grace, standing
from adjudicator.desk.values import Letter, Seating, Step


def remind(books: Books, library: Library, game: str, *, at: datetime) -> tuple[Letter, ...]:
    """Write to everybody who is not in."""
    case = take(books, library, game, at=at, status=STARTED)
    step = case.open_step()
    letters = write(case, step, standing(case, step), at=at, by="gm")
    if not letters:
        raise Refused(f"{game}: nobody who plays is missing in {step.name}, so nobody is reminded")
    return letters


def turn(
    case: Case, step: Step, stand: Sequence[Standing], before: Before | None, now: Moment
) -> tuple[str, ...]:
    """The reminders whose time has come since the round before; the names of the acts."""
    if step.deadline is None or before is None or before.read is None or now.read_until is None:
        return ()
    past, until = before.read, now.read_until
    done: list[str] = []
    if now.at < step.deadline and any(past < mark <= until for mark in marks(case, step)):
        done += ["remind"] if write(case, step, stand, at=now.at, by="clock") else []
    if past < step.deadline <= until:
        done += ["late"] if write_late(case, step, stand, at=now.at) else []
    return tuple(done)


def marks(case: Case, step: Step) -> tuple[datetime, ...]:
    """When those who are not in are reminded: so long before the deadline, in its second half."""
    if step.deadline is None:
        return ()
    half = step.opened + (step.deadline - step.opened) / 2
    spans = [length(text, "remind") for text in case.settings.remind]
    return tuple(sorted({max(step.deadline - span, half) for span in spans}))


def write(
    case: Case, step: Step, stand: Sequence[Standing], *, at: datetime, by: str
) -> tuple[Letter, ...]:
    """A reminder to every player who is not in."""
    made = []
    for seat, seating in _missing(case, stand):
        lines = [
            f"Your orders for {step.name} are not in yet.",
            "They are due: {deadline}." if step.deadline else "The GM waits for them.",
            *_threat(case, seating, stand, seat),
        ]
        letter = notice(
            case,
            step,
            seat,
            f"Your orders for {step.name} are not in",
            lines,
            seating=seating,
            at=at,
            kind=REMINDER,
        )
        made += [letter] if letter else []
    if made:
        text = f"those who are not in were reminded of {step.name}"
        seats = [letter.seat for letter in made]
        log(case.books, case.game.id, "remind", text, at=at, by=by, data={"seats": seats})
    return tuple(made)


def _threat(case: Case, seating: Seating, stand: Sequence[Standing], seat: Seat) -> tuple[str, ...]:
    """What becomes of a seat that stays silent, where this step counts for it."""
    due = next(one.due for one in stand if one.seat == seat)
    if due is None or not due.counts_as_missed or not seating.missed:
        return ()
    steps = "step" if seating.missed == 1 else f"{seating.missed} steps"
    return (
        f"Nothing came from you in the last {steps}.",
        f"After {case.settings.nmr_limit} in a row without orders you lose the seat.",
    )


def write_late(
    case: Case, step: Step, stand: Sequence[Standing], *, at: datetime
) -> tuple[Letter, ...]:
    """Tell the late ones how long their orders still count; all others, if they may know."""
    assert step.deadline is not None
    until = instant(end_of_grace(case, step.deadline))
    late = _missing(case, stand)
    lines = [
        f"The deadline of {step.name} has passed, and your orders are not in.",
        f"They still count if they come before {until}.",
    ]
    subject = f"Your orders for {step.name} are late"
    own = [
        notice(case, step, seat, subject, lines, seating=seating, at=at, kind=REMINDER)
        for seat, seating in late
    ]
    named = _name_them(case, step, [s for s, _ in late if _is_turn(stand, s)], until, at=at)
    letters = (*(letter for letter in own if letter), *named)
    if letters:
        data = {"seats": [seat for seat, _ in late]}
        text = f"the deadline of {step.name} has passed"
        log(case.books, case.game.id, "late", text, at=at, by="clock", data=data)
    return letters


def _name_them(
    case: Case, step: Step, late: Sequence[Seat], until: str, *, at: datetime
) -> tuple[Letter, ...]:
    """Who is late, to those who are not; who is asked in mid-turn is nobody else's business."""
    if not case.settings.late_visible or not late:
        return ()
    lines = [
        f"The deadline of {step.name} has passed. Late: {', '.join(late)}.",
        f"Orders still count if they come before {until}.",
    ]
    subject, seatings = f"{step.name}: some are late", current(case.books, case.game.id)
    return notices(case, step, subject, lines, seatings=seatings, at=at, without=late)


def _is_turn(stand: Sequence[Standing], seat: Seat) -> bool:
    return any(one.seat == seat and one.due and one.due.counts_as_missed for one in stand)


def _missing(case: Case, stand: Sequence[Standing]) -> list[tuple[Seat, Seating]]:
    """The players whose orders the step waits for, in seat order."""
    seatings = current(case.books, case.game.id)
    found = []
    for one in stand:
        seating = seatings.get(one.seat)
        if not one.is_in and seating is not None and seating.kind == PLAYER:
            found.append((one.seat, seating))
    return found


def lapse(case: Case, step: Step, seat: Seat | None = None) -> None:
    """Keep in the reminders of a step that have not gone out: they are true no longer.

    With a seat only its own: its orders came, or somebody else plays it.
    """
    if seat is not None and case.books.newest_letter(case.game.id, seat, REMINDER) is None:
        return  # the usual thing, and a step has many letters
    for letter in case.books.letters(case.game.id, step.number):
        if letter.kind != REMINDER or letter.status != "queued" or seat not in (None, letter.seat):
            continue
        case.books.save_letter(replace(letter, status="withdrawn"))
