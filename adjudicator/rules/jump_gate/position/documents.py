"""The state document of the rulebook, read and written."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, Seat, to_plain, to_stored
from adjudicator.core.game import Over
from adjudicator.core.names import fold
from adjudicator.core.state_reader import Names, StateReader, list_values, match_keys
from adjudicator.core.tabletop import complete_deck, count_remaining, list_seats_from
from adjudicator.rules.jump_gate.position.components import Card, Components, Planet
from adjudicator.rules.jump_gate.position.resources import Resource, sort_cards
from adjudicator.rules.jump_gate.position.state import (
    NONE,
    Awaiting,
    Options,
    Place,
    Preferences,
    Ship,
    Site,
    Standing,
    State,
    Table,
    list_absent_options,
    list_seats,
    read_options,
)

GATE = "gate"
_ONLY_2010 = ("jump_gate", "scans")
_ONLY_SECOND = ("hidden", "final_turns", "marks")
_OTHERWISE = ("piles",)
"""Fields of the state that its document writes otherwise: what lies on a planet stands there."""


def dump(state: State, components: Components) -> dict[str, Any]:
    """Write the state document; default values are left out, except for ships."""
    table, waits = state.table, state.table.awaiting
    options = to_plain(table.options)
    absent_options = list_absent_options(components)
    values: dict[str, Any] = {
        **list_values(state),
        "options": {key: value for key, value in options.items() if key not in absent_options},
        "planets": {
            planet: _dump_site(table.planets[planet], state.piles[planet]) for planet in table.ring
        },
        "ships": {seat: _dump_ship(table.ships[seat]) for seat in table.seats},
        "standing": {seat: _dump_standing(orders) for seat, orders in state.standing.items()},
        "awaiting": waits
        and {waits.what: dict.fromkeys(waits.asked, waits.at), "then": waits.then},
        "moves": [
            {"turn": one.turn, "seat": one.seat, "from": one.origin or GATE, "to": one.to or GATE}
            for one in table.moves
        ]
        or None,
    }
    absent = _list_absent(components)
    there = {key: one for key, one in values.items() if one is not None and key not in absent}
    document: dict[str, Any] = to_stored(there)
    return document


def _list_absent(components: Components) -> Sequence[str]:
    """List the keys that an edition's documents do not have."""
    own = _ONLY_2010 if components.is_second else _ONLY_SECOND
    return (*own, *_OTHERWISE, *list_absent_options(components))


def _dump_site(site: Site, face_down: Sequence[Resource]) -> dict[str, Any]:
    more = {"claim": site.claim, "marks": site.marks, "scans": site.scans}
    there = {key: value for key, value in more.items() if value}
    return {"face_up": site.face_up, "face_down": face_down, **there}


def _dump_ship(ship: Ship) -> Any:
    return {"planet": ship.at, "landed": True} if ship.landed else ship.at or GATE


def _dump_standing(orders: Standing) -> dict[str, Any]:
    """Write standing orders as a form does."""
    lists = {"collect": orders.collect, "mark": orders.mark, "take": orders.take}
    lists_in_use = {key: NONE if one == (NONE,) else one for key, one in lists.items() if one}
    return {**lists_in_use, "black_hole": orders.black_hole}


_SMALLEST_RING = 3


class SiteDocument(Struct, frozen=True, kw_only=True):
    """What lies on a planet."""

    face_up: tuple[Resource, ...] = ()
    face_down: tuple[Resource, ...] = ()
    claim: Seat | None = None
    marks: Mapping[Seat, Resource] = {}
    scans: Mapping[Seat, int] = {}


class AwaitingDocument(Struct, frozen=True, kw_only=True):
    """Who is asked in which step, at which planet."""

    mark: Mapping[Seat, Planet] = {}
    collect: Mapping[Seat, Planet] = {}
    then: tuple[Seat, ...] = ()


