"""Votes: a draw when all want it, a win for the last who has not conceded."""

from collections.abc import Mapping
from datetime import datetime

from adjudicator.core.document import Seat
from adjudicator.desk.case import Case
from adjudicator.desk.closing import Closing
from adjudicator.desk.deserted import deserted
from adjudicator.desk.end import finish
from adjudicator.desk.seating import IDLE, PLAYER, current
from adjudicator.desk.values import Seating

VOTES = ("draw", "concede", "none")


def counted(case: Case, *, at: datetime) -> Closing | None:
    """End the game if the votes, or the empty seats, say so; pause it if bots are left alone."""
    if case.game.open_step is None:
        return None
    found = decision(case.game.seats, current(case.books, case.game.id))
    if found is None:
        deserted(case, at=at)
        return None
    winners, reason = found
    return finish(case, winners, reason, at=at)


def decision(
    seats: tuple[Seat, ...], seatings: Mapping[Seat, Seating]
) -> tuple[tuple[Seat, ...], str] | None:
    """The winners and the reason, or None when the game goes on."""
    left = tuple(seat for seat in seats if not _conceded(seatings.get(seat)))
    if len(left) == 1 and len(seats) > 1:
        return left, f"all others conceded to {left[0]}"
    if not left:
        return (), "everybody conceded"
    if all(seatings[seat].kind == IDLE for seat in seats if seat in seatings):
        return (), "nobody gives orders any more"
    people = [seat for seat in left if seat in seatings and seatings[seat].kind == PLAYER]
    if people and all(seatings[seat].vote == "draw" for seat in people):
        return (), "all remaining players voted for a draw"
    return None


def _conceded(seating: Seating | None) -> bool:
    return seating is not None and seating.kind == PLAYER and seating.vote == "concede"
