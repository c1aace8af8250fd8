"""The position: what lies on the table for all to see, what is hidden, and who may see what."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from adjudicator.core.document import Impossible, Seat
from adjudicator.core.names import fold, match
from adjudicator.core.state_reader import StateReader, read_seats
from adjudicator.core.tabletop import list_seats_from
from adjudicator.rules.jump_wars.position.components import Card, Components, Tech
from adjudicator.rules.jump_wars.position.space import PLACE, Space

Side = Annotated[str, "side"]
"""A seat, or the old empire (JW-10)."""

EMPIRE: Side = "empire"

BLACK_HOLE: Final = "black-hole"

START_LEVEL = 1
"""Levels that a state document does not name (JW-6)."""


Step = Literal["plan", "jump", "reveal", "homeworlds", "draw"]
"""Between two turns, draw (`stop: after-step`)."""

Fleets = Mapping[Side, Mapping[Space, int]]
"""How many fleets of a side stand where: no zeros; a side without fleets may be left out."""

NOTHING: Final[Mapping[Space, int]] = {}
"""The stacks of a side without fleets."""


class Options(Struct, frozen=True, kw_only=True):
    """What the GM chose when the game was made (orders/jump_wars/options.yaml)."""

    grid: Literal["square", "hex"] = "square"
    homeworlds: Annotated[str | Mapping[Seat, Space], "homeworlds"] = "spread"
    """spread, choose, or where each begins."""
    spacing: int = 3
    connected: bool = True
    start_player: Seat | None = None
    old_empire: bool = False
    turn_limit: Annotated[int, Meta(ge=1)] | None = None


class Player(Struct, frozen=True, kw_only=True):
    """The public facts about a player."""

    levels: Mapping[Tech, int]
    """For good; every technology is named."""
    raised: Mapping[Tech, int] = {}
    """On top, until the end of the turn (JW-13)."""
    specials: tuple[Card, ...] = ()
    tokens: int = 0
    used: tuple[str, ...] = ()
    """Once-a-turn rights already used this turn."""

    def find_level(self, tech: Tech) -> int:
        """Find the level that counts now, raises included (JW-9, JW-13)."""
        level = self.levels[tech]
        return level + self.raised.get(tech, 0) if self.raised else level


def find_hand_limit(player: Player) -> int:
    """Find how many cards a player may keep at the end of a turn (JW-59)."""
    return 3 + player.find_level("research")


class Ally(Struct, frozen=True, rename={"who": "is"}):
    """The diplomat's ally of this turn (JW-18)."""

    of: Seat
    who: Seat


class Hold(Struct, frozen=True):
    """Who has occupied the old empire's homeworld at the end of how many turns in a row."""

    by: Seat
    turns: int


class Past(Struct, frozen=True, kw_only=True):
    """The facts kept about a finished turn."""

    turn: Annotated[int, Meta(ge=1)]
    fleets: Mapping[Seat, int] = {}
    """How many each had at its end."""
    mine: Mapping[Seat, int] = {}
    """What each mined in it (JW-23)."""


NamedSpace = Annotated[str, "space of an order"]
"""A letter and a number, on the map or not."""


