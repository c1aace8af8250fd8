"""Land and claim in both editions, with and without Orbital Burn (JGA-7, JGA-14, JGB-6)."""

from collections.abc import Sequence
from typing import Final

from adjudicator.core.document import Orders, Seat
from adjudicator.core.tabletop import list_seats_after, list_seats_from
from adjudicator.rules.jump_gate.phases import movement
from adjudicator.rules.jump_gate.phases.hand import pay_pair, require_held
from adjudicator.rules.jump_gate.phases.harvest import (
    count_offer,
    has_choice,
    list_sure_offer,
    list_unsure_offer,
)
from adjudicator.rules.jump_gate.phases.movement import require_planet
from adjudicator.rules.jump_gate.phases.preferences import foresee_choice
from adjudicator.rules.jump_gate.phases.scan import UNCERTAIN
from adjudicator.rules.jump_gate.phases.working_copy import Illegal, Work
from adjudicator.rules.jump_gate.position.components import Card, Planet
from adjudicator.rules.jump_gate.position.order_forms import Action, parse_preferences
from adjudicator.rules.jump_gate.position.resources import NOTHING, UNKNOWN, Resource
from adjudicator.rules.jump_gate.position.state import Awaiting, Preferences, Ship, list_unmarked

RULE_2010: Final = "JGA-7"


def land_2010(work: Work, action: Action) -> None:
    """Land with two cards for the two landing codes."""
    movement.require_orbit(work)
    cards = list(action.get("cards") or ())
    require_held(work, cards)
    planet = find_landing_place(work, RULE_2010, action.get("at"))
    payment = pay_pair(work, cards, planet, RULE_2010)
    touch_down(work, planet, payment, parse_preferences(action.get("take")), RULE_2010)


def find_landing_place(work: Work, rule: str, choice: Planet | None = None) -> Planet:
    """Find the active player's planet; without Orbital Burn it must be unclaimed."""
    planet = require_planet(work, rule, "land", choice)
    claim = work.planets[planet].claim
    if claim is not None and not work.options.orbital_burn:
        raise Illegal(rule, f"{planet} is claimed by {claim}.")
    return planet


def touch_down(
    work: Work, planet: Planet, cards: Sequence[Card], take: Preferences | None, rule: str
) -> None:
    """Claim the planet and deal with what lies there; only the first to land does (JGA-14)."""
    burn = work.options.orbital_burn
    work.tell(
        "landed", movement.ORBIT_RULE if burn else rule, seat=work.active, at=planet, cards=[*cards]
    )
    if burn:
        work.ships[work.active] = Ship(planet, landed=True)
    if work.planets[planet].claim is not None:
        return
    work.change(planet, claim=work.active)
    work.tell("claimed", movement.ORBIT_RULE if burn else rule, seat=work.active, at=planet)
    if not burn:
        _turn_everything_up(work, planet)
    if take is None and has_choice(work, planet, down=burn) and _must_ask_lander(work, planet):
        work.ask("collect", planet, [work.active], _list_scanners(work, planet))
        return
    _take_landing_card(work, planet, take)
    _take_scan_cards(work, planet, _list_scanners(work, planet))


def _must_ask_lander(work: Work, planet: Planet) -> bool:
    """Whether the card of the landing is to be asked for, `take` being left out (JG-15)."""
    cards = list_sure_offer(work, planet, down=work.options.orbital_burn)
    standing = work.find_standing(work.active).take
    return work.must_ask(standing, cards, may=work.components.is_second)


def resume_2010(work: Work, awaiting: Awaiting, orders: Orders) -> None:
    """Give a card to the player who was asked; then it is the next one's choice (JG-15)."""
    (seat,) = awaiting.asked
    answer = parse_preferences(orders.get(seat, {}).get("collect"))
    own = work.planets[awaiting.at].scans.get(seat, 0) > 0
    if seat == work.active and (seat in awaiting.then or not own):
        _take_landing_card(work, awaiting.at, answer, answered=answer is not None)
    else:
        _take_scan_card(work, awaiting.at, seat, answer)
    _take_scan_cards(work, awaiting.at, awaiting.then)


