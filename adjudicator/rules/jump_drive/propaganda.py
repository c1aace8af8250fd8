"""War propaganda goes to the strongest before scoring (JD-12)."""

from collections.abc import Mapping

from adjudicator.core.document import Seat
from adjudicator.rules.jump_drive.counting import general
from adjudicator.rules.jump_drive.powers import MovesTo
from adjudicator.rules.jump_drive.state import clockwise
from adjudicator.rules.jump_drive.work import Work


def resolve(work: Work) -> None:
    """Every copy at the same time: all are judged before the first one moves."""
    components = work.components
    strengths = {seat: general(components.named(empire)) for seat, empire in work.empires.items()}
    moves = [
        (seat, name, _strongest(seat, strengths, work.table.seats))
        for seat in work.table.seats
        for name in work.empires[seat]
        if components.cards[name].of(MovesTo)
    ]
    for seat, name, to in moves:
        if to != seat:
            work.empires[seat].remove(name)
            work.empires[to].append(name)
            work.tell("moved", "JD-12", card=name, origin=seat, to=to, strength=strengths[to])


def _strongest(owner: Seat, strengths: Mapping[Seat, int], seats: tuple[Seat, ...]) -> Seat:
    """Who gets it: the highest, the owner before others, then the first to the owner's left."""
    highest = max(strengths.values())
    if strengths[owner] == highest:
        return owner
    return next(seat for seat in clockwise(seats, owner) if strengths[seat] == highest)
