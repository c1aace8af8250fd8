"""The position: what lies on the table for all to see, what is hidden, and who may see what."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from adjudicator.core.document import Seat
from adjudicator.core.game import Over
from adjudicator.core.state_reader import INLINE, Each, StateReader, read_seats
from adjudicator.core.tabletop import remove_cards
from adjudicator.rules.jump_gate.position.components import Card, Components, Planet
from adjudicator.rules.jump_gate.position.resources import Kind, Resource, sort_cards

ACTIONS: Final = 2
"""Actions of a turn (JGA-4, JGB-4)."""

NONE: Final = "none"
"""In a list of preferences: nothing but what is named (JG-14)."""

Preferences = Annotated[tuple[Kind, ...], "preferences"]
"""Kinds in the order in which they are wanted; the last may be NONE."""

Step = Annotated[Literal["turn", "mark", "collect"], "step"]

Place = Annotated[Planet | None, "place"]
"""Where a ship can be; None is the Jump Gate, off the ring (JG-1)."""


class Options(Struct, frozen=True, kw_only=True):
    """What the GM chose when the game was made (options.yaml in orders/jump_gate/<kind>/)."""

    start_player: Seat | None = None
    interrupts: Literal["policy", "ask"] = "policy"
    sun_dial: bool = False
    explorers_club: bool = False
    orbital_burn: bool = False


class Ship(Struct, frozen=True, rename={"at": "planet"}):
    """Where a ship is."""

    at: Place = None
    landed: bool = False
    """Variant Orbital Burn only (JGA-14)."""


class Site(Struct, frozen=True, kw_only=True):
    """What everybody sees of a planet."""

    face_up: tuple[Resource, ...] = ()
    face_down: int = 0
    """How many cards lie face-down."""
    claim: Seat | None = None
    marks: Mapping[Seat, Resource] = {}
    """Second edition: which of the face-up cards each player has marked."""
    scans: Mapping[Seat, int] = {}
    """2010: scan markers; no zeros."""


class Awaiting(Struct, frozen=True, kw_only=True):
    """A choice in mid-turn for which the game has stopped (JG-15)."""

    what: Literal["mark", "collect"]
    at: Planet
    asked: tuple[Seat, ...]
    then: tuple[Seat, ...] = ()
    """Who is asked next."""


class Move(Struct, frozen=True, kw_only=True, rename={"origin": "from"}):
    """A move of a ship."""

    turn: Annotated[int, Meta(ge=1)]
    seat: Seat
    origin: Place
    to: Place


class Standing(Struct, frozen=True, kw_only=True):
    """A player's standing orders (JG-7)."""

    collect: Preferences = ()
    mark: Preferences = ()
    take: Preferences = ()
    """For the card of a landing; a harvest names its own."""
    black_hole: Literal["avoid", "accept"] = "avoid"

    @property
    def accept(self) -> bool:
        """Whether black hole cards are as welcome as others."""
        return self.black_hole == "accept"


class Table(Struct, frozen=True, kw_only=True, rename={"discard": "navcomp_discard"}):
    """Everything public. State and view hold the same one, so that one code judges orders.

    The fields of Table and State are the keys of the state document, and are read from it.
    """

    options: Options = Options()
    seats: tuple[Seat, ...]
    turn: Annotated[int, Meta(ge=1)] = 1
    """Players' turns, counted from 1."""
    step: Step = "turn"
    active: Seat
    actions_left: Annotated[int, Meta(ge=0, le=ACTIONS)] = ACTIONS
    deadline: Literal["kept"] | None = None
    """Kept while the turn's deadline still runs: it is asked for again within the turn (JG-4)."""
    ring: tuple[Planet, ...] = ()
    """Clockwise."""
    planets: Mapping[Planet, Site] = {}
    """Every planet of the ring is named, in the order of the ring."""
    ships: Annotated[Mapping[Seat, Annotated[Ship, "ship"]], Each(Ship())]
    discard: tuple[Card, ...] = ()
    """The NavComp discard pile, oldest first."""
    kept_out: tuple[Card, ...] | None = None
    """The NavComp cards that everybody knows were in hands when the pile last became the deck
    (JG-8); None: the game was begun by a version that did not remember them, in
    which standing lists answered no question (JG-15)."""
    collected: Annotated[Mapping[Seat, tuple[Resource, ...]], Each(())]
    """In the order of JG-3."""
    black_hole: Annotated[Mapping[Seat, int], Each(0)]
    jump_gate: Annotated[Mapping[Seat, int], Each(0)]
    """2010; in the second edition all zeros."""
    final_turns: tuple[Seat, ...] = ()
    """Second edition: who has a final turn to come or is in it (JGB-8)."""
    awaiting: Awaiting | None = None
    moves: tuple[Move, ...] = ()
    """Of the turn that was played last, or is being played."""
    over: Over | None = None


