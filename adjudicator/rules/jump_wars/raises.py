"""Levels raised until the end of the turn: cutting edge (JW-13), leadership (JW-36)."""

from msgspec.structs import replace

from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.event import Event
from adjudicator.rules.jump_wars.components import Components, Tech
from adjudicator.rules.jump_wars.foresight import Foreseen, foresee
from adjudicator.rules.jump_wars.state import State, Table, View
from adjudicator.rules.jump_wars.work import Luck, Work

LEADERSHIP = "leadership"


def adjudicate(
    state: State, orders: Orders, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """The raises of a jump form; the step and what nobody raises with stay the same."""
    if not any(form.get("cutting_edge") or form.get(LEADERSHIP) for form in orders.values()):
        return state, ()
    work = Work.of_state(state, components)
    make(work, orders)
    table = replace(state.table, players=work.players, discard=tuple(work.discard))
    hands = {seat: tuple(hand) for seat, hand in work.hands.items()}
    return replace(state, table=table, hands=hands), tuple(work.events)


def foreseen(
    view: View, seat: Seat, orders: Document, components: Components
) -> tuple[Table, Foreseen]:
    """The table as a jump form's own raises would leave it, and what becomes of them."""
    found = foresee(view, seat, orders, components, make)
    work = Work.of_view(view, components, Luck.WORST)
    make(work, {seat: orders})
    return replace(view.table, players=work.players, discard=tuple(work.discard)), found


def make(work: Work, orders: Orders) -> None:
    """All players' cutting edge, then all players' leadership."""
    forms = [(seat, orders[seat]) for seat in work.seats if seat in orders]
    for seat, form in forms:
        for place, tech in enumerate(form.get("cutting_edge") or ()):
            _cutting_edge(work, seat, tech, ("cutting_edge", place))
    for seat, form in forms:
        tech = form.get(LEADERSHIP)
        if tech is not None:
            _leadership(work, seat, tech)


def _cutting_edge(work: Work, seat: Seat, tech: Tech, path: tuple[str | int, ...]) -> None:
    if not work.holds(seat, tech):
        why = f"You have no {tech} card left to discard for it."
        work.negate(seat, "JW-13", f"cutting edge: {tech}", why, path)
        return
    work.spend(seat, tech)
    _raise(work, seat, tech, "JW-13", card=tech)


def _leadership(work: Work, seat: Seat, tech: Tech) -> None:
    player = work.players[seat]
    why = ""
    if LEADERSHIP not in player.specials:
        why = "You do not have the ability leadership."
    elif LEADERSHIP in player.used:
        why = "You have used leadership this turn; it works once a turn."
    if why:
        work.negate(seat, "JW-36", f"leadership: {tech}", why, (LEADERSHIP,))
        return
    work.change(seat, used=(*player.used, LEADERSHIP))
    _raise(work, seat, tech, "JW-36", card=None)


def _raise(work: Work, seat: Seat, tech: Tech, rule: str, *, card: str | None) -> None:
    player = work.players[seat]
    work.change(seat, raised={**player.raised, tech: player.raised.get(tech, 0) + 1})
    level = work.players[seat].level(tech)
    work.tell("raised", rule, seat=seat, tech=tech, level=level, card=card)
