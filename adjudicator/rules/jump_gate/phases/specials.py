"""Special actions of the 2010 edition: discard the card that shows one (JGA-9, JGA-14)."""

from collections.abc import Callable, Mapping
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.core.events import format_list
from adjudicator.rules.jump_gate.phases import harvest, land, movement
from adjudicator.rules.jump_gate.phases.hand import pay_one, refill, require_held, spend
from adjudicator.rules.jump_gate.phases.harvest import require_offer
from adjudicator.rules.jump_gate.phases.movement import (
    arrive,
    require_elsewhere,
    require_in_play,
    require_planet,
)
from adjudicator.rules.jump_gate.phases.scan import require_face_down, turn_up_top
from adjudicator.rules.jump_gate.phases.working_copy import Illegal, Work
from adjudicator.rules.jump_gate.position.components import (
    Card,
    Fits,
    NavComp,
    Planet,
    matches_landing_code,
)
from adjudicator.rules.jump_gate.position.order_forms import Action, parse_preferences

SPECIAL_RULE: Final = "JGA-9"
BLACK_HOLE: Final = "black-hole"
JUMP_GATE: Final = "jump-gate"
_BACKROOM_HERE = 2
_BACKROOM_THERE = 1
_FROM_ORBIT: Final = ("hotshot-pilot", "long-range-scan", "wormhole")
"""What a landed ship must return to orbit for (JGA-14)."""


def play_special(work: Work, action: Action) -> None:
    """Play the special action of the card that is named."""
    card: Card = action["card"]
    name = work.components.cards[card].special
    if name in _FROM_ORBIT:
        movement.require_orbit(work)
    require_held(work, [card, *(action.get("cards") or ())])
    if name is None:
        raise Illegal(SPECIAL_RULE, f"{card} shows no special action.")
    _require_no_more(name, action)
    _PLAYED[name](work, action)


def _require_no_more(name: str, action: Action) -> None:
    """Refuse keys that a special action does not use: they were meant differently (JG-6a)."""
    idle = [f"`{key}`" for key in action if key not in ("do", "card", *_KEYS[name])]
    if idle:
        keys = " and ".join(f"`{key}`" for key in _KEYS[name]) or "nothing"
        does = "does" if len(idle) == 1 else "do"
        why = f"{format_list(idle)} {does} not go with {name}; beside `card` it takes {keys}."
        raise Illegal(SPECIAL_RULE, why)


def _play_card(work: Work, action: Action) -> list[Card]:
    """Put the card onto the discard pile and tell everybody."""
    card: Card = action["card"]
    spend(work, [card])
    name = work.components.cards[card].special
    work.tell("special", SPECIAL_RULE, seat=work.active, special=name, cards=[card])
    return [card]


def _play_backroom_deal(work: Work, action: Action) -> None:
    """Take two resources of the own planet, or one of another; the planet must be claimed."""
    own = work.ships[work.active].at
    planet: Planet = action.get("at") or require_planet(
        work, SPECIAL_RULE, "make a deal without `at`"
    )
    require_in_play(work, planet, SPECIAL_RULE)
    harvest.require_claim(work, planet, SPECIAL_RULE)
    take = parse_preferences(action.get("take")) or ()
    number = _BACKROOM_HERE if planet == own else _BACKROOM_THERE
    down = planet == own and movement.has_landed(work)
    require_offer(work, SPECIAL_RULE, take, planet, down=down)
    _play_card(work, action)
    harvest.gather(work, planet, take, number, SPECIAL_RULE, how="backroom-deal", down=down)


def _play_hotshot_pilot(work: Work, action: Action) -> None:
    """Land and claim with one further card that matches one landing code."""
    pilot: Card = action["card"]
    cards = [*(action.get("cards") or ())]
    planet = land.find_landing_place(work, SPECIAL_RULE)
    if len(cards) > 1:
        raise Illegal(SPECIAL_RULE, "A hotshot pilot lands with one further card.")
    world = work.find_world(planet)

    def fits(one: NavComp) -> bool:
        return one.id != pilot and matches_landing_code(one, world)

    _require_further_card(work, cards, fits, planet)
    _play_card(work, action)
    choice = cards[0] if cards else None
    payment = pay_one(work, choice, fits, SPECIAL_RULE, f"landing code for {planet}")
    land.touch_down(work, planet, payment, parse_preferences(action.get("take")), SPECIAL_RULE)


