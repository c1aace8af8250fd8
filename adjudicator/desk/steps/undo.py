"""Undo and restore steps, for rollbacks and starts; continue after a backup was put back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.chain import Link
from adjudicator.core.dice import label_dice
from adjudicator.core.document import Seat, decode
from adjudicator.desk.model.context import STARTED, Context, current_step
from adjudicator.desk.model.errors import Refused
from adjudicator.desk.model.lineage import BACK
from adjudicator.desk.model.people import PUBLIC
from adjudicator.desk.model.values import HistoryNote, OrderSet, OutgoingLetter, Status, Step
from adjudicator.desk.outbox.past_reports import report_as_resent
from adjudicator.desk.outbox.queue import (
    ANSWER,
    REPORT,
    REPORTED,
    instant_placeholder,
    queue_letter,
    queue_notices,
    queue_to_address,
    withdraw_letters,
)
from adjudicator.desk.steps.advance import StepClosing, append_link, open_next
from adjudicator.desk.steps.ahead import retire_plans, revive_plans
from adjudicator.desk.steps.handover import send_last_report
from adjudicator.desk.steps.missed import restore_missed

ORDERS_ON_FILE = (
    "Orders of {} for it are on file again and count; to change them, send new ones. All "
    "other players are asked for theirs."
)


def word_steps(context: Context, steps: Sequence[Step]) -> str:
    """Name steps as people call them, one after the other."""
    return "; ".join(context.label(one) for one in steps)


def undo_steps(context: Context, steps: Sequence[Step], first: Step) -> Link:
    """Undo steps, of which `first` is the earliest; what was not sent is withheld."""
    _void_steps(context, steps)
    return append_link(context, "rollback", first, {})


def _void_steps(context: Context, steps: Sequence[Step]) -> None:
    for one in steps:
        context.books.save(replace(one, void=True))
    revive_plans(context, steps)
    withdraw_letters(context, steps)


def refile_orders(context: Context, sets: Sequence[OrderSet], step: Step) -> tuple[OrderSet, ...]:
    """Put orders on file in another step, as they are."""
    copies = tuple(
        replace(own, step=step.number, arrived=context.at, executed=False) for own in sets
    )
    for own in copies:
        context.books.save(own)
    return copies


def restore_steps(
    context: Context, note: HistoryNote, text: str, beginning: str, **changes: Any
) -> StepClosing:
    """Restore the steps that the act of this note has undone.

    The step that was open then is opened anew, under a new number; what was played since no
    longer counts. `beginning` is that of the letters, `changes` are those of the game besides.
    """
    books, game = context.books, context.id
    steps = {one.name: one for one in books.steps(game)}
    restored = [steps[name] for name in note.data["struck"] if steps[name].closed]
    if not restored:
        raise Refused(f"{game}: nothing of {note.data['struck'][0]} had been played")
    later_steps = _list_played_since(steps, note)
    _void_steps(context, later_steps)
    for one in restored:
        books.save(replace(one, void=False))
    retire_plans(context, restored)
    first, last = restored[0], replace(restored[-1], void=False)
    link = append_link(context, "restore", first, {})
    was_over = context.game.status is Status.OVER
    context.now(**changes)
    restore_missed(context, last)
    next_step = open_next(context, last, context.after(last), turn=None)
    if next_step is None:
        context.now(open_step=None, status=Status.OVER, paused=None)
    else:
        status = Status.RUNNING if was_over else context.game.status
        context.now(open_step=next_step.number, next_number=next_step.number + 1, status=status)
    names = [one.name for one in restored]
    data = {"restored": names, "opened": next_step.name if next_step else None}
    context.note(note.act, text, data=data if BACK in note.data else {BACK: True, **data})
    lines = list(_explain_restored(context, beginning, restored, later_steps, next_step))
    label = context.label(first)
    subject = f"{label[0].upper()}{label[1:]} counts again"
    queue_notices(context, current_step(context), subject, lines)
    send_withdrawn_reports(context, restored)
    show_position(context)
    return StepClosing(
        game=context.game,
        step=replace(first, void=False),
        next_step=next_step,
        links=(link,),
        notes=(warn_of_known_seed(game),) if was_over and next_step else (),
    )


def _list_played_since(steps: Mapping[str, Step], note: HistoryNote) -> list[Step]:
    """List what was opened or played since steps were undone; nothing after an undone start."""
    name = note.data.get("opened")
    if name is None:
        return []
    since = steps[name].number
    return [one for one in steps.values() if one.number >= since and not one.void]


def _explain_restored(
    context: Context,
    beginning: str,
    restored: Sequence[Step],
    later_steps: Sequence[Step],
    next_step: Step | None,
) -> Iterator[str]:
    yield f"{beginning} These steps count again: {word_steps(context, restored)}."
    closed_steps = [one for one in later_steps if one.closed]
    if closed_steps:
        yield f"These steps no longer count: {word_steps(context, closed_steps)}."
    if next_step is None:
        yield "The game is over again, as it was before."
    else:
        yield f"The game continues with {context.label(next_step)}. {{deadline}}"


def warn_of_known_seed(game: str) -> str:
    """Say what the GM should know before opening a game again."""
    return f"{game} was over and its seed was revealed; anybody who kept it can foresee the dice"


_Reader = tuple[Seat, str]
"""A seat and the person on it, or the public and an address."""


def send_withdrawn_reports(context: Context, restored: Sequence[Step]) -> None:
    """Send what was withheld to its present readers; a seat's new player gets the last report."""
    steps = {step.number: step for step in restored}
    letters = _find_letters(context, restored)
    readers = _find_readers(context)
    for (reader, _), letter in letters.items():
        if letter.status == "withdrawn" and reader in readers:
            _send_again(context, steps[letter.step], letter)
    letter_readers = {reader for reader, _ in letters}
    for seat, seating in context.seatings.items():
        if (seat, seating.player) in letter_readers:
            continue
        paper = context.books.paper(context.id, seat)
        if paper is not None and paper.step in steps and context.player(seating):
            send_last_report(context, seating, paper)


