"""Let steps count again that a rollback has struck."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Seat, decode
from adjudicator.desk.model.context import STARTED, Context, current_step
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import BACK
from adjudicator.desk.model.people import PUBLIC
from adjudicator.desk.model.ports import Books, Library
from adjudicator.desk.model.values import HistoryNote, OutgoingLetter, Status, Step
from adjudicator.desk.outbox.observers import current_observers
from adjudicator.desk.outbox.papers import find_newest_report, report_as_resent
from adjudicator.desk.outbox.queue import (
    ANSWER,
    REPORT,
    REPORTED,
    queue_letter,
    queue_notices,
    queue_to_address,
    withdraw_letters,
)
from adjudicator.desk.steps.advance import StepClosing, append_link, open_next
from adjudicator.desk.steps.handover import send_last_report
from adjudicator.desk.steps.lock import lock_context
from adjudicator.desk.steps.missed import restore_missed

ROLLBACK_ACT = "rollback"


class _Path(Struct, frozen=True):
    """From where the game stands to where it stood."""

    restored: tuple[Step, ...]
    """The steps that count again, the earliest first."""
    struck: tuple[Step, ...]
    """Those that were opened or played since."""


def undo_rollback(
    books: Books, library: Library, game: str, step: str, *, at: datetime
) -> StepClosing:
    """Let the steps count again that the last rollback, which went back to `step`, has struck.

    The step that was open then is opened anew, under a new number.
    """
    context = lock_context(books, library, game, at=at, status=(*STARTED, Status.OVER))
    way = _path_back(context, _last(context, step), step)
    was_over = context.game.status is Status.OVER
    for one in way.struck:
        books.save_step(replace(one, void=True))
    withdraw_letters(context, way.struck)
    for one in way.restored:
        books.save_step(replace(one, void=False))
    first, last = way.restored[0], replace(way.restored[-1], void=False)
    link = append_link(context, "restore", first, {})
    restore_missed(context, last)
    opened = open_next(context, last, context.after(last), turn=None)
    status = Status.RUNNING if was_over else context.game.status
    context = context.now(
        open_step=opened.number if opened else None,
        next_number=opened.number + 1 if opened else context.game.next_number,
        status=Status.OVER if opened is None else status,
        paused=context.game.paused if opened else None,
    )
    names = [one.name for one in way.restored]
    data = {BACK: True, "restored": names, "opened": opened.name if opened else None}
    text = f"the rollback to before {context.label(first)} was undone"
    context.note(ROLLBACK_ACT, text, data=data)
    letters = (
        *_tell(context, way, opened),
        *send_withdrawn_reports(context, way.restored),
    )
    return StepClosing(
        game=context.game,
        step=replace(first, void=False),
        opened=opened,
        links=(link,),
        letters=letters,
        notes=(seed_is_known(game),) if was_over and opened else (),
    )


def seed_is_known(game: str) -> str:
    """What the GM should know who opens a game again."""
    return f"{game} was over and its seed was revealed; anybody who kept it can foresee the dice"


def _last(context: Context, step: str) -> HistoryNote:
    """The note of the last rollback, which must be the one that is meant."""
    notes = context.books.notes(context.game.id)
    last = next((one for one in reversed(notes) if one.act in (ROLLBACK_ACT, "start")), None)
    if last is None or BACK in last.data or last.act != ROLLBACK_ACT:
        raise Refused(f"{context.game.id}: there is no rollback to undo")
    if last.data["struck"][0] != step:
        first = last.data["struck"][0]
        raise Refused(
            f"{context.game.id}: the last rollback went back to before {first}; only that one can "
            "be undone"
        )
    return last


def _path_back(context: Context, note: HistoryNote, step: str) -> _Path:
    steps: Mapping[str, Step] = {one.name: one for one in context.books.steps(context.game.id)}
    restored = tuple(steps[name] for name in note.data["struck"] if steps[name].closed)
    if not restored:
        raise Refused(f"{context.game.id}: nothing of {step} had been played")
    since = steps[note.data["opened"]].number
    struck = tuple(one for one in steps.values() if one.number >= since and not one.void)
    return _Path(restored, struck)


def _tell(context: Context, way: _Path, opened: Step | None) -> tuple[OutgoingLetter, ...]:
    played = [context.label(one) for one in way.struck if one.closed]
    labels = [context.label(one) for one in way.restored]
    lines = [
        f"The GM undid the rollback. These steps count again: {'; '.join(labels)}.",
        *([f"These steps no longer count: {'; '.join(played)}."] if played else []),
    ]
    if opened is None:
        lines.append("With that the game is over, as it was before.")
    else:
        lines.append(f"The game continues with {context.label(opened)}. {{deadline}}")
        lines.append(
            "If you had sent orders for it, they are in the form below but do not count yet: "
            "send them again, as they are or changed."
        )
    subject = f"Counts again: {labels[0]}"
    return queue_notices(context, current_step(context), subject, lines)


_Reader = tuple[Seat, str]
"""A seat and the person on it, or the public and an address."""


def send_withdrawn_reports(
    context: Context, restored: Sequence[Step]
) -> tuple[OutgoingLetter, ...]:
    """What was kept in, to those who still read it; whoever is new on a seat gets the last one."""
    steps = {step.number: step for step in restored}
    written = _written(context, restored)
    readers = _readers(context)
    kept = [
        _again(context, steps[letter.step], letter)
        for (reader, _), letter in written.items()
        if letter.status == "withdrawn" and reader in readers
    ]
    known = {reader for reader, _ in written}
    for seat, seating in context.seatings.items():
        paper = find_newest_report(context, seat) if (seat, seating.player) not in known else None
        if paper is not None and paper.step in steps and context.player(seating):
            kept.append(send_last_report(context, seating, paper))
    return tuple(kept)


def _readers(context: Context) -> set[_Reader]:
    """Everybody who is mailed reports now."""
    seated = context.seatings.items()
    watching = {(PUBLIC, one.address) for one in current_observers(context)}
    return watching | {(seat, seating.player or "") for seat, seating in seated}


def _written(context: Context, steps: Sequence[Step]) -> dict[tuple[_Reader, int], OutgoingLetter]:
    """By reader and number of the report: the letter with it, one kept in only if no other is."""
    seatings = context.books.seatings(context.game.id)
    people = {(one.seat, one.number): one.player or "" for one in seatings}
    found: dict[tuple[_Reader, int], OutgoingLetter] = {}
    for letter in _reports(context, steps):
        number = decode(letter.document)["number"]
        for name in letter.to or (people.get((letter.seat, letter.seating), ""),):
            key = (letter.seat, name), number
            if letter.status != "withdrawn" or key not in found:
                found[key] = letter
    return found


def _reports(context: Context, steps: Sequence[Step]) -> Iterator[OutgoingLetter]:
    for step in steps:
        for letter in context.books.letters(context.game.id, step.number):
            if letter.template == REPORTED:
                yield letter


def _again(context: Context, step: Step, letter: OutgoingLetter) -> OutgoingLetter:
    document = decode(letter.document)
    if letter.to is None:
        again = report_as_resent(context, letter.seat, document)
        return queue_letter(context, step, letter.seat, ANSWER, again)
    again = report_as_resent(context, None, document)
    return queue_to_address(context, letter.to, REPORT, again, reader=PUBLIC, step=step)