def load(document: Document, components: Components, dice: Dice | None = None) -> State:
    """Load the state that a document describes; raises Impossible."""
    values = match_keys(document, State, _list_absent(components))
    seats = list_seats(values.get("seats", ()), components)
    options = read_options(values.pop("options", {}), seats, components, "options")
    ring = _read_ring(values.pop("ring", None), components)
    reader = _make_reader(seats, ring, options, components)
    sites = reader.read(dict[Planet, SiteDocument], values.pop("planets", {}), "planets")
    waits = reader.read(AwaitingDocument, values.pop("awaiting", {}), "awaiting")
    state = reader.read(State, {"active": seats[0], "navcomp_deck": (), **values})
    _check_cards(state, sites, components)
    _check_distinct(state.table.final_turns, "final_turns")
    sites = {planet: sites.get(planet, SiteDocument()) for planet in ring}
    planets = {planet: _read_site(planet, site) for planet, site in sites.items()}
    table = replace(
        state.table,
        options=options,
        ring=ring,
        planets=planets,
        collected={seat: sort_cards(cards) for seat, cards in state.table.collected.items()},
        kept_out=_find_kept_out(state.table.kept_out, dice),
        awaiting=_find_awaiting(waits, state.table, planets, components),
        over=_find_over(state.table.over, seats),
    )
    deck = state.deck if "navcomp_deck" in values else None
    return replace(
        state,
        table=table,
        hands={seat: tuple(sorted(hand)) for seat, hand in state.hands.items()},
        deck=complete_deck("navcomp_deck", deck, _count_rest(state, components), dice, "navcomp"),
        piles={planet: site.face_down for planet, site in sites.items()},
        hidden={seat: sort_cards(cards) for seat, cards in state.hidden.items()},
    )


def _find_kept_out(kept_out: tuple[Card, ...] | None, dice: Dice | None) -> tuple[Card, ...] | None:
    """Find what everybody knows of hands: a position that is set up anew begins with nothing."""
    return () if kept_out is None and dice is not None else kept_out


def _read_ring(value: Any, components: Components) -> tuple[Planet, ...]:
    if value is None:
        raise Impossible("ring", "is missing; name the planets in play, clockwise")
    worlds = tuple(components.worlds)
    ring = StateReader({"planet": worlds}).read(tuple[Planet, ...], value, "ring")
    _check_distinct(ring, "ring")
    if len(ring) < _SMALLEST_RING:
        raise Impossible("ring", f"expected at least {_SMALLEST_RING} planets (JG-1)")
    return ring


def _make_reader(
    seats: Sequence[Seat], ring: Sequence[Planet], options: Options, components: Components
) -> StateReader:
    """Make the reader of one game's names."""
    planets = Names("planet", tuple(components.worlds))
    resources = tuple(components.resource_cards)

    def read_planet(value: Any) -> Planet:
        planet = planets(value)
        if planet not in ring:
            raise Impossible("", f"{planet} is not in the ring")
        return planet

    def read_place(value: Any) -> Place:
        return None if isinstance(value, str) and fold(value) == GATE else read_planet(value)

    def read_ship(value: Any) -> Ship:
        if isinstance(value, str):
            return Ship(read_place(value))
        ship = reader.read(Ship, value)
        if ship.at is None:
            raise Impossible("planet", "is missing")
        if ship.landed and not options.orbital_burn:
            raise Impossible("landed", "ships land for good with orbital_burn only (JGA-14)")
        return ship

    def read_preferences(value: Any) -> Preferences:
        preferences = [value] if isinstance(value, str) else value
        return reader.read(tuple[Annotated[str, "resource"], ...], preferences)

    reader = StateReader(
        {
            "seat": seats,
            "step": ("turn", "mark", "collect") if components.is_second else ("turn", "collect"),
            "planet": read_planet,
            "place": read_place,
            "ship": read_ship,
            "NavComp card": tuple(components.cards),
            "resource card": resources,
            "resource": (*resources, NONE),
            "preferences": read_preferences,
        },
        _list_absent(components),
    )
    return reader


def _read_site(planet: Planet, document: SiteDocument) -> Site:
    """Read what everybody sees of a planet; each mark lies on a face-up card of its own (JGB-5)."""
    rest = Counter(document.face_up)
    for seat, card in document.marks.items():
        rest[card] -= 1
        if rest[card] < 0:
            path = f"planets.{planet}.marks.{seat}"
            raise Impossible(path, f"no unmarked {card} lies face-up there (JGB-5)")
    return Site(
        face_up=document.face_up,
        face_down=len(document.face_down),
        claim=document.claim,
        marks=document.marks,
        scans={seat: number for seat, number in document.scans.items() if number},
    )


