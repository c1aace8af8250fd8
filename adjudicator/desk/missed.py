"""Orders that did not come: counted per seat, and what becomes of a seat that stays silent."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Final

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.desk.case import Case
from adjudicator.desk.changed_hands import tell_others
from adjudicator.desk.inform import Standing
from adjudicator.desk.letters import notice, person
from adjudicator.desk.log import log
from adjudicator.desk.ports import Books
from adjudicator.desk.seating import (
    BOT,
    IDLE,
    PLAYER,
    change,
    current,
    hand_over,
    seat_player,
)
from adjudicator.desk.settings import wants
from adjudicator.desk.substitute import what_stays
from adjudicator.desk.values import Letter, Seating, Step

CLOSE: Final = "close"
"""The act whose note tells who had missed how many steps in a row when it was done."""


class Told(Struct, frozen=True):
    """What was written to players, what the GM should know, and which seats have new players."""

    letters: tuple[Letter, ...] = ()
    notes: tuple[str, ...] = ()
    new: tuple[Seat, ...] = ()


def count(case: Case, step: Step, stand: Sequence[Standing], *, at: datetime) -> Told:
    """Count who missed this step; a seat that reached the limit changes hands."""
    early = step.deadline is not None and at < step.deadline
    seatings = current(case.books, case.game.id)
    letters: list[Letter] = []
    notes: list[str] = []
    new: list[Seat] = []
    for one in stand:
        seating = seatings.get(one.seat)
        if one.due is None or seating is None or seating.kind != PLAYER:
            continue
        if one.is_in:
            _forget(case, seating)
        elif one.due.counts_as_missed and not early:
            told = _miss(case, step, seating, at)
            letters += told.letters
            notes += told.notes
            new += told.new
    return Told(tuple(letters), tuple(notes), tuple(new))


def _forget(case: Case, seating: Seating) -> None:
    if seating.missed:
        change(case.books, seating, missed=0)


def _miss(case: Case, step: Step, seating: Seating, at: datetime) -> Told:
    """One more step missed in a row."""
    missed = seating.missed + 1
    limit = case.settings.nmr_limit
    if missed < limit:
        change(case.books, seating, missed=missed)
        return Told()
    seating = change(case.books, seating, missed=missed)
    why = f"no orders came in {missed} steps in a row"
    return vacate(case, step, seating, why, at=at)


def counters(books: Books, game: str) -> dict[str, int]:
    """{seat/seating: missed in a row}, of whoever missed something; a closing notes it."""
    seatings = current(books, game).values()
    return {_name(one.seat, one.number): one.missed for one in seatings if one.missed}


def recount(case: Case, last: Step) -> None:
    """After a rollback: what was missed in a row as it stood when `last` had been closed.

    It is read, not found by comparing instants: a clock may have been set back in between.
    """
    stood = _stood(case, last)
    seatings = case.books.seatings(case.game.id)
    for seating in current(case.books, case.game.id).values():
        if seating.kind != PLAYER:
            continue
        mine = _sitting([one for one in seatings if one.seat == seating.seat])
        names = [_name(seating.seat, number) for number in mine]
        change(case.books, seating, missed=max(stood.get(name, 0) for name in names))


def _stood(case: Case, last: Step) -> Mapping[str, int]:
    """The counters after the last closing up to this step; rulings and the setup count nothing."""
    books, game = case.books, case.game.id
    closings = {note.data.get("step"): note.data for note in books.notes(game) if note.act == CLOSE}
    step = last
    while step.name not in closings and step.predecessor is not None:
        step = books.step(game, step.predecessor)
    missed: Mapping[str, int] = closings.get(step.name, {}).get("missed", {})
    return missed


def _sitting(seatings: Sequence[Seating]) -> list[int]:
    """The numbers of a seat since its present player sat down: new keys begin a seating, too."""
    present = seatings[-1].player
    return [one.number for one in takewhile(lambda s: s.player == present, reversed(seatings))]


def _name(seat: Seat, number: int) -> str:
    return f"{seat}/{number}"


def vacate(
    case: Case,
    step: Step,
    seating: Seating,
    why: str,
    *,
    at: datetime,
    to_player: str | None = None,
    open_step: bool = False,
) -> Told:
    """Give a seat that its player leaves to a substitute, the bot, or nobody.

    `to_player` is the reason as the player reads it, where it is not the one that others read.
    In an open step whoever calls welcomes the substitute (desk/substitute.py).
    """
    books, game, seat = case.books, case.game.id, seating.seat
    player = person(case, seating)
    after, words = _successor(case, seating, at)
    text = f"{seat}: {why}; {words}"
    hidden = case.settings.anonymous and after.player is not None
    public = "somebody else plays the seat" if hidden else words
    log(books, game, "vacate", text, at=at, by="clock", data={"seat": seat})
    letters = []
    if player is not None:
        lines = [
            f"You no longer play {seat} in {game}: {to_player or why}.",
            f"From now on {public}.",
            *(what_stays(case, step, seat) if open_step else ()),
        ]
        subject = f"You no longer play {seat}"
        gone = notice(case, step, seat, subject, lines, seating=seating, at=at, form=False)
        letters += [gone] if gone else []
    if after.player is not None and not open_step:
        subject = f"You play {seat} in {game} now"
        lines = [f"{subject}: {why}. The report shows where the game stands."]
        come = notice(case, step, seat, subject, lines, seating=after, at=at, form=False)
        letters += [come] if come else []
    subject = f"The player of {seat} has left"
    others = tell_others(case, step, seat, subject, [f"{seat}: {why}; {public}."], at=at)
    return Told((*letters, *others), (text,), (seat,) if after.player is not None else ())


def _ever(books: Books, game: str) -> dict[str, str]:
    """Everybody who has had a seat: nobody comes back, not even on another one."""
    return {f"{s.seat} {s.number}": s.player for s in books.seatings(game) if s.player}


def _successor(case: Case, seating: Seating, at: datetime) -> tuple[Seating, str]:
    books, game, seat = case.books, case.game.id, seating.seat
    policy = case.settings.nmr
    seatings = current(books, game)
    if policy == "bot":
        return hand_over(books, game, seat, seating, at=at, kind=BOT), "a bot plays the seat"
    name = wants(case.settings, _ever(books, game)) if policy == "substitute" else None
    if name is None:
        idle = hand_over(books, game, seat, seating, at=at, kind=IDLE)
        wish = ", and a substitute is wanted" if policy == "substitute" else ""
        return idle, f"the seat stands idle{wish}"
    return seat_player(books, game, seat, name, seatings, at), f"{name} plays the seat"