class State(Struct, frozen=True, kw_only=True, rename={"deck": "navcomp_deck"}):
    """The whole position."""

    table: Annotated[Table, INLINE]
    hands: Annotated[Mapping[Seat, tuple[Card, ...]], Each(())]
    """By number, so that the order shows nothing of the draw."""
    deck: tuple[Card, ...]
    """NavComp cards, top first."""
    piles: Mapping[Planet, tuple[Resource, ...]] = {}
    """The face-down cards of every planet of the ring, top first."""
    hidden: Annotated[Mapping[Seat, tuple[Resource, ...]], Each(())]
    """Second edition; in the order of JG-3."""
    standing: Mapping[Seat, Standing] = {}
    """The standing orders of seats that have given some."""
    take: Preferences | None = None
    """What the lander wants when the choices under way are made (JG-15); None: nothing was said."""


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know; without a seat: what everybody knows."""

    table: Table
    seat: Seat | None
    hand: tuple[Card, ...] = ()
    """By number."""
    hidden: tuple[Resource, ...] = ()
    """The seat's own hidden resources (JGB-2)."""
    hidden_shown: Mapping[Seat, tuple[Resource, ...]] = {}
    """At the end: the hidden resources that count, of every seat (JG-13)."""
    face_down: Mapping[Planet, tuple[Resource, ...]] = {}
    """Face-down cards that the seat sees, having landed there; in the order of JG-3 (JGA-14)."""
    standing: Standing = Standing()
    """The seat's own."""
    take: Preferences | None = None
    """What the seat wants as a lander when the choices under way are made (JG-15)."""
    hand_sizes: Mapping[Seat, int]
    hidden_sizes: Mapping[Seat, int]
    deck_size: int


def list_unmarked(site: Site) -> tuple[Resource, ...]:
    """List the face-up cards that nobody has marked; each mark covers one card (JGB-5)."""
    return remove_cards(site.face_up, site.marks.values())


def find_neighbours(ring: tuple[Planet, ...], planet: Planet) -> tuple[Planet, Planet]:
    """Find the planets before and after it (JG-1)."""
    place = ring.index(planet)
    return ring[place - 1], ring[(place + 1) % len(ring)]


_VARIANTS = ("sun_dial", "explorers_club", "orbital_burn")
"""Of the 2010 edition (JGA-15)."""


def list_seats(value: Any, components: Components) -> tuple[Seat, ...]:
    """List the seats of a game, in seat order."""
    players = components.players
    rule = "JGB-1" if components.is_second else "JGA-1"
    return read_seats(value, players.smallest, players.largest, rule)


def read_options(
    value: Any, seats: Sequence[Seat], components: Components, path: str = ""
) -> Options:
    """Read the options as values; raises Impossible with a path that begins with `path`."""
    return StateReader({"seat": seats}, list_absent_options(components)).read(Options, value, path)


def list_absent_options(components: Components) -> Sequence[str]:
    """List the options that an edition does not have."""
    return _VARIANTS if components.is_second else ()


def make_view(state: State, seat: Seat | None) -> View:
    """Make the view of a seat; None is somebody without a seat."""
    seats = state.table.seats
    public = View(
        table=state.table,
        seat=None,
        hidden_shown={other: state.hidden[other] for other in seats} if state.table.over else {},
        hand_sizes={other: len(state.hands[other]) for other in seats},
        hidden_sizes={other: len(state.hidden[other]) for other in seats},
        deck_size=len(state.deck),
    )
    if seat is None:
        return public
    return replace(
        public,
        seat=seat,
        hand=state.hands[seat],
        hidden=state.hidden[seat],
        face_down=_find_cards_below(state, seat),
        standing=state.standing.get(seat, Standing()),
        take=state.take if seat == state.table.active else None,
    )


def _find_cards_below(state: State, seat: Seat) -> Mapping[Planet, tuple[Resource, ...]]:
    """Find the face-down cards of the seat's landed planet, not how they lie (JGA-14)."""
    ship = state.table.ships[seat]
    if ship.at is None or not ship.landed:
        return {}
    return {ship.at: sort_cards(state.piles[ship.at])}
