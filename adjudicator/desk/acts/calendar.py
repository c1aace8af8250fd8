"""The clock of a game: extend, pause, resume."""

from datetime import datetime, timedelta

from msgspec.structs import replace

from adjudicator.desk.model import deadlines
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.history import write_note
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.seats import current_seatings
from adjudicator.desk.model.values import Game, Status, Step
from adjudicator.desk.outbox.queue import queue_notices, withdraw_reminders
from adjudicator.desk.steps.lock import lock_context


def extend_deadline(
    books: Books, library: Library, game: str, length: str, *, at: datetime, back: bool = False
) -> Step:
    """Move the open step's deadline by a length of time (24h); `back` undoes a slip of the pen."""
    context = lock_context(books, library, game, at=at)
    step = context.open_step()
    if step.deadline is None:
        raise Refused(f"{game}: {step.name} has no deadline to extend; close it when you like")
    span, first = deadlines.length(length), _first(context, step.deadline)
    moved = replace(step, deadline=step.deadline - span if back else step.deadline + span)
    _check(context, moved, length, first if back else None, changed=bool(span), at=at)
    books.save_step(moved)
    withdraw_reminders(context, moved)
    when = deadlines.deadline_words(_new_deadline(moved), context.settings.zone)
    data = {
        "length": f"-{length}" if back else length,
        "due": _new_deadline(moved).isoformat(),
        "first": first.isoformat(),
    }
    write_note(books, game, "extend", f"{step.name} is due {when}", at=at, data=data)
    said = "took back time that was given to" if back else "gave more time to"
    lines = [f"The GM {said} {step.name} ({length}). The deadline is now {{deadline}}."]
    queue_notices(
        context, moved, "Deadline moved", lines, seatings=current_seatings(books, game), at=at
    )
    return moved


def _new_deadline(step: Step) -> datetime:
    assert step.deadline is not None
    return step.deadline


def _first(context: Context, deadline: datetime) -> datetime:
    """What this deadline was before the GM moved it; nothing else has moved it since."""
    given = [note for note in context.books.notes(context.game.id) if note.act == "extend"]
    data = given[-1].data if given else {}
    if "due" in data and datetime.fromisoformat(data["due"]) == deadline:
        return datetime.fromisoformat(data["first"])
    return deadline


def _check(
    context: Context,
    moved: Step,
    length: str,
    first: datetime | None,
    *,
    changed: bool,
    at: datetime,
) -> None:
    """Nobody is surprised: it ends in the future, and not before it would have without the GM."""
    due, game, zone = _new_deadline(moved), context.game.id, context.settings.zone
    if not changed or due <= at:
        which, way = ("more", "give more") if first is None else ("less", "take less back")
        raise Refused(
            f"{game}: {length} {which} would end at {deadlines.deadline_words(due, zone)}, "
            f"which is not in the future; {way}"
        )
    if first is not None and due < first:
        raise Refused(
            f"{game}: only time that was given can be taken back; {moved.name} is due at "
            f"{deadlines.deadline_words(first, zone)} at the earliest"
        )


def resume_game(books: Books, library: Library, game: str, *, at: datetime) -> Game:
    """Go on; the deadline moves by as long as the pause was."""
    context = lock_context(books, library, game, at=at, status=(Status.PAUSED,))
    since = context.game.paused
    step = context.open_step()
    if step.deadline is not None and since is not None:
        stood = max(at - max(since, step.opened), timedelta())  # a clock may have been set back
        step = replace(step, deadline=step.deadline + stood)
        books.save_step(step)
    context = context.now(status=Status.RUNNING, paused=None)
    write_note(books, game, "resume", "the clock goes on", at=at)
    lines = ["The game goes on. The deadline is {deadline}."]
    queue_notices(
        context, step, "The game goes on", lines, seatings=current_seatings(books, game), at=at
    )
    return context.game
