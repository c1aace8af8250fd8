"""Land & Claim in the second edition (JGB-6)."""

from typing import Final

from adjudicator.core.document import Orders, Seat
from adjudicator.rules.jump_gate.components import Planet
from adjudicator.rules.jump_gate.hand import hold, pay_pair
from adjudicator.rules.jump_gate.movement import here
from adjudicator.rules.jump_gate.offer import amount, perhaps, there
from adjudicator.rules.jump_gate.state import Awaiting, Preferences, after_seat, from_seat
from adjudicator.rules.jump_gate.work import Illegal, Work
from adjudicator.rules.jump_gate.written import Action, wishes

_RULE: Final = "JGB-6"


def land(work: Work, action: Action) -> None:
    """On an unclaimed planet without face-down cards, with two cards for its landing codes."""
    cards = list(action.get("cards") or ())
    hold(work, cards)
    planet = here(work, _RULE, "land")
    site = work.planets[planet]
    if site.claim is not None:
        raise Illegal(_RULE, f"{planet} is claimed by {site.claim}.")
    if work.face_down[planet]:
        raise Illegal(_RULE, f"Cards still lie face-down at {planet}.")
    paid = pay_pair(work, cards, planet, _RULE)
    work.tell("landed", _RULE, seat=work.active, at=planet, cards=list(paid))
    take = wishes(action.get("take"))
    marked = tuple(s for s in from_seat(work.seats, work.active) if s in site.marks)
    if marked and work.asks:
        work.take = take
        work.ask("collect", planet, marked, () if take is not None else (work.active,))
        if work.foreseeing:
            _landing_card(work, planet, take)
        return
    for seat in marked:
        _marked_card(work, planet, seat, None)
    _lander(work, planet, take)


def resume(work: Work, asked: Awaiting, orders: Orders) -> None:
    """First those with marks have chosen, later the lander (JG-15)."""
    answers = {seat: wishes(orders.get(seat, {}).get("collect")) for seat in asked.asked}
    marks = work.planets[asked.at].marks
    take, work.take = work.take, None
    if any(seat in marks for seat in asked.asked):
        for seat in asked.asked:
            _marked_card(work, asked.at, seat, answers[seat])
        _lander(work, asked.at, take if asked.then else take or ())
        return
    _landing_card(work, asked.at, answers[work.active], answered=True)


def _marked_card(work: Work, planet: Planet, seat: Seat, answer: Preferences | None) -> None:
    """Collects the marked card or leaves it; the marker comes back."""
    if work.foreseeing and (seat != work.active or perhaps(work, planet, down=False)):
        work.blur(planet, seat)
    site = work.planets[planet]
    card = site.marks.get(seat)
    if card is None:
        return
    work.change(planet, marks={one: mark for one, mark in site.marks.items() if one != seat})
    wanted = work.orders_of(seat).collect if answer is None else answer
    if work.chooser(seat).collect(wanted, [card], may=True) is None:
        work.tell("left", _RULE, seat=seat, at=planet, how="mark", resource=card)
        return
    work.take_up(planet, card)
    work.gain(seat, card, _RULE, at=planet, how="mark", face_down=False, cards=[])


def _lander(work: Work, planet: Planet, take: Preferences | None) -> None:
    """The lander may take one of what remains, and is asked where nothing was said (JG-15)."""
    if take is None and work.asks and amount(work, planet, down=False):
        work.ask("collect", planet, [work.active])
        if not work.foreseeing:
            return
    _landing_card(work, planet, take)


def _landing_card(
    work: Work, planet: Planet, take: Preferences | None, *, answered: bool = False
) -> None:
    if perhaps(work, planet, down=False):
        work.blur(planet, work.active)
    else:
        cards = there(work, planet, down=False)
        chooser = work.chooser(work.active)
        choose = chooser.collect if answered else chooser.take
        card = choose(take or (), cards, may=True)
        if card is not None:
            work.take_up(planet, card)
            work.gain(work.active, card, _RULE, at=planet, how="landing", face_down=False, cards=[])
        elif cards:
            work.tell("left", _RULE, seat=work.active, at=planet, how="landing", resource=None)
    _claim(work, planet)


def _claim(work: Work, planet: Planet) -> None:
    """The claim marker is placed; after the last one everybody has one more turn (JGB-8)."""
    work.change(planet, claim=work.active)
    work.tell("claimed", _RULE, seat=work.active, at=planet)
    if all(site.claim is not None for site in work.planets.values()):
        work.final_turns = after_seat(work.seats, work.active)
        work.tell("final-turns", "JGB-8", seats=list(work.final_turns))
