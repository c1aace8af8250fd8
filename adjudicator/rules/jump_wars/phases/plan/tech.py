"""Levels: the tech phase, and raises until the end of the turn (JW-13, JW-19 to JW-22, JW-36)."""

from collections.abc import Sequence

from msgspec.structs import replace

from adjudicator.core.document import Document, Orders, Seat
from adjudicator.core.events import Event
from adjudicator.rules.jump_wars.phases.trial import Findings, foresee_faults
from adjudicator.rules.jump_wars.phases.working_copy import Luck, Work
from adjudicator.rules.jump_wars.position.components import Card, Components, Tech
from adjudicator.rules.jump_wars.position.state import RUINS, State, Table, View

_ADVANCE = ("tech", "advance")


def advance_levels(work: Work, orders: Orders) -> None:
    """Let each player discard the first usable card of the list for good (JW-19)."""
    for seat, cards in work.list_wanted(orders, "tech", "advance"):
        if cards:
            _advance(work, seat, cards)


def _advance(work: Work, seat: Seat, cards: Sequence[Card]) -> None:
    faults: list[str] = []
    for card in cards:
        fault = _find_fault(work, seat, card)
        if not fault:
            _use_card(work, seat, card)
            return
        faults.append(fault)
    # Unusable cards are skipped; an order without any usable card fails by JW-19.
    why = " ".join(dict.fromkeys(faults))
    work.negate(seat, "JW-19", f"advance: {', '.join(cards)}", why, _ADVANCE)


def _find_fault(work: Work, seat: Seat, card: Card) -> str:
    if not work.holds(seat, card):
        return f"You have no {card} card in hand."
    special = work.components.specials.get(card)
    if special is None:
        return ""
    if card == RUINS:
        return "The progenitor ruins never become an ability; draw with them (JW-15)."
    if work.has(seat, card):
        return f"You have the ability {card} already (JW-22)."
    levels = work.players[seat].levels
    short = [tech for tech, cost in special.cost.items() if levels[tech] - cost < 1]
    return f"{card} would push {short[0]} below level 1 (JW-21)." if short else ""


def _use_card(work: Work, seat: Seat, card: Card) -> None:
    work.spend(seat, card)
    special = work.components.specials.get(card)
    if special is None:
        _advance_level(work, seat, card, "JW-19", cards=1)
        return
    player = work.players[seat]
    levels = dict(player.levels)
    for tech, cost in special.cost.items():
        levels[tech] -= cost
    specials = work.components.sort_cards((*player.specials, card))
    work.change(seat, levels=levels, specials=specials)
    work.tell("gained", "JW-19", seat=seat, special=card, cost=dict(special.cost))


def _advance_level(work: Work, seat: Seat, tech: Tech, rule: str, *, cards: int) -> None:
    levels = work.players[seat].levels
    level = levels[tech] + 1
    work.change(seat, levels={**levels, tech: level})
    work.tell("advanced", rule, seat=seat, tech=tech, level=level, cards=cards)


def advance_by_pairs(work: Work, orders: Orders) -> None:
    """Let each player discard two cards of one technology to raise it (JW-20)."""
    for seat, tech in work.list_wanted(orders, "tech", "pair"):
        if tech not in work.components.technologies or not work.holds(seat, tech, 2):
            why = f"You do not have two {tech} cards in hand."
            work.negate(seat, "JW-20", f"pair: {tech}", why, ("tech", "pair"))
            continue
        work.spend(seat, tech)
        work.spend(seat, tech)
        _advance_level(work, seat, tech, "JW-20", cards=2)


LEADERSHIP = "leadership"


def adjudicate_raises(
    state: State, orders: Orders, components: Components
) -> tuple[State, tuple[Event, ...]]:
    """Adjudicate the raises of a jump form; the step and everything else stay the same."""
    if not any(map(has_raises, orders.values())):
        return state, ()
    work = Work.from_state(state, components)
    make_raises(work, orders)
    table = replace(state.table, players=work.players, discard=tuple(work.discard))
    hands = {seat: tuple(hand) for seat, hand in work.hands.items()}
    return replace(state, table=table, hands=hands), tuple(work.events)


def has_raises(form: Document) -> bool:
    """Whether a jump form raises levels."""
    return bool(form.get("cutting_edge") or form.get(LEADERSHIP))


def foresee_raises(
    view: View, seat: Seat, orders: Document, components: Components
) -> tuple[Table, Findings]:
    """Foresee the table as a jump form's own raises would leave it, and their outcome."""
    if not has_raises(orders):
        return view.table, ()
    findings = foresee_faults(view, seat, orders, components, make_raises)
    work = Work.from_view(view, components, Luck.WORST)
    make_raises(work, {seat: orders})
    return replace(view.table, players=work.players, discard=tuple(work.discard)), findings


def make_raises(work: Work, orders: Orders) -> None:
    """Raise levels: all players' cutting edge, then all players' leadership."""
    for seat, techs in work.list_wanted(orders, "cutting_edge"):
        for place, tech in enumerate(techs):
            _raise_by_card(work, seat, tech, ("cutting_edge", place))
    for seat, tech in work.list_wanted(orders, LEADERSHIP):
        _raise_by_leadership(work, seat, tech)


def _raise_by_card(work: Work, seat: Seat, tech: Tech, path: tuple[str | int, ...]) -> None:
    if not work.holds(seat, tech):
        why = f"You have no {tech} card left to discard for it."
        work.negate(seat, "JW-13", f"cutting edge: {tech}", why, path)
        return
    work.spend(seat, tech)
    _raise_level(work, seat, tech, "JW-13", card=tech)


def _raise_by_leadership(work: Work, seat: Seat, tech: Tech) -> None:
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
    _raise_level(work, seat, tech, "JW-36", card=None)


def _raise_level(work: Work, seat: Seat, tech: Tech, rule: str, *, card: str | None) -> None:
    player = work.players[seat]
    work.change(seat, raised={**player.raised, tech: player.raised.get(tech, 0) + 1})
    level = work.players[seat].find_level(tech)
    work.tell("raised", rule, seat=seat, tech=tech, level=level, card=card)
