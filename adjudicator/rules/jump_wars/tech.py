"""The tech phase: advance and pair (JW-19 to JW-22)."""

from collections.abc import Sequence

from adjudicator.core.document import Orders, Seat
from adjudicator.rules.jump_wars.components import Card, Tech
from adjudicator.rules.jump_wars.draw import RUINS
from adjudicator.rules.jump_wars.work import Work

_ADVANCE = ("tech", "advance")


def advance(work: Work, orders: Orders) -> None:
    """Each player discards the first usable card of the list for good (JW-19)."""
    for seat in work.seats:
        cards = (orders.get(seat, {}).get("tech") or {}).get("advance")
        if cards:
            _advance(work, seat, cards)


def _advance(work: Work, seat: Seat, cards: Sequence[Card]) -> None:
    faults: list[str] = []
    for card in cards:
        fault = _fault(work, seat, card)
        if not fault:
            _use(work, seat, card)
            return
        faults.append(fault)
    # What cannot be used is passed over; an order of which nothing is left fails by JW-19.
    why = " ".join(dict.fromkeys(faults))
    work.negate(seat, "JW-19", f"advance: {', '.join(cards)}", why, _ADVANCE)


def _fault(work: Work, seat: Seat, card: Card) -> str:
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


def _use(work: Work, seat: Seat, card: Card) -> None:
    work.spend(seat, card)
    special = work.components.specials.get(card)
    if special is None:
        _rise(work, seat, card, "JW-19", cards=1)
        return
    player = work.players[seat]
    levels = dict(player.levels)
    for tech, cost in special.cost.items():
        levels[tech] -= cost
    specials = work.components.sorted((*player.specials, card))
    work.change(seat, levels=levels, specials=specials)
    work.tell("gained", "JW-19", seat=seat, special=card, cost=dict(special.cost))


def _rise(work: Work, seat: Seat, tech: Tech, rule: str, *, cards: int) -> None:
    levels = work.players[seat].levels
    level = levels[tech] + 1
    work.change(seat, levels={**levels, tech: level})
    work.tell("advanced", rule, seat=seat, tech=tech, level=level, cards=cards)


def pair(work: Work, orders: Orders) -> None:
    """Each player may discard two cards of one technology to raise it (JW-20)."""
    for seat in work.seats:
        tech = (orders.get(seat, {}).get("tech") or {}).get("pair")
        if tech is None:
            continue
        if tech not in work.components.technologies or not work.holds(seat, tech, 2):
            why = f"You do not have two {tech} cards in hand."
            work.negate(seat, "JW-20", f"pair: {tech}", why, ("tech", "pair"))
            continue
        work.spend(seat, tech)
        work.spend(seat, tech)
        _rise(work, seat, tech, "JW-20", cards=2)