def _turn_everything_up(work: Work, planet: Planet) -> None:
    cards = [work.turn_up(planet) for _ in range(len(work.face_down[planet]))]
    if cards:
        work.tell("turned-up", RULE_2010, at=planet, resources=cards)
    face_up = work.planets[planet].face_up
    number = face_up.count(NOTHING)
    if number:
        work.change(planet, face_up=tuple(card for card in face_up if card != NOTHING))
        work.tell("removed", RULE_2010, at=planet, number=number)


def _list_scanners(work: Work, planet: Planet) -> tuple[Seat, ...]:
    """List who may take one for scan markers: most first, ties clockwise, lander last (JGA-7)."""
    scans = work.planets[planet].scans
    clockwise = list_seats_after(work.seats, work.active)
    return tuple(sorted((s for s in clockwise if s in scans), key=lambda seat: -scans[seat]))


def _take_landing_card(
    work: Work, planet: Planet, take: Preferences | None, *, answered: bool = False
) -> None:
    """Give the lander a card if any is left; it can be declined in the second edition only."""
    down, may = work.options.orbital_burn, work.components.is_second
    cards = list_sure_offer(work, planet, down=down)
    chooser = work.make_chooser(work.active)
    preferences = take or work.find_standing(work.active).take
    if unsure := list_unsure_offer(work, planet, down=down):
        if take is not None or work.asked != work.entry:
            card = foresee_choice(chooser, preferences, work.safe or cards, unsure, may=may)
            work.foresee(planet, card, _find_landing_rule(work), how="landing", payment=())
        work.blur(planet, work.active)
        return
    choose = chooser.collect if answered else chooser.take
    card = choose(preferences, cards, may=may)
    if card is not None:
        work.collect(work.active, planet, card, _find_landing_rule(work), how="landing")
    elif cards:
        _tell_left(work, planet, work.active, "landing")


def _tell_left(
    work: Work, planet: Planet, seat: Seat, how: str, resource: Resource | None = None
) -> None:
    work.tell("left", _find_landing_rule(work), seat=seat, at=planet, how=how, resource=resource)


def _take_scan_cards(work: Work, planet: Planet, seats: Sequence[Seat]) -> None:
    """Let each take one; with `interrupts: ask` the game stops for the next who has a choice."""
    for place, seat in enumerate(seats):
        down = _sees_all(work, seat)
        if not count_offer(work, planet, down=down):
            continue
        cards = list_sure_offer(work, planet, down=down)
        if work.must_ask(work.find_standing(seat).collect, cards, may=True):
            work.ask("collect", planet, [seat], seats[place + 1 :])
            return
        _take_scan_card(work, planet, seat, None)


def _take_scan_card(work: Work, planet: Planet, seat: Seat, answer: Preferences | None) -> None:
    down = _sees_all(work, seat)
    others = work.is_foreseeing and seat != work.active
    if others or list_unsure_offer(work, planet, down=down):
        work.blur(planet, seat)
        return
    cards = list_sure_offer(work, planet, down=down)
    preferences = work.find_standing(seat).collect if answer is None else answer
    card = work.make_chooser(seat).collect(preferences, cards, may=True)
    if card is not None:
        work.collect(seat, planet, card, _find_landing_rule(work), how="scan")
    else:
        _tell_left(work, planet, seat, "scan")


def _sees_all(work: Work, seat: Seat) -> bool:
    """Whether the seat chooses among all cards, as the lander does with Orbital Burn (JGA-14)."""
    return work.options.orbital_burn and seat == work.active


def _find_landing_rule(work: Work) -> str:
    if work.components.is_second:
        return _RULE_SECOND
    return movement.ORBIT_RULE if work.options.orbital_burn else RULE_2010


_RULE_SECOND: Final = "JGB-6"


