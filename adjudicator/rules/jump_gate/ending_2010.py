"""How the 2010 edition ends, and who has won (JGA-10 to JGA-13)."""

from typing import Final

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.resources import has_icon, ordered, takeable
from adjudicator.rules.jump_gate.scoring import claims_of, most, scans_of
from adjudicator.rules.jump_gate.standings import Rank, settle
from adjudicator.rules.jump_gate.state import Table
from adjudicator.rules.jump_gate.work import Work, over_all

_END: Final = "JGA-10"
_BLACK_HOLE: Final = "black-hole"


def after_action(_work: Work) -> None:
    """The end is checked at the end of a turn only."""


def after_turn(work: Work) -> None:
    """By the Black Hole, or because nothing without its icon is left (JGA-10)."""
    if over_all(work.black_hole) >= work.components.constants.black_hole_end.markers:
        work.ended = _BLACK_HOLE
    elif _nothing_left(work):
        work.ended = "all-claimed"


def finish(work: Work) -> None:
    """Losses to the Black Hole, then the scores."""
    work.tell("ended", _END, why=work.ended)
    if work.ended == _BLACK_HOLE:
        _lose(work)
    settle(work, {}, ("JGA-12", "JGA-13"), ranks)


def ranks(table: Table, seat: Seat) -> Rank:
    """What decides between equal scores (JGA-13)."""
    return (
        claims_of(table, seat),
        scans_of(table, seat),
        table.jump_gate[seat],
        -table.black_hole[seat],
        len(table.collected[seat]),
    )


def _nothing_left(work: Work) -> bool:
    sites = work.planets.items()
    if any(site.claim is None for _, site in sites):
        return False
    cards = [card for planet, site in sites for card in (*site.face_up, *work.face_down[planet])]
    return all(has_icon(card) for card in takeable(cards))


def _lose(work: Work) -> None:
    """Whoever has most markers there loses random resources (JGA-11)."""
    assert work.dice is not None
    table = work.components.constants.black_hole_loss
    number = work.components.by_players(table, len(work.seats))
    for seat in most(work.black_hole):
        shuffled = work.dice.draw("black hole", seat).shuffled(work.collected[seat])
        lost = list(ordered(shuffled[:number]))
        left = list(work.collected[seat])
        for card in lost:
            left.remove(card)
        work.collected[seat] = tuple(left)
        work.tell("lost", "JGA-11", seat=seat, resources=lost)
