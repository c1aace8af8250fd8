"""Missing orders: counted per seat, and what becomes of a seat that stays silent."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.desk.model.context import Context
from adjudicator.desk.model.people import describe_unreachable
from adjudicator.desk.model.seats import (
    BOT,
    IDLE,
    PLAYER,
    begin_seating,
    change_seating,
    seat_holders,
    seat_player,
)
from adjudicator.desk.model.settings import find_substitute
from adjudicator.desk.model.standing import Standing
from adjudicator.desk.model.values import OutgoingLetter, Seating, Step
from adjudicator.desk.outbox.queue import queue_notice
from adjudicator.desk.steps.handover import explain_what_stays, notify_others

CLOSE_ACT: Final = "close"
"""The act whose note tells who had missed how many steps in a row when it was done."""


class SeatChanges(Struct, frozen=True):
    """What was written to players, what the GM should know, and which seats have new players."""

    letters: tuple[OutgoingLetter, ...] = ()
    notes: tuple[str, ...] = ()
    new: tuple[Seat, ...] = ()


def count_missed(context: Context, step: Step, stand: Sequence[Standing]) -> SeatChanges:
    """Count who missed this step; a seat that reached the limit changes hands."""
    early = step.deadline is not None and context.at < step.deadline
    seatings = context.seatings
    letters: list[OutgoingLetter] = []
    notes: list[str] = []
    new: list[Seat] = []
    for one in stand:
        seating = seatings.get(one.seat)
        if one.due is None or seating is None or seating.kind != PLAYER:
            continue
        if one.is_in:
            if seating.missed:
                change_seating(context.books, seating, missed=0)
        elif one.due.counts_as_missed and not early:
            seating = change_seating(context.books, seating, missed=seating.missed + 1)
            if seating.missed >= context.settings.nmr_limit:
                why = f"no orders were received in {seating.missed} steps in a row"
                changes = vacate_seat(context, step, seating, why)
                letters += changes.letters
                notes += changes.notes
                new += changes.new
    return SeatChanges(tuple(letters), tuple(notes), tuple(new))


def missed_counters(context: Context) -> dict[str, int]:
    """{seat/seating: missed in a row}, of whoever missed something; a closing notes it."""
    seatings = context.seatings.values()
    return {_name_counter(one.seat, one.number): one.missed for one in seatings if one.missed}


def restore_missed(context: Context, last: Step) -> None:
    """After a rollback: what was missed in a row as it stood when `last` had been closed.

    It is read, not found by comparing instants: a clock may have been set back in between.
    """
    stood = _find_counters(context, last)
    seatings = context.books.seatings(context.game.id)
    for seating in context.seatings.values():
        if seating.kind != PLAYER:
            continue
        numbers = _list_sitting([one for one in seatings if one.seat == seating.seat])
        names = [_name_counter(seating.seat, number) for number in numbers]
        change_seating(context.books, seating, missed=max(stood.get(name, 0) for name in names))


def _find_counters(context: Context, last: Step) -> Mapping[str, int]:
    """The counters after the last closing up to this step; rulings and the setup count nothing."""
    books, game = context.books, context.game.id
    closings = {
        note.data.get("step"): note.data for note in books.notes(game) if note.act == CLOSE_ACT
    }
    step = last
    while step.name not in closings and step.predecessor is not None:
        step = books.step(game, step.predecessor)
    missed: Mapping[str, int] = closings.get(step.name, {}).get("missed", {})
    return missed


def _list_sitting(seatings: Sequence[Seating]) -> list[int]:
    """The numbers of a seat since its present player sat down: new keys begin a seating, too."""
    present = seatings[-1].player
    return [one.number for one in takewhile(lambda s: s.player == present, reversed(seatings))]


def _name_counter(seat: Seat, number: int) -> str:
    return f"{seat}/{number}"


def vacate_seat(
    context: Context,
    step: Step,
    seating: Seating,
    why: str,
    *,
    to_player: str | None = None,
    open_step: bool = False,
) -> SeatChanges:
    """Give a seat that its player leaves to a substitute, the bot, or nobody.

    `to_player` is the reason as the player reads it, where it is not the one that others read.
    In an open step whoever calls welcomes the substitute (desk/steps/handover.py).
    """
    game, seat = context.id, seating.seat
    player = context.player(seating)
    after, words = _choose_successor(context, seating)
    text = f"{seat}: {why}; {words}"
    rest = [one for one in seat_holders(context.seatings).values() if one != after.player]
    lost = describe_unreachable(context.books, after.player, rest) if after.player else None
    text += f" ({lost})" if lost else ""
    hidden = context.settings.anonymous and after.player is not None
    public = "somebody else plays the seat" if hidden else words
    context.note("vacate", text, by="clock", data={"seat": seat})
    letters = []
    if player is not None:
        lines = [
            f"You no longer play {seat} in {game}: {to_player or why}.",
            f"From now on {public}.",
            *(explain_what_stays(context, step, seat) if open_step else ()),
        ]
        subject = f"You no longer play {seat}"
        gone = queue_notice(context, step, seat, subject, lines, seating=seating, form=False)
        letters += [gone] if gone else []
    if after.player is not None and not open_step:
        subject = f"You play {seat} in {game} now"
        lines = [f"{subject}: {why}. The report shows where the game stands."]
        come = queue_notice(context, step, seat, subject, lines, seating=after, form=False)
        letters += [come] if come else []
    subject = f"The player of {seat} has left"
    others = notify_others(context, step, seat, subject, [f"{seat}: {why}; {public}."])
    return SeatChanges((*letters, *others), (text,), (seat,) if after.player is not None else ())


def _choose_successor(context: Context, seating: Seating) -> tuple[Seating, str]:
    """The next seating, and in words who plays the seat from now on."""
    books, game, seat, at = context.books, context.id, seating.seat, context.at
    policy = context.settings.nmr
    if policy == "bot":
        bot = begin_seating(books, game, seat, seating, at=at, kind=BOT)
        return bot, "a bot plays the seat"
    # who has had a seat does not come back, not even on another one
    ever = {f"{one.seat} {one.number}": one.player for one in books.seatings(game) if one.player}
    name = find_substitute(context.settings, ever) if policy == "substitute" else None
    if name is not None:
        new = seat_player(books, game, seat, name, context.seatings, at)
        return new, f"{name} plays the seat"
    idle = begin_seating(books, game, seat, seating, at=at, kind=IDLE)
    hint = ", and a substitute is wanted" if policy == "substitute" else ""
    return idle, f"the seat stays idle{hint}"
