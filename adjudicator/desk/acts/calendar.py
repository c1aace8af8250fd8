"""The clock of a game: extend, pause, resume."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from adjudicator.desk.acts.act import (
    MOVING_ACTS,
    TEXT,
    Act,
    Argument,
    Done,
    make_flag,
    word_done,
    word_due,
)
from adjudicator.desk.model import deadlines
from adjudicator.desk.model.context import RUNNING, Context
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.values import HistoryNote, Status, Step
from adjudicator.desk.outbox.queue import queue_notices
from adjudicator.desk.steps.advance import move_deadline
from adjudicator.desk.steps.finish import stop_clock
from adjudicator.desk.steps.lock import check_status

_LONGEST = timedelta(days=90)


# extend


_CLOCK = re.compile(
    r"until (?:(?P<day>[a-z]{3,9}),? )?(?:(?P<date>\d{4}-\d\d-\d\d)[ t])?(?P<h>\d\d?):(?P<m>\d\d)"
)


def parse_deadline(
    phrase: str, deadline: datetime, zone: str, *, at: datetime, back: bool = False
) -> datetime:
    """Parse a deadline: 24h, 1w, 2h30m, `until Sun 20:00`, `until 2026-12-24 20:00`."""
    text = " ".join(phrase.split()).lower()
    if not text.startswith("until"):
        word, _, more = text.partition(" ")
        if more:
            raise Refused(f'"{more}" was not expected here; write `extend {word}`')
        span = deadlines.parse_length(word)
        return deadline - span if back else deadline + span
    match = _CLOCK.fullmatch(text)
    day = (match["day"] or "")[:3] if match else ""
    hour, minute = (int(match["h"]), int(match["m"])) if match else (24, 0)
    if not match or (day and day not in deadlines.DAYS) or hour > 23 or minute > 59:
        raise Refused(f'"{phrase}" is not a time; write until Sun 20:00, or until 2026-12-24 20:00')
    if match["date"] is None:
        days = (deadlines.DAYS.index(day),) if day else tuple(range(7))
        pace = deadlines.Pace(days=days, hour=hour, minute=minute, zone=zone)
        due = deadlines.next_deadline(pace, at)
        assert due is not None, "a week has every day"
        return due
    try:
        local = datetime.fromisoformat(f"{match['date']} {hour:02}:{minute:02}")
        return local.replace(tzinfo=deadlines.find_zone(zone)).astimezone(UTC)
    except (ValueError, OverflowError) as wrong:
        raise Refused(f"there is no day {match['date']}") from wrong


def extend_deadline(context: Context, length: str, *, back: bool = False) -> Step:
    """Move the open step's deadline by a length of time or to an instant; `back` moves it back."""
    check_status(context)
    step, zone = context.open_step(), context.settings.zone
    due = parse_deadline(length, step.deadline or context.at, zone, at=context.at, back=back)
    if step.deadline is None:
        raise Refused(f"{context.id}: there is no deadline to extend; close the step when you like")
    first = _find_first(context, step.deadline)
    _check(context, step, due, length, first if back or due < step.deadline else None)
    return _move(context, step, due, first, length)


def _move(context: Context, step: Step, due: datetime, first: datetime, length: str) -> Step:
    assert step.deadline is not None
    back = due < step.deadline
    new_step = move_deadline(context, step, due)
    data = {
        "length": f"-{length}" if back else length,
        "due": due.isoformat(),
        "first": first.isoformat(),
        "before": step.deadline.isoformat(),
    }
    label, when = context.label(step), deadlines.format_deadline(due, context.settings.zone)
    context.note("extend", f"{label}: due {when}", data=data)
    by = "" if length.startswith("until") else f"{' back' if back else ''} by {length}"
    lines = [f"The GM moved the deadline of {label}{by}. {{deadline}}"]
    queue_notices(context, new_step, "Deadline moved", lines, passing=True)
    return new_step


def _find_first(context: Context, deadline: datetime) -> datetime:
    """Find the deadline before the GM moved it, if nothing else has moved it since."""
    moves = [note for note in context.books.notes(context.id) if note.act == "extend"]
    data = moves[-1].data if moves else {}
    if "due" in data and datetime.fromisoformat(data["due"]) == deadline:
        return datetime.fromisoformat(data["first"])
    return deadline


