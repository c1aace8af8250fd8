"""The position: what lies on the table for all to see, what is hidden, and who may see what."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from adjudicator.core.document import Impossible, Seat
from adjudicator.core.game import Over
from adjudicator.core.state_reader import INLINE, Each, StateReader, read_seats
from adjudicator.rules.jump_drive.position.components import Components, DeckCard, Name
from adjudicator.rules.jump_drive.position.counting import count_discards

Step = Literal["opening", "place", "explore", "second", "trim"]


class Options(Struct, frozen=True, kw_only=True):
    """What the GM chose when the game was made (orders/jump_drive/options.yaml)."""

    first_game: bool = False
    dealer: Seat | None = None


class Placed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a player has placed this round so far."""

    development: Name | None = None
    world: Name | None = None
    contact_specialist: bool = False
    """Whether the first world is military and was paid for (JD-20)."""
    second: Name | None = None


class Table(Struct, frozen=True, kw_only=True):
    """Everything public. State and view hold the same one, so that one code judges orders.

    The fields of Table and State are the keys of the state document, and are read from it.
    """

    options: Options = Options()
    seats: tuple[Seat, ...]
    """Clockwise (JD-3)."""
    round: Annotated[int, Meta(ge=1)] = 1
    step: Step = "place"
    dealer: Seat
    empires: Annotated[Mapping[Seat, tuple[Name, ...]], Each(())]
    """In the order in which the cards were placed."""
    surveyed: tuple[Seat, ...] = ()
    """Who has had a survey team; in seat order (JD-8)."""
    vp: Annotated[Mapping[Seat, int], Each(0)]
    explores: Annotated[Mapping[Seat, int], Each(0)]
    """Explore markers (JD-11)."""
    open_discards: tuple[DeckCard, ...] | None = None
    """The cards that everybody saw go onto the discard pile (JD-22); None: the game was begun by a
    version that did not remember them."""
    idle: int = 0
    """Rounds in a row in which nobody placed a card or gained a VP (JD-28)."""
    placed: Mapping[Seat, Placed] = {}
    """Who has placed something this round; empty in the step place."""
    asked: tuple[Seat, ...] = ()
    """Who owes something in the steps second, explore and trim; in seat order."""
    over: Over | None = None


class State(Struct, frozen=True, kw_only=True):
    """The whole position."""

    table: Annotated[Table, INLINE]
    hands: Annotated[Mapping[Seat, tuple[DeckCard, ...]], Each(())]
    """By name."""
    deck: tuple[DeckCard, ...]
    """Top first."""
    discard: tuple[DeckCard, ...] = ()
    """Face-down; by name, since its order is of no account (JD-14)."""
    trims: Mapping[Seat, tuple[DeckCard, ...]] = {}
    """What goes first at the end of the round, in the order of preference (JD-15)."""
    drawn: Mapping[Seat, tuple[DeckCard, ...]] = {}
    """In the step explore: what the explorers who owe a discard drew; also in their hands."""


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know; without a seat: what everybody knows."""

    table: Table
    seat: Seat | None
    hand: tuple[Name, ...] = ()
    drawn: tuple[Name, ...] = ()
    trims: tuple[Name, ...] | None = None
    """What the seat's place form says goes first; empty: the program chooses; None: to be asked."""
    hand_sizes: Mapping[Seat, int]
    drawn_sizes: Mapping[Seat, int] = {}
    """How many cards the explorers drew whose discards are still to come."""
    deck_size: int
    discard_size: int
    owed: int = 0
    """How many cards the seat has to discard in the steps explore and trim."""


FEWEST: Final = 2
MOST: Final = 4


def list_seats(value: Any) -> tuple[Seat, ...]:
    """List the seats of a game (JD-1)."""
    return read_seats(value, FEWEST, MOST, "JD-1")


def read_options(
    value: Any, seats: Sequence[Seat], components: Components, path: str = ""
) -> Options:
    """Read the options as values; raises Impossible with a path that begins with `path`."""
    options = StateReader({"seat": seats}).read(Options, value, path)
    hands = len(components.presets)
    if options.first_game and hands < len(seats):
        raise Impossible("first_game", f"there are {hands} hands (JD-2)").prefix_path(path)
    return options


def make_view(state: State, seat: Seat | None, components: Components) -> View:
    """Make the view of a seat; None is somebody without a seat."""
    sizes = {other: len(state.hands[other]) for other in state.table.seats}
    public = View(
        table=state.table,
        seat=None,
        hand_sizes=sizes,
        drawn_sizes={other: len(cards) for other, cards in state.drawn.items()},
        deck_size=len(state.deck),
        discard_size=len(state.discard),
    )
    if seat is None:
        return public
    return replace(
        public,
        seat=seat,
        hand=state.hands[seat],
        drawn=state.drawn.get(seat, ()),
        trims=state.trims.get(seat),
        owed=_count_owed(state, seat, components),
    )


def _count_owed(state: State, seat: Seat, components: Components) -> int:
    """Count how many cards the step asks the seat to discard."""
    constants, step = components.constants, state.table.step
    if step == "opening":
        return constants.dealt - constants.hand
    if step == "explore" and seat in state.drawn:
        return count_discards(len(state.drawn[seat]))
    if step == "trim":
        return max(0, len(state.hands[seat]) - constants.limit)
    return 0
