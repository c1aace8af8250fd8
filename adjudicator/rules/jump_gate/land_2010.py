"""Land-and-Claim in the 2010 edition, with and without Orbital Burn (JGA-7, JGA-14)."""

from collections.abc import Sequence
from typing import Final

from adjudicator.core.document import Orders, Seat
from adjudicator.rules.jump_gate import orbit
from adjudicator.rules.jump_gate.components import Card, Planet
from adjudicator.rules.jump_gate.hand import hold, pay_pair
from adjudicator.rules.jump_gate.movement import here
from adjudicator.rules.jump_gate.offer import amount, differ, perhaps, there
from adjudicator.rules.jump_gate.resources import NOTHING, Resource
from adjudicator.rules.jump_gate.state import Awaiting, Preferences, Ship, after_seat
from adjudicator.rules.jump_gate.work import Illegal, Work
from adjudicator.rules.jump_gate.written import Action, wishes

RULE: Final = "JGA-7"


def land(work: Work, action: Action) -> None:
    """With two cards for the two landing codes."""
    orbit.needed(work)
    cards = list(action.get("cards") or ())
    hold(work, cards)
    planet = landing_place(work, RULE)
    paid = pay_pair(work, cards, planet, RULE)
    touch_down(work, planet, paid, wishes(action.get("take")), RULE)


def landing_place(work: Work, rule: str) -> Planet:
    """One's own planet; without Orbital Burn only an unclaimed one."""
    planet = here(work, rule, "land")
    claim = work.planets[planet].claim
    if claim is not None and not work.options.orbital_burn:
        raise Illegal(rule, f"{planet} is claimed by {claim}.")
    return planet


def touch_down(
    work: Work, planet: Planet, cards: Sequence[Card], take: Preferences | None, rule: str
) -> None:
    """Claims the planet, and deals with what lies there; the first to land only (JGA-14)."""
    burn = work.options.orbital_burn
    work.tell("landed", orbit.RULE if burn else rule, seat=work.active, at=planet, cards=[*cards])
    if burn:
        work.ships[work.active] = Ship(planet, landed=True)
    if work.planets[planet].claim is not None:
        return
    work.change(planet, claim=work.active)
    work.tell("claimed", orbit.RULE if burn else rule, seat=work.active, at=planet)
    if not burn:
        _turn_everything_up(work, planet)
    if take is None and work.asks and differ(work, planet, down=burn):
        work.ask("collect", planet, [work.active], _scanners(work, planet))
        return
    _landing_card(work, planet, take)
    _scan_cards(work, planet, _scanners(work, planet))


def resume(work: Work, asked: Awaiting, orders: Orders) -> None:
    """The one who was asked takes a card; then it is the next one's choice (JG-15)."""
    (seat,) = asked.asked
    answer = wishes(orders.get(seat, {}).get("collect"))
    own = work.planets[asked.at].scans.get(seat, 0) > 0
    if seat == work.active and (seat in asked.then or not own):
        _landing_card(work, asked.at, answer, answered=True)
    else:
        _scan_card(work, asked.at, seat, answer)
    _scan_cards(work, asked.at, asked.then)


def _turn_everything_up(work: Work, planet: Planet) -> None:
    turned = [work.turn_up(planet) for _ in range(len(work.face_down[planet]))]
    if turned:
        work.tell("turned-up", RULE, at=planet, resources=turned)
    face_up = work.planets[planet].face_up
    number = face_up.count(NOTHING)
    if number:
        work.change(planet, face_up=tuple(card for card in face_up if card != NOTHING))
        work.tell("removed", RULE, at=planet, number=number)


def _scanners(work: Work, planet: Planet) -> tuple[Seat, ...]:
    """Who may take one for scan markers: most first, ties clockwise, the lander last (JGA-7)."""
    scans = work.planets[planet].scans
    clockwise = after_seat(work.seats, work.active)
    return tuple(sorted((s for s in clockwise if s in scans), key=lambda seat: -scans[seat]))


def _landing_card(
    work: Work, planet: Planet, take: Preferences | None, *, answered: bool = False
) -> None:
    """The lander takes one if any is left; it cannot be declined."""
    burn = work.options.orbital_burn
    if perhaps(work, planet, down=burn):
        work.blur(planet, work.active)
        return
    cards = there(work, planet, down=burn)
    chooser = work.chooser(work.active)
    choose = chooser.collect if answered else chooser.take
    card = choose(take or (), cards, may=False)
    if card is not None:
        _give(work, planet, work.active, card, "landing")


def _scan_cards(work: Work, planet: Planet, seats: Sequence[Seat]) -> None:
    """Each may take one; with `interrupts: ask` the game stops for the next who has a choice."""
    for place, seat in enumerate(seats):
        down = _sees_all(work, seat)
        if not amount(work, planet, down=down):
            continue
        if work.asks:
            work.ask("collect", planet, [seat], seats[place + 1 :])
            return
        _scan_card(work, planet, seat, None)


def _scan_card(work: Work, planet: Planet, seat: Seat, answer: Preferences | None) -> None:
    down = _sees_all(work, seat)
    others = work.foreseeing and seat != work.active
    if others or perhaps(work, planet, down=down):
        work.blur(planet, seat)
        return
    cards = there(work, planet, down=down)
    wanted = work.orders_of(seat).collect if answer is None else answer
    card = work.chooser(seat).collect(wanted, cards, may=True)
    if card is not None:
        _give(work, planet, seat, card, "scan")
    else:
        work.tell("left", _rule(work), seat=seat, at=planet, how="scan", resource=None)


def _sees_all(work: Work, seat: Seat) -> bool:
    """With Orbital Burn a lander with scan markers chooses among all (JGA-14)."""
    return work.options.orbital_burn and seat == work.active


def _give(work: Work, planet: Planet, seat: Seat, card: Resource, how: str) -> None:
    face_down = work.take_up(planet, card)
    work.gain(seat, card, _rule(work), at=planet, how=how, face_down=face_down, cards=[])


def _rule(work: Work) -> str:
    return orbit.RULE if work.options.orbital_burn else RULE