def show_position(context: Context) -> None:
    """Send everybody the last report that counts, unless a report goes to them anyway."""
    letters = context.books.new_letters.values()
    seats = {one.seat for one in letters if (one.template, one.status) == (REPORTED, "queued")}
    for seat, seating in context.seatings.items():
        paper = context.books.paper(context.id, seat)
        if seat not in seats and paper is not None and context.player(seating):
            send_last_report(context, seating, paper)


def _find_readers(context: Context) -> set[_Reader]:
    """Find everybody who is mailed reports now."""
    watching = {(PUBLIC, one.address) for one in context.observers}
    return watching | {(seat, one.player or "") for seat, one in context.seatings.items()}


def _find_letters(
    context: Context, steps: Sequence[Step]
) -> dict[tuple[_Reader, int], OutgoingLetter]:
    """Find the letter of each report, by reader and number; a withheld one only if no other is."""
    seatings = context.books.seatings(context.id)
    people = {(one.seat, one.number): one.player or "" for one in seatings}
    by_reader: dict[tuple[_Reader, int], OutgoingLetter] = {}
    letters = (one for step in steps for one in context.books.letters(context.id, step.number))
    for letter in letters:
        if letter.template != REPORTED:
            continue
        number = decode(letter.document)["number"]
        for name in letter.to or (people.get((letter.seat, letter.seating), ""),):
            key = (letter.seat, name), number
            if letter.status != "withdrawn" or key not in by_reader:
                by_reader[key] = letter
    return by_reader


def _send_again(context: Context, step: Step, letter: OutgoingLetter) -> None:
    document = decode(letter.document)
    if letter.to is None:
        again = report_as_resent(context, letter.seat, document)
        queue_letter(context, step, letter.seat, ANSWER, again)
    else:
        again = report_as_resent(context, None, document)
        queue_to_address(context, letter.to, REPORT, again, reader=PUBLIC, step=step)


# after a backup was put back, a home was copied, or its secret was lost

RECOVER_ACT = "recover"
_OLDER = (
    "An earlier copy of the server's data had to be put back. Letters about this game that you "
    "got after {} no longer count."
)
_KEYS = (
    "The keys in earlier letters are no longer valid. This letter contains your new one; use its "
    "form from now on."
)
_SUBJECT = {True: "The server was put back to an earlier time", False: "The server has new keys"}


class Renewal(Struct, frozen=True, kw_only=True):
    """How a game continues in a new epoch."""

    epoch: int
    reopen: bool
    """Whether recent letters are lost, so that the open step gets another number."""
    beyond: int
    """The next step gets a higher number than this."""


def renew_game(context: Context, renewal: Renewal) -> str:
    """Void everything that was mailed before; say what became of the game."""
    game = context.game
    number = max(game.next_number, renewal.beyond + 1)
    context.now(epoch=renewal.epoch, next_number=number)
    if game.status is Status.OVER:
        return f"{game.id}: it is over; nothing changes"
    if not renewal.reopen or game.status not in STARTED:
        return _tell(context, reopened=False)
    return _reopen(context)


def _tell(context: Context, *, reopened: bool, lines: tuple[str, ...] = ()) -> str:
    step = current_step(context)
    if context.game.open_step is not None and step.dice == step.name:  # it may have been played
        step = replace(step, dice=label_dice(step.name, context.game.epoch))
        context.books.save(step)
    queue_notices(context, step, _SUBJECT[reopened], [*lines, _KEYS])
    words = (
        f"continues with {context.label(step)} as step {step.name}" if reopened else "has new keys"
    )
    context.note(RECOVER_ACT, words, data={"epoch": context.game.epoch, "opened": step.name})
    return f"{context.id}: it {words}"


def _reopen(context: Context) -> str:
    """Reopen the open step under another number, with the orders that are on file for it."""
    old_step, sets = context.open_step(), tuple(context.on_file.values())
    assert old_step.predecessor is not None, "no step is open before the setup"
    base = context.books.step(context.id, old_step.predecessor)
    undo_steps(context, [old_step], old_step)
    new_step = open_next(context, base, context.after(base), turn=None)
    assert new_step is not None, "a step was open in this state, so it is not over"
    context.now(open_step=new_step.number, next_number=new_step.number + 1)
    copies = refile_orders(context, sets, new_step)
    lines = (
        _OLDER.format(instant_placeholder(old_step.opened)),
        f"The game continues with {context.label(new_step)}. {{deadline}}",
        *([ORDERS_ON_FILE.format(", ".join(own.seat for own in copies))] if copies else []),
    )
    return _tell(context, reopened=True, lines=lines)