def land_second(work: Work, action: Action) -> None:
    """Land on an unclaimed planet without face-down cards, with cards for its two landing codes."""
    cards = list(action.get("cards") or ())
    require_held(work, cards)
    planet = require_planet(work, _RULE_SECOND, "land", action.get("at"))
    site = work.planets[planet]
    if site.claim is not None:
        raise Illegal(_RULE_SECOND, f"{planet} is claimed by {site.claim}.")
    if work.face_down[planet]:
        raise Illegal(_RULE_SECOND, f"Cards still lie face-down at {planet}.")
    payment = pay_pair(work, cards, planet, _RULE_SECOND)
    work.tell("landed", _RULE_SECOND, seat=work.active, at=planet, cards=list(payment))
    take = parse_preferences(action.get("take"))
    if work.is_foreseeing:
        is_known = site.marks.get(work.active) not in (UNKNOWN, UNCERTAIN)
        work.safe = list_unmarked(site) if is_known else ()
    markers = tuple(s for s in list_seats_from(work.seats, work.active) if s in site.marks)
    choosers = [seat for seat in markers if _must_ask_marked(work, seat, site.marks[seat])]
    if choosers:
        work.take = take
        work.ask("collect", planet, choosers, () if take is not None else (work.active,))
        if work.is_foreseeing:
            _take_landing_card(work, planet, take)
            _place_claim(work, planet)
        return
    for seat in markers:
        _take_marked_card(work, planet, seat, None)
    _serve_lander(work, planet, take)


def _must_ask_marked(work: Work, seat: Seat, card: Resource) -> bool:
    return work.must_ask(work.find_standing(seat).collect, (card,), may=True)


def resume_second(work: Work, awaiting: Awaiting, orders: Orders) -> None:
    """Go on when those with marks, or later the lander, have chosen (JG-15)."""
    answers = {
        seat: parse_preferences(orders.get(seat, {}).get("collect")) for seat in awaiting.asked
    }
    marks = work.planets[awaiting.at].marks
    take, work.take = work.take, None
    if any(seat in marks for seat in awaiting.asked):
        for seat in list_seats_from(work.seats, work.active):
            _take_marked_card(work, awaiting.at, seat, answers.get(seat))
        _serve_lander(work, awaiting.at, take if awaiting.then else take or ())
        return
    answer = answers[work.active]
    _take_landing_card(work, awaiting.at, answer, answered=answer is not None)
    _place_claim(work, awaiting.at)


def _take_marked_card(work: Work, planet: Planet, seat: Seat, answer: Preferences | None) -> None:
    """Collect the marked card or leave it; the marker comes back."""
    card = work.planets[planet].marks.get(seat)
    preferences = work.find_standing(seat).collect if answer is None else answer
    if work.is_foreseeing and (seat != work.active or list_unsure_offer(work, planet, down=False)):
        if seat == work.active and card not in (None, UNKNOWN, UNCERTAIN):
            choice = work.make_chooser(seat).collect(preferences, [card], may=True)
            work.foresee(planet, choice, _RULE_SECOND, how="mark", payment=())
        work.blur(planet, seat)
        return
    if card is None:
        return
    work.unmark(planet, seat)
    if work.make_chooser(seat).collect(preferences, [card], may=True) is None:
        _tell_left(work, planet, seat, "mark", card)
    else:
        work.collect(seat, planet, card, _RULE_SECOND, how="mark")


def _serve_lander(work: Work, planet: Planet, take: Preferences | None) -> None:
    """Let the lander take one of what remains, and ask where nothing was said (JG-15)."""
    offered = count_offer(work, planet, down=False)
    if take is None and offered and _must_ask_lander(work, planet):
        work.ask("collect", planet, [work.active])
        if not work.is_foreseeing:
            return
    _take_landing_card(work, planet, take)
    _place_claim(work, planet)


def _place_claim(work: Work, planet: Planet) -> None:
    """Place the claim marker; after the last one everybody has one more turn (JGB-8)."""
    work.change(planet, claim=work.active)
    work.tell("claimed", _RULE_SECOND, seat=work.active, at=planet)
    if all(site.claim is not None for site in work.planets.values()):
        work.final_turns = list_seats_after(work.seats, work.active)
        work.tell("final-turns", "JGB-8", seats=list(work.final_turns))
