"""Find what a ship can do where it is, as far as its player sees."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.rules.jump_gate.position.components import (
    Card,
    Components,
    NavComp,
    Planet,
    list_landing_pairs,
    matches_landing_code,
)
from adjudicator.rules.jump_gate.position.resources import Resource, list_collectable
from adjudicator.rules.jump_gate.position.state import (
    Site,
    Table,
    View,
    find_neighbours,
    list_unmarked,
)

Action = dict[str, Any]
"""An entry of the form `turn`."""


class Sight(Struct, frozen=True):
    """Where a ship is and what its player holds, while a list of actions is thought through."""

    components: Components
    table: Table
    seat: Seat
    hand: tuple[Card, ...]
    at: Planet | None
    landed: bool
    left: int
    below: Mapping[Planet, Sequence[Resource]]
    """Face-down cards that the player sees (JGA-14)."""
    touched: Planet | None = None
    """A planet whose cards are no longer those of the table."""

    @property
    def site(self) -> Site | None:
        """The planet where the ship is, if its cards are known."""
        if self.at is None or self.at == self.touched:
            return None
        return self.table.planets[self.at]


def see_position(view: View, seat: Seat, components: Components) -> Sight:
    """Return what the seat sees before it acts."""
    table = view.table
    ship = table.ships[seat]
    return Sight(
        components,
        table,
        seat,
        view.hand,
        ship.at,
        ship.landed,
        table.actions_left if table.active == seat else 0,
        view.face_down,
    )


def list_flights(here: Sight) -> Sequence[Planet]:
    """List where the ship can fly (JG-9)."""
    if here.at is None or here.landed:
        return ()
    return tuple(dict.fromkeys(find_neighbours(here.table.ring, here.at)))


def list_other_planets(here: Sight) -> Sequence[Planet]:
    """List every planet but the ship's own: where a wormhole leads (JGA-9)."""
    return () if here.landed else tuple(one for one in here.table.ring if one != here.at)


def list_jumps(here: Sight) -> Sequence[tuple[Card, Planet]]:
    """List the cards that can jump, and where each of them jumps (JG-9)."""
    targets = list_other_planets(here)
    worlds, cards = here.components.worlds, here.components.cards
    return [
        (card, planet)
        for card in here.hand
        for planet in targets
        if cards[card].fits("jump", worlds[planet].jump)
    ]


def can_be_scanned(here: Sight, planet: Planet | None) -> bool:
    """Whether a face-down card can be turned up there (JGA-6, JGB-5)."""
    if planet is None or planet == here.touched or here.landed:
        return False
    return here.table.planets[planet].face_down > 0


def list_scanners(here: Sight) -> Sequence[Card]:
    """List the cards that scan the ship's planet."""
    if here.at is None or not can_be_scanned(here, here.at):
        return ()
    code = here.components.worlds[here.at].scan
    return [card for card in here.hand if here.components.cards[card].fits("scan", code)]


def may_land(here: Sight) -> bool:
    """Whether the ship's planet is free to land on, given the codes (JGA-7, JGB-6)."""
    site = here.site
    if site is None or here.landed:
        return False
    if here.table.options.orbital_burn:  # JGA-14
        return True
    return site.claim is None and not (here.components.is_second and site.face_down)


def list_landings(here: Sight) -> Sequence[tuple[Card, Card]]:
    """List the pairs of cards that land."""
    if here.at is None or not may_land(here):
        return ()
    return list_landing_pairs(here.hand, here.components.worlds[here.at], here.components)


def list_co_pilots(here: Sight, pilot: Card) -> Sequence[Card]:
    """List what lands together with a hotshot pilot (JGA-9)."""
    if here.at is None or not may_land(here):
        return ()
    world, cards = here.components.worlds[here.at], here.components.cards
    return [one for one in here.hand if one != pilot and matches_landing_code(cards[one], world)]


def list_offer(here: Sight) -> Sequence[Resource]:
    """List what a harvest can take (JGA-8, JGA-14, JGB-7)."""
    site = here.site
    if site is None or here.at is None:
        return ()
    if here.components.is_second:
        return _list_second_offer(here, site) if here.hand else ()
    if site.claim is None:
        return ()
    return list_collectable((*site.face_up, *(here.below.get(here.at, ()) if here.landed else ())))


def _list_second_offer(here: Sight, site: Site) -> Sequence[Resource]:
    mark = site.marks.get(here.seat)
    if mark is not None:
        return (mark,)
    return () if site.face_down else list_unmarked(site)


def list_dealers(here: Sight) -> Mapping[Planet, Sequence[Resource]]:
    """List other planets from which a backroom deal takes a card, and what is there (JGA-9)."""
    planets = here.table.planets
    return {
        planet: cards
        for planet, site in planets.items()
        if planet not in (here.at, here.touched) and site.claim is not None
        if (cards := list_collectable(site.face_up))
    }


def list_partners(here: Sight) -> Sequence[Seat]:
    """List the seats with which a jump paradox swaps places (JGA-9)."""
    ships = here.table.ships
    return [seat for seat in here.table.seats if seat != here.seat and ships[seat].at != here.at]


def list_records(here: Sight) -> Sequence[Mapping[str, str]]:
    """List the markers that can be removed, as `remove` names them (JGA-9)."""
    table = here.table
    boards = {"black-hole": table.black_hole, "jump-gate": table.jump_gate}
    boards |= {planet: site.scans for planet, site in table.planets.items()}
    return [
        {"from": place, "player": seat}
        for place, markers in boards.items()
        for seat in table.seats
        if markers.get(seat)
    ]


def list_special_targets(here: Sight, card: NavComp) -> Sequence[str]:
    """List targets of its special action: places, seats or things; empty if there are none."""
    return _TARGETS[card.special](here, card.id) if card.special else ()


_TARGETS: Mapping[str, Callable[[Sight, Card], Sequence[str]]] = {
    "backroom-deal": lambda here, _: [
        *([here.at] if here.at and list_offer(here) else ()),
        *list_dealers(here),
    ],
    "hotshot-pilot": list_co_pilots,
    "inside-info": lambda here, _: [here.seat],
    "jump-paradox": lambda here, _: list_partners(here),
    "long-range-scan": lambda here, _: [
        planet for planet in here.table.ring if can_be_scanned(here, planet)
    ],
    "lost-records": lambda here, _: [
        f"{marker['player']} at {marker['from']}" for marker in list_records(here)
    ],
    "wormhole": lambda here, _: list_other_planets(here),
}


def list_specials(here: Sight) -> Sequence[NavComp]:
    """List the cards of the hand that show a special action."""
    cards = here.components.cards
    return [cards[card] for card in here.hand if cards[card].special]


def see_after(here: Sight, action: Action) -> Sight | None:
    """Return what is seen once the action is done; None if too much is open by then."""
    expense = {action.get("card"), *action.get("cards", ()), *action.get("discard", ())}
    hand = tuple(card for card in here.hand if card not in expense)
    at, landed, touched = here.at, here.landed, here.touched
    name = action["do"]
    if name == "special":
        name = here.components.cards[action["card"]].special
    if name in ("fly", "jump", "wormhole"):
        at = action["to"]
    elif name == "return-to-orbit":
        landed = False
    elif name == "scan":
        touched = at
    elif name not in ("research", "inside-info"):
        return None
    if name in ("jump", "scan") and "card" not in action:
        return None
    remaining = here.left - (name != "inside-info")
    return replace(here, hand=hand, at=at, landed=landed, left=remaining, touched=touched)