def _check(
    context: Context, step: Step, due: datetime, length: str, first: datetime | None
) -> None:
    """Require a deadline in the future, and no earlier than without the GM's changes."""
    zone = context.settings.zone
    when = deadlines.format_deadline(due, zone)
    why = ""
    if due == step.deadline:
        why = f"{length} does not move the deadline, {when}"
    elif due <= context.at:
        way_out = "give more time" if first is None else "take back less"
        why = f"the deadline would be {when}, which is not in the future; {way_out}"
    elif due - context.at > _LONGEST:
        why = (
            f"the deadline would be {when}, more than {_LONGEST.days} days from now; give less time"
        )
    elif first is not None and due < first:
        why = (
            "only an earlier extension can be taken back; the earliest deadline of "
            f"{context.label(step)} is {deadlines.format_deadline(first, zone)}"
        )
    if why:
        raise Refused(f"{context.id}: {why}")


def _extend(context: Context, length: Sequence[str], *, back: bool) -> Done:
    verb = "moved back" if back else "extended"
    return _report_move(context, extend_deadline(context, " ".join(length), back=back), verb)


def _report_move(context: Context, step: Step, verb: str = "moved") -> Done:
    when = deadlines.format_moment(step.deadline or context.at, context.settings.zone)
    sentence = f"Deadline [moved]: {word_due(context, step)}."
    return word_done(sentence, subject=f"{verb.capitalize()} to {when}")


def _undo_extend(context: Context, note: HistoryNote) -> Done:
    check_status(context)
    step, due = context.open_step(), note.data.get("before")
    if step.deadline is None or due is None or note.data["due"] != step.deadline.isoformat():
        raise Refused(f"{context.id}: the deadline has moved since; extend it again")
    before = datetime.fromisoformat(due)
    if before <= context.at:
        raise Refused(f"{context.id}: the earlier deadline has passed; take back less time")
    first, length = datetime.fromisoformat(note.data["first"]), str(note.data["length"])
    return _report_move(context, _move(context, step, before, first, length.removeprefix("-")))


ACT_EXTEND = Act(
    name="extend",
    about=(
        "By a length of time (90m, 24h, 2h30m, 3d, 1w), or `until Sun 20:00` in the game's zone; "
        "at most 90 days ahead. All players get a notice."
    ),
    arguments=(
        Argument(
            name="length",
            kind=TEXT,
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


def pause_game(context: Context, _note: HistoryNote | None = None) -> Done:
    """Stop the clock; orders are still taken, nothing closes."""
    check_status(context, RUNNING)
    context.note("pause", "the clock is stopped")
    line = (
        "The GM paused the game: no deadline is running, and no step closes. Orders are "
        "still accepted."
    )
    stop_clock(context, line)
    return word_done("The game [is] paused: no deadline [is] running.", next=("resume",))


def resume_game(context: Context, _note: HistoryNote | None = None) -> Done:
    """Resume the game; the deadline moves by the length of the pause."""
    check_status(context, (Status.PAUSED,))
    since, step = context.game.paused, context.open_step()
    if step.deadline is not None and since is not None:
        # a clock may have been set back in between
        pause = max(context.at - max(since, step.opened), timedelta())
        step = replace(step, deadline=step.deadline + pause)
        context.books.save(step)
    context.now(status=Status.RUNNING, paused=None)
    context.note("resume", "the clock is running again")
    lines = ["The game continues. {deadline}"]
    queue_notices(context, step, "The game continues", lines, passing=True)
    return word_done(f"The game [is] running: {word_due(context, step)}.")


ACT_PAUSE = Act(
    name="pause",
    about="While a game is paused, no step closes and orders are still accepted. Players get a "
    "notice.",
    examples=("pause ember",),
    do=pause_game,
    undo=resume_game,
    blocked_by=(*MOVING_ACTS, "resume"),
)
ACT_RESUME = Act(
    name="resume",
    about="The deadline moves by the length of the pause. Players get a notice.",
    examples=("resume ember",),
    do=resume_game,
    undo=pause_game,
    blocked_by=(*MOVING_ACTS, "pause"),
)