class Jump(Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """A jump order as written."""

    source: NamedSpace
    target: NamedSpace
    fleets: Annotated[int | Literal["all"], "number of fleets"]


class RevealedOrders(Struct, frozen=True):
    """A seat's revealed jump orders: number 0 moves the homeworld, the others count from 1."""

    jumps: tuple[Jump, ...] = ()
    move_homeworld: Space | None = None

    @property
    def lists_anything(self) -> bool:
        """Whether there is an order on it."""
        return bool(self.jumps) or self.move_homeworld is not None


class Table(Struct, frozen=True, kw_only=True):
    """Everything public. State and view hold the same one, so that one code judges orders."""

    options: Options
    seats: tuple[Seat, ...]
    start_player: Seat
    turn: int = 1
    step: Step = "plan"
    terrain: Mapping[Space, str] = {}
    """Star fields, clusters, black holes and nebulas; what is not named is void or a homeworld."""
    holes: frozenset[Space] = frozenset()
    """The black holes of the terrain; every distance asks for them."""
    homes: Mapping[Side, Space] = {}
    fleets: Fleets = {}
    held: Mapping[Space, Side] = {}
    """Who occupied a space at the end of the previous turn (JW-52)."""
    players: Mapping[Seat, Player]
    discard: tuple[Card, ...] = ()
    """Oldest first."""
    kept_out: tuple[Card, ...] | None = None
    """The cards that everybody knows were in hands when the deck was last shuffled (JW-7); None:
    the game was begun by a version that did not remember them."""
    ally: Ally | None = None
    hold: Hold | None = None
    written: Mapping[Seat, RevealedOrders] | None = None
    """The revealed jump orders, in the reveal step only."""
    mined: Mapping[Seat, int] = {}
    """What each has mined this turn, from the plan step to the turn's end."""
    past: tuple[Past, ...] = ()
    """The last turns that are over, the oldest first."""
    winners: tuple[Seat, ...] | None = None
    """Set when the game is over; empty when it is drawn."""


class NovaBombs(Struct, frozen=True):
    """Ships to be sacrificed in one space (JW-56)."""

    at: NamedSpace
    ships: int


class FightOrders(Struct, frozen=True):
    """`fight` of a jump form."""

    targets: tuple[Side, ...] = ()
    nova_bombs: tuple[NovaBombs, ...] = ()


class FinalOrders(Struct, frozen=True):
    """`final` of a jump form."""

    discard: tuple[Card, ...] = ()


class PrivateOrders(Struct, frozen=True):
    """The private rest of a jump form (JW-13a)."""

    fight: FightOrders = FightOrders()
    final: FinalOrders = FinalOrders()


NO_PRIVATE_ORDERS: Final = PrivateOrders()


class State(Struct, frozen=True, kw_only=True):
    """The whole position."""

    table: Table
    hands: Mapping[Seat, tuple[Card, ...]]
    """Every seat is named; in deck-list order."""
    deck: tuple[Card, ...]
    """Top first."""
    shuffles: int = 0
    """How often the discard pile has become the deck; names the next shuffle."""
    kept: Mapping[Seat, PrivateOrders] = {}
    standing: Mapping[Seat, Mapping[str, str]] = {}


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know; without a seat: what everybody knows."""

    table: Table
    seat: Seat | None
    hand: tuple[Card, ...] = ()
    kept: PrivateOrders | None = None
    standing: Mapping[str, str] = {}
    hand_sizes: Mapping[Seat, int]
    deck_size: int


def find_holes(terrain: Mapping[Space, str]) -> frozenset[Space]:
    """Find the black holes of a map."""
    return frozenset(space for space, kind in terrain.items() if kind == BLACK_HOLE)


def order_seats(table: Table) -> tuple[Seat, ...]:
    """Order the seats from the start player on (JW-8)."""
    return list_seats_from(table.seats, table.start_player)


def order_sides(table: Table) -> tuple[Side, ...]:
    """Order the sides from the start player on, the old empire last (JW-8)."""
    return (*order_seats(table), EMPIRE)


def find_leader(players: Mapping[Seat, Player], tech: Tech) -> Seat | None:
    """Find who has the strictly highest level; nobody when it is shared (JW-9)."""
    best = 0
    holder: Seat | None = None
    for seat, player in players.items():
        level = player.find_level(tech)
        if level > best:
            best, holder = level, seat
        elif level == best:
            holder = None
    return holder


def find_shared_spaces(fleets: Fleets) -> frozenset[Space]:
    """Find the spaces on which two sides or more have fleets."""
    occupied: set[Space] = set()
    shared: set[Space] = set()
    for stacks in fleets.values():
        shared.update(occupied.intersection(stacks))
        occupied.update(stacks)
    return frozenset(shared)


def find_occupied_spaces(fleets: Fleets) -> Mapping[Space, Side]:
    """Find every occupied space and who occupies it (JW-10), in no particular order."""
    owners = {space: side for side, stacks in fleets.items() for space in stacks}
    if len(owners) < sum(map(len, fleets.values())):
        for space in find_shared_spaces(fleets):
            del owners[space]
    return owners


RUINS = "progenitor-ruins"


_FEWEST, _MOST = 2, 8  # JW-1
_HOMEWORLDS = ("spread", "choose")


def list_seats(value: Any) -> tuple[Seat, ...]:
    """List the seats of a game (JW-1)."""
    seats = read_seats(value, _FEWEST, _MOST, "JW-1")
    if EMPIRE in map(fold, seats):
        raise Impossible(
            "seats", f"{EMPIRE} is the old empire's name; choose another name for the seat"
        )
    return seats


def read_options(
    value: Any, seats: Sequence[Seat], components: Components, path: str = ""
) -> Options:
    """Read the options as values; raises Impossible with a path that begins with `path`."""

    def read_homeworlds(value: Any) -> str | Mapping[Seat, Space]:
        if isinstance(value, str) and (word := match(value, _HOMEWORLDS)):
            return word
        if not isinstance(value, Mapping):
            raise Impossible("", "expected spread, choose, or a space for every seat")
        homes = reader.read(dict[Seat, Space], value)
        for seat in seats:
            if seat not in homes:
                raise Impossible("", f"{seat} has no homeworld; name a space for every seat")
            if homes[seat] in [homes.get(other) for other in seats[: seats.index(seat)]]:
                raise Impossible(seat, f"{homes[seat]} has a homeworld already")
        return homes

    reader = StateReader({"seat": seats, "space": read_space, "homeworlds": read_homeworlds})
    options = reader.read(Options, value, path)
    if options.old_empire and not isinstance(options.homeworlds, str):
        for seat, space in options.homeworlds.items():
            if space == components.map.empire:
                why = f"{space} belongs to the old empire (JW-61)"
                raise Impossible(f"homeworlds.{seat}", why).prefix_path(path)
    return options


def read_space(value: Any) -> Space:
    """Read a space on the map; raises Impossible."""
    if isinstance(value, str):
        space = value if value in PLACE else value.strip().upper()
        if space in PLACE:
            return space
    raise Impossible("", f"{value!r} is not on the map; spaces go from A1 to J10")


def make_view(state: State, seat: Seat | None) -> View:
    """Make the view of a seat; None is somebody without a seat."""
    sizes = {other: len(state.hands[other]) for other in state.table.seats}
    if seat is None:
        return View(table=state.table, seat=None, hand_sizes=sizes, deck_size=len(state.deck))
    return View(
        table=state.table,
        seat=seat,
        hand=state.hands[seat],
        kept=state.kept.get(seat),
        standing=state.standing.get(seat, {}),
        hand_sizes=sizes,
        deck_size=len(state.deck),
    )
