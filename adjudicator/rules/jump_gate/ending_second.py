"""How the second edition ends, and who has won (JGB-8 to JGB-11)."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.resources import Resource
from adjudicator.rules.jump_gate.scoring import claims_of, most
from adjudicator.rules.jump_gate.standings import Rank, settle
from adjudicator.rules.jump_gate.state import Table
from adjudicator.rules.jump_gate.work import Work, over_all

_END: Final = "JGB-8"
_NONE: Final[Mapping[Seat, tuple[Resource, ...]]] = {}


def after_action(work: Work) -> None:
    """At once by the Black Hole, or when no resource is left (JGB-8)."""
    if _by_black_hole(work):
        work.ended = "black-hole"
    elif not any(
        site.face_up or work.face_down[planet] or work.haze[planet]
        for planet, site in work.planets.items()
    ):
        work.ended = "nothing-left"


def after_turn(work: Work) -> None:
    """Once the last planet is claimed, everybody has one more turn (JGB-8)."""
    if work.final_turns and work.final_turns[0] == work.active:
        work.final_turns = work.final_turns[1:]
        if not work.final_turns:
            work.ended = "final-turns"


def finish(work: Work) -> None:
    """Hidden resources are lost or shown, then the scores."""
    work.tell("ended", _END, why=work.ended)
    losers = most(work.black_hole) if _by_black_hole(work) else ()
    for seat in work.seats:
        cards = work.hidden[seat]
        if seat in losers:
            work.hidden[seat] = ()
            work.tell("hidden-lost", "JGB-9", seat=seat, number=len(cards))
        else:
            work.tell("hidden-shown", "JGB-9", seat=seat, resources=list(cards))
    settle(work, work.hidden, ("JGB-10", "JGB-11"), partial(ranks, hidden=work.hidden))


def ranks(table: Table, seat: Seat, hidden: Mapping[Seat, tuple[Resource, ...]] = _NONE) -> Rank:
    """What decides between equal scores (JGB-11), with the hidden cards that count."""
    cards = (*table.collected[seat], *hidden.get(seat, ()))
    return claims_of(table, seat), len(cards), -table.black_hole[seat]


def _by_black_hole(work: Work) -> bool:
    """Whether so many markers are on the Black Hole, whatever ended the game (JGB-9)."""
    return over_all(work.black_hole) >= work.components.constants.black_hole_end.markers
