"""The clock of a game: extend, pause, resume."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    Act,
    Argument,
    ArgumentKind,
    Call,
    Done,
    make_flag,
)
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.context import RUNNING, Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import Game, HistoryNote, Status, Step
from adjudicator.desk.outbox.queue import queue_notices, withdraw_reminders
from adjudicator.desk.steps.finish import stop_clock
from adjudicator.desk.steps.lock import lock_context

_LONGEST = timedelta(days=90)


# extend


class Until(Struct, frozen=True):
    """Where a deadline is moved: by a length of time, or to an instant of the game's calendar."""

    text: str
    days: int | None = None
    """The day of the week; None: the next time that the clock shows `clock`."""
    clock: tuple[int, int] = (0, 0)
    instant: datetime | None = None

    def moved(self, deadline: datetime, zone: str, at: datetime, *, back: bool) -> datetime:
        """The new deadline."""
        if self.instant is not None:
            return self.instant
        if not self.text.startswith("until "):
            span = deadlines.length(self.text)
            return deadline - span if back else deadline + span
        local = at.astimezone(deadlines.zone_of(zone))
        for number in range(9):
            day = local.date() + timedelta(days=number)
            if self.days is not None and day.weekday() != self.days:
                continue
            found = datetime.combine(day, time(*self.clock), tzinfo=local.tzinfo).astimezone(UTC)
            if found > at:
                return found
        raise AssertionError("a week has every day")


_CLOCK = re.compile(
    r"until (?:(?P<day>[a-z]{3,9}),? )?(?:(?P<date>\d{4}-\d\d-\d\d)[ t])?(?P<h>\d\d?):(?P<m>\d\d)"
)


def parse_until(said: str, zone: str = "UTC") -> Until:
    """What the GM wrote: 24h, 1w, 2h30m, `until Sun 20:00`, `until 2026-12-24 20:00`."""
    text = " ".join(said.split()).lower()
    if not text.startswith("until"):
        word, _, more = text.partition(" ")
        if more:
            raise Refused(f'"{more}" was not expected here; write `extend {word}`')
        deadlines.length(word)
        return Until(word)
    found = _CLOCK.fullmatch(text)
    day = (found["day"] or "")[:3] if found else ""
    if not found or (day and day not in deadlines.DAYS) or not _is_time(found["h"], found["m"]):
        raise Refused(f'"{said}" is not a time; write until Sun 20:00, or until 2026-12-24 20:00')
    clock = (int(found["h"]), int(found["m"]))
    if found["date"] is None:
        return Until(text, deadlines.DAYS.index(day) if day else None, clock)
    try:
        local = datetime.fromisoformat(f"{found['date']} {clock[0]:02}:{clock[1]:02}")
    except ValueError as wrong:
        raise Refused(f"there is no day {found['date']}") from wrong
    return Until(text, instant=local.replace(tzinfo=deadlines.zone_of(zone)).astimezone(UTC))


def _is_time(hour: str, minute: str) -> bool:
    return int(hour) < 24 and int(minute) < 60


def extend_deadline(
    books: Books, library: Library, game: str, length: str, *, at: datetime, back: bool = False
) -> Step:
    """Move the open step's deadline by a length of time or to an instant; `back` moves it back."""
    context = lock_context(books, library, game, at=at)
    step = context.open_step()
    until = parse_until(length, context.settings.zone)
    if step.deadline is None:
        raise Refused(f"{game}: there is no deadline to extend; close the step when you like")
    first = _first(context, step.deadline)
    due = until.moved(step.deadline, context.settings.zone, at, back=back)
    back = back or due < step.deadline
    _check(context, step, due, length, first if back else None)
    return _move(context, step, due, first, length)


def _move(context: Context, step: Step, due: datetime, first: datetime, length: str) -> Step:
    books, _game = context.books, context.game.id
    assert step.deadline is not None
    back = due < step.deadline
    moved = replace(step, deadline=due)
    books.save_step(moved)
    withdraw_reminders(context, moved)
    when = deadlines.deadline_words(due, context.settings.zone)
    data = {
        "length": f"-{length}" if back else length,
        "due": due.isoformat(),
        "first": first.isoformat(),
        "before": step.deadline.isoformat(),
    }
    label = context.label(step)
    context.note("extend", f"{label}: due {when}", data=data)
    said = "took back an extension" if back else "moved the deadline"
    lines = [f"The GM {said} ({length}): {label}. {{deadline}}"]
    queue_notices(context, moved, "Deadline moved", lines)
    return moved


def _first(context: Context, deadline: datetime) -> datetime:
    """What this deadline was before the GM moved it; nothing else has moved it since."""
    given = [note for note in context.books.notes(context.game.id) if note.act == "extend"]
    data = given[-1].data if given else {}
    if "due" in data and datetime.fromisoformat(data["due"]) == deadline:
        return datetime.fromisoformat(data["first"])
    return deadline


