"""Give the open step more time, or take some of it back."""

from datetime import datetime

from msgspec.structs import replace

from adjudicator.desk import deadlines
from adjudicator.desk.case import Case, take
from adjudicator.desk.errors import Refused
from adjudicator.desk.letters import notices
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books, Library
from adjudicator.desk.reminders import lapse
from adjudicator.desk.seating import current
from adjudicator.desk.values import Step


def extend(
    books: Books, library: Library, game: str, length: str, *, at: datetime, back: bool = False
) -> Step:
    """Move the open step's deadline by a length of time (24h); `back` undoes a slip of the pen."""
    case = take(books, library, game, at=at)
    step = case.open_step()
    if step.deadline is None:
        raise Refused(f"{game}: {step.name} has no deadline to extend; close it when you like")
    span, first = deadlines.length(length), _first(case, step.deadline)
    moved = replace(step, deadline=step.deadline - span if back else step.deadline + span)
    _check(case, moved, length, first if back else None, changed=bool(span), at=at)
    books.save_step(moved)
    lapse(case, moved)
    when = deadlines.words(_due(moved), case.settings.zone)
    data = {
        "length": f"-{length}" if back else length,
        "due": _due(moved).isoformat(),
        "first": first.isoformat(),
    }
    log(books, game, "extend", f"{step.name} is due {when}", at=at, data=data)
    said = "took back time that was given to" if back else "gave more time to"
    lines = [f"The GM {said} {step.name} ({length}). The deadline is now {{deadline}}."]
    notices(case, moved, "Deadline moved", lines, seatings=current(books, game), at=at)
    return moved


def _due(step: Step) -> datetime:
    assert step.deadline is not None
    return step.deadline


def _first(case: Case, deadline: datetime) -> datetime:
    """What this deadline was before the GM moved it; nothing else has moved it since."""
    given = [note for note in case.books.notes(case.game.id) if note.act == "extend"]
    data = given[-1].data if given else {}
    if "due" in data and datetime.fromisoformat(data["due"]) == deadline:
        return datetime.fromisoformat(data["first"])
    return deadline


def _check(
    case: Case, moved: Step, length: str, first: datetime | None, *, changed: bool, at: datetime
) -> None:
    """Nobody is surprised: it ends in the future, and not before it would have without the GM."""
    due, game, zone = _due(moved), case.game.id, case.settings.zone
    if not changed or due <= at:
        which, way = ("more", "give more") if first is None else ("less", "take less back")
        raise Refused(
            f"{game}: {length} {which} would end at {deadlines.words(due, zone)}, "
            f"which is not in the future; {way}"
        )
    if first is not None and due < first:
        raise Refused(
            f"{game}: only time that was given can be taken back; {moved.name} is due at "
            f"{deadlines.words(first, zone)} at the earliest"
        )
