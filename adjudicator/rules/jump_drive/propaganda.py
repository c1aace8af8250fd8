"""War propaganda goes to the strongest before scoring (JD-12)."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.components import Components, Name
from adjudicator.rules.jump_drive.counting import general
from adjudicator.rules.jump_drive.powers import MovesTo
from adjudicator.rules.jump_drive.state import clockwise
from adjudicator.rules.jump_drive.work import Work


class Move(Struct, frozen=True, kw_only=True):
    """A copy that changes hands."""

    card: Name
    origin: Seat
    to: Seat
    strength: int
    """General strength of who gets it."""


def resolve(work: Work) -> None:
    """Every copy goes where it belongs."""
    for move in moves(work.empires, work.table.seats, work.components):
        work.empires[move.origin].remove(move.card)
        work.empires[move.to].append(move.card)
        work.tell("moved", "JD-12", **structs.asdict(move))


def moves(
    empires: Mapping[Seat, Sequence[Name]], seats: tuple[Seat, ...], components: Components
) -> tuple[Move, ...]:
    """Every copy at the same time: all are judged before the first one moves."""
    strengths = {seat: general(components.named(empires[seat])) for seat in seats}
    found = [
        (seat, name, _strongest(seat, strengths, seats))
        for seat in seats
        for name in empires[seat]
        if components.cards[name].of(MovesTo)
    ]
    return tuple(
        Move(card=name, origin=seat, to=to, strength=strengths[to])
        for seat, name, to in found
        if to != seat
    )


def _strongest(owner: Seat, strengths: Mapping[Seat, int], seats: tuple[Seat, ...]) -> Seat:
    """Who gets it: the highest, the owner before others, then the first to the owner's left."""
    highest = max(strengths.values())
    if strengths[owner] == highest:
        return owner
    return next(seat for seat in clockwise(seats, owner) if strengths[seat] == highest)