def _check(
    context: Context, step: Step, due: datetime, length: str, first: datetime | None
) -> None:
    """Nobody is surprised: it ends in the future, and not before it would have without the GM."""
    game, zone = context.game.id, context.settings.zone
    when = deadlines.deadline_words(due, zone)
    if due == step.deadline:
        raise Refused(f"{game}: {length} does not move the deadline, {when}")
    if due <= context.at:
        way = "give more time" if first is None else "take back less"
        raise Refused(f"{game}: the deadline would be {when}, which is not in the future; {way}")
    if due - context.at > _LONGEST:
        raise Refused(
            f"{game}: the deadline would be {when}, more than {_LONGEST.days} days from now; "
            "give less time"
        )
    if first is not None and due < first:
        raise Refused(
            f"{game}: only an earlier extension can be taken back; the earliest deadline of "
            f"{context.label(step)} is {deadlines.deadline_words(first, zone)}"
        )


def _extend(call: Call, length: Sequence[str], *, back: bool) -> Done:
    words = " ".join(length)
    step = extend_deadline(call.books, call.library, call.game, words, at=call.at, back=back)
    return _moved(call, step)


def _moved(call: Call, step: Step) -> Done:
    due = call.describe_due(step)
    return Done(said=f"Deadline moved: {due}.", would=f"The deadline would move: {due}.")


def _undo_extend(call: Call, note: HistoryNote) -> Done:
    context = lock_context(call.books, call.library, call.game, at=call.at)
    step = context.open_step()
    due = note.data.get("before")
    if step.deadline is None or due is None or note.data["due"] != step.deadline.isoformat():
        raise Refused(f"{call.game}: the deadline has moved since; extend it again")
    before = datetime.fromisoformat(due)
    if before <= call.at:
        raise Refused(f"{call.game}: the earlier deadline has passed; take back less time")
    first, length = datetime.fromisoformat(note.data["first"]), str(note.data["length"])
    return _moved(call, _move(context, step, before, first, length.removeprefix("-")))


ACT_EXTEND = Act(
    name="extend",
    about=(
        "By a length of time (90m, 24h, 2h30m, 3d, 1w), or `until Sun 20:00` in the game's zone; "
        "at most 90 days ahead. All players get a notice."
    ),
    arguments=(
        Argument(
            name="length",
            kind=ArgumentKind(lambda _call, raw: str(raw)),
            help="A length of time, or a time.",
            label="how long",
            many=True,
        ),
        make_flag("back", "Take back an earlier extension."),
    ),
    examples=(
        "extend ember 24h",
        "extend ember until Sun 20:00",
        "extend ember 12h --back",
    ),
    do=_extend,
    undo=_undo_extend,
    blocked_by=(*MOVING_ACTS, "extend", "resume", "replace"),
)


# pause and resume


def pause_game(books: Books, library: Library, game: str, *, at: datetime) -> Game:
    """Stop the clock; orders are still taken, nothing closes."""
    context = lock_context(books, library, game, at=at, status=RUNNING)
    context.note("pause", "the clock stands still")
    line = (
        "The GM paused the game: no deadline is running, and no step closes. Orders are "
        "still accepted."
    )
    return stop_clock(context, line)


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
    context.note("resume", "the clock runs again")
    lines = ["The game continues. {deadline}"]
    queue_notices(context, step, "The game continues", lines)
    return context.game


def _pause(call: Call, _note: HistoryNote | None = None) -> Done:
    pause_game(call.books, call.library, call.game, at=call.at)
    return Done(
        said="The game is paused: the clock stands still.",
        would="The game would be paused: the clock would stand still.",
        next=("resume",),
    )


def _resume(call: Call, _note: HistoryNote | None = None) -> Done:
    game = resume_game(call.books, call.library, call.game, at=call.at)
    due = ""
    if game.open_step is not None:
        due = f": {call.describe_due(call.books.step(game.id, game.open_step))}"
    return Done(said=f"The game is running{due}.", would=f"The game would be running{due}.")


ACT_PAUSE = Act(
    name="pause",
    about="While a game is paused, no step closes and orders are still accepted. Players get a "
    "notice.",
    examples=("pause ember",),
    do=_pause,
    undo=_resume,
    blocked_by=(*MOVING_ACTS, "resume"),
)
ACT_RESUME = Act(
    name="resume",
    about="The deadline moves by the length of the pause. Players get a notice.",
    examples=("resume ember",),
    do=_resume,
    undo=_pause,
    blocked_by=(*MOVING_ACTS, "pause"),
)