def _require_further_card(work: Work, cards: list[Card], fits: Fits, planet: Planet) -> None:
    """Require the pilot's further card before anything is discarded."""
    all_cards = work.components.cards
    if cards and not fits(all_cards[cards[0]]):
        raise Illegal(SPECIAL_RULE, f"{cards[0]} has no landing code for {planet}.")
    if (
        not cards
        and not work.hoped
        and not any(fits(all_cards[c]) for c in work.hands[work.active])
    ):
        raise Illegal(SPECIAL_RULE, f"You have no further card with a landing code for {planet}.")


def _play_inside_info(work: Work, action: Action) -> None:
    """Refill the hand and gain an action, so that the number left is the same."""
    _play_card(work, action)
    refill(work, work.active, SPECIAL_RULE)
    work.actions_left += 1


def _play_jump_paradox(work: Work, action: Action) -> None:
    """Swap places with another ship; both are in orbit then (JGA-14)."""
    other: Seat | None = action.get("player")
    if other is None:
        raise Illegal(SPECIAL_RULE, "Name the player with whom you swap places: `player: SEAT`.")
    here_, there_ = work.ships[work.active].at, work.ships[other].at
    if here_ == there_:
        raise Illegal(SPECIAL_RULE, "The two ships must be in different places.")
    _play_card(work, action)
    arrive(work, work.active, there_)
    arrive(work, other, here_)
    work.tell("swapped", SPECIAL_RULE, seat=work.active, player=other, here=there_, there=here_)


def _play_long_range_scan(work: Work, action: Action) -> None:
    """Scan any planet that has a face-down card, without a code."""
    planet: Planet = action.get("at") or require_planet(work, SPECIAL_RULE, "scan without `at`")
    require_in_play(work, planet, SPECIAL_RULE)
    require_face_down(work, planet, SPECIAL_RULE)
    cards = _play_card(work, action)
    turn_up_top(work, planet, SPECIAL_RULE, cards)


def _play_lost_records(work: Work, action: Action) -> None:
    """Remove a marker that is there: of a scan, of the Jump Gate, of the Black Hole."""
    remove = action.get("remove")
    if remove is None:
        raise Illegal(SPECIAL_RULE, "Name the marker: `remove: {from: black-hole, player: SEAT}`.")
    seat: Seat = remove["player"]
    place: str = remove["from"]
    hoped = place == BLACK_HOLE and seat in work.perhaps_marked
    if not _find_markers(work, place).get(seat, 0):
        if not hoped:
            raise Illegal(SPECIAL_RULE, f"{seat} has no such marker there ({place}).")
        work.doubt(SPECIAL_RULE, f"{seat} has no marker there yet.")
    _play_card(work, action)
    if hoped:
        return
    if place == BLACK_HOLE:
        work.black_hole[seat] -= 1
    elif place == JUMP_GATE:
        work.jump_gate[seat] -= 1
    else:
        scans = work.planets[place].scans
        markers = {**scans, seat: scans[seat] - 1}
        work.change(place, scans={one: number for one, number in markers.items() if number})
    work.tell("records-lost", SPECIAL_RULE, seat=work.active, player=seat, origin=place)


def _find_markers(work: Work, place: str) -> Mapping[Seat, int]:
    if place == BLACK_HOLE:
        return work.black_hole
    if place == JUMP_GATE:
        return work.jump_gate
    return work.planets[place].scans if place in work.planets else {}


def _play_wormhole(work: Work, action: Action) -> None:
    """Move to any other planet, also from the Jump Gate; no marker."""
    target: Planet | None = action.get("to")
    if target is None:
        raise Illegal(SPECIAL_RULE, "Say where to: `to: PLANET`.")
    require_in_play(work, target, SPECIAL_RULE)
    require_elsewhere(work, target, SPECIAL_RULE)
    origin = work.ships[work.active].at
    _play_card(work, action)
    arrive(work, work.active, target)
    work.tell("warped", SPECIAL_RULE, seat=work.active, origin=origin, to=target)


_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "backroom-deal": ("at", "take"),
    "hotshot-pilot": ("cards", "take"),
    "inside-info": (),
    "jump-paradox": ("player",),
    "long-range-scan": ("at",),
    "lost-records": ("remove",),
    "wormhole": ("to",),
}
"""What each of them needs beside its card (JG-6a)."""

_PLAYED: Final[Mapping[str, Callable[[Work, Action], None]]] = {
    "backroom-deal": _play_backroom_deal,
    "hotshot-pilot": _play_hotshot_pilot,
    "inside-info": _play_inside_info,
    "jump-paradox": _play_jump_paradox,
    "long-range-scan": _play_long_range_scan,
    "lost-records": _play_lost_records,
    "wormhole": _play_wormhole,
}