def _check_cards(
    state: State, sites: Mapping[Planet, SiteDocument], components: Components
) -> None:
    """Check that no resource card is there too often and no hand is too large (JG-3)."""
    box = components.resource_cards
    places: list[tuple[str, Sequence[Resource]]] = []
    for planet, site in sites.items():
        places.append((f"planets.{planet}.face_up", site.face_up))
        places.append((f"planets.{planet}.face_down", site.face_down))
    places += [(f"collected.{seat}", cards) for seat, cards in state.table.collected.items()]
    places += [(f"hidden.{seat}", cards) for seat, cards in state.hidden.items()]
    count_remaining(
        box, places, lambda card: f"too many {card}: there are {box[card]} in the box (JG-3)"
    )
    size = components.constants.hand.size
    for seat, hand in state.hands.items():
        if len(hand) > size:
            raise Impossible(f"hands.{seat}", f"a hand has at most {size} cards, got {len(hand)}")


def _count_rest(state: State, components: Components) -> Counter[Card]:
    """Count the cards that the document names nowhere; raises Impossible if it names one twice."""
    places = [(f"hands.{seat}", hand) for seat, hand in state.hands.items()]
    places.append(("navcomp_discard", state.table.discard))
    places.append(("navcomp_deck", state.deck))
    return count_remaining(
        dict.fromkeys(components.cards, 1),
        places,
        lambda card: f"{card} is already somewhere else; there is only one",
    )


def _find_awaiting(
    document: AwaitingDocument, table: Table, sites: Mapping[Planet, Site], components: Components
) -> Awaiting | None:
    """Find who is asked, among the seats from the active one on."""
    step, order = table.step, list_seats_from(table.seats, table.active)
    if document == AwaitingDocument() and step == "turn":
        return None
    choosers = document.mark if step == "mark" else document.collect
    if step == "turn" or (document.mark and document.collect):
        raise Impossible("awaiting", f"does not go with the step {step}")
    if not choosers:
        raise Impossible("awaiting", f"is missing; a {step} step says who is asked")
    path = f"awaiting.{step}"
    if len(set(choosers.values())) != 1:
        raise Impossible(path, "expected who is asked, all at one planet: {blue: anno}")
    _check_distinct(document.then, "awaiting.then")
    seats = tuple(seat for seat in order if seat in choosers)
    awaiting = Awaiting(what=step, at=choosers[seats[0]], asked=seats, then=document.then)
    site = sites[awaiting.at]
    if seats == (order[0],):
        _check_marks(path, step, order, site)
        return awaiting
    # Only the active player, or a seat with marks or scan markers there, is asked (JG-15).
    if step == "mark":
        raise Impossible(path, "only the active player is asked what to mark (JGB-5)")
    if not components.is_second and len(seats) > 1:
        raise Impossible(path, "one player is asked at a time (JG-15)")
    for seat in seats:
        if seat not in site.marks and seat not in site.scans:
            raise Impossible(f"{path}.{seat}", f"{seat} has nothing to collect for there")
    return awaiting


def _check_marks(path: str, step: str, order: Sequence[Seat], site: Site) -> None:
    """Refuse to let the lander take what remains while marks of others lie there."""
    if step == "collect" and site.marks and order[0] not in site.marks:
        owners = ", ".join(seat for seat in order if seat in site.marks)
        raise Impossible(path, f"the marks of {owners} there are collected first (JGB-6)")


def _find_over(over: Over | None, seats: Sequence[Seat]) -> Over | None:
    if over is None:
        return None
    winners = tuple(seat for seat in seats if seat in over.winners)
    return Over(winners, {seat: over.scores.get(seat, 0) for seat in seats})


def _check_distinct(names: Sequence[str], path: str) -> None:
    for number, name in enumerate(names, 1):
        if name in names[: number - 1]:
            raise Impossible(f"{path}[{number}]", f"{name} appears twice")
