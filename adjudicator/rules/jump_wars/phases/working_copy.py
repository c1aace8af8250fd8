"""A step's working copy of the position, which its parts change one after another."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from msgspec.structs import replace

from adjudicator.core.document import Orders, Seat
from adjudicator.core.events import EventLog
from adjudicator.rules.jump_wars.position.components import Card, Components
from adjudicator.rules.jump_wars.position.space import Space
from adjudicator.rules.jump_wars.position.state import (
    NOTHING,
    Ally,
    Fleets,
    Player,
    Side,
    State,
    Table,
    View,
    order_seats,
)


class Luck(Enum):
    """How a working copy takes what is hidden."""

    REAL = "real"  # nothing is hidden: this is the adjudication
    WORST = "worst"
    BEST = "best"


class Work(EventLog):
    """The position while it changes; `table` stays as it was when the step began."""

    def __init__(
        self,
        table: Table,
        hands: Mapping[Seat, tuple[Card, ...]],
        components: Components,
        *,
        luck: Luck = Luck.REAL,
    ) -> None:
        super().__init__()
        self.table = table
        self.components = components
        self.luck = luck
        self.seats = order_seats(table)
        self.players: dict[Seat, Player] = dict(table.players)
        self.hands: dict[Seat, list[Card]] = {seat: list(hand) for seat, hand in hands.items()}
        self.fleets: Fleets = table.fleets
        self.discard: list[Card] = list(table.discard)
        self.kept_out = table.kept_out
        self.ally: Ally | None = table.ally
        self.mined: Mapping[Seat, int] = table.mined
        self.deck: list[Card] = []
        self.shuffles = 0
        self.unseen = 0
        """Cards of the deck of which a check knows the number only."""
        self.wild = 0
        """Cards that a check at its best may hope to hold."""
        self.sizes: Mapping[Seat, int] = {}
        """The other hands, of which a check knows the size only."""

    @classmethod
    def from_state(cls, state: State, components: Components) -> "Work":
        """Make the copy on which a step is adjudicated."""
        work = cls(state.table, state.hands, components)
        work.deck = list(state.deck)
        work.shuffles = state.shuffles
        return work

    @classmethod
    def from_view(cls, view: View, components: Components, luck: Luck) -> "Work":
        """Make the copy on which a seat's orders are tried."""
        hands: dict[Seat, tuple[Card, ...]] = dict.fromkeys(view.table.seats, ())
        if view.seat is not None:
            hands[view.seat] = view.hand
        work = cls(view.table, hands, components, luck=luck)
        work.unseen = view.deck_size
        work.sizes = {s: size for s, size in view.hand_sizes.items() if s != view.seat}
        return work

    def make_state(self, state: State, *, step: str) -> State:
        """Make the position that came out from the one that went in."""
        table = replace(
            state.table,
            step=step,
            players=self.players,
            fleets=self.fleets,
            discard=tuple(self.discard),
            kept_out=self.kept_out,
            ally=self.ally,
            mined=self.mined,
        )
        return replace(
            state,
            table=table,
            hands={seat: self.components.sort_cards(hand) for seat, hand in self.hands.items()},
            deck=tuple(self.deck),
            shuffles=self.shuffles,
        )

    def list_wanted(self, orders: Orders, *keys: str) -> Iterator[tuple[Seat, Any]]:
        """List what the forms say under these keys, in turn order; silent seats are left out."""
        for seat in self.seats:
            part: Any = orders.get(seat)
            for key in keys:
                part = part.get(key) if part else None
            if part is not None:
                yield seat, part

    def holds(self, seat: Seat, card: Card, copies: int = 1) -> bool:
        """Whether the seat has this card in hand this often."""
        return self.hands[seat].count(card) + self.wild >= copies

    def has_cards(self, seat: Seat) -> bool:
        """Whether the seat has any card in hand."""
        return bool(self.hands[seat] or self.sizes.get(seat)) or self.luck is Luck.BEST

    def spend(self, seat: Seat, card: Card) -> None:
        """Put a card of the hand onto the discard pile (JW-7)."""
        hand = self.hands[seat]
        if card in hand:
            hand.remove(card)
        elif not self.wild:
            raise ValueError(f"{seat} holds no {card}")
        self.discard.append(card)

    def change(self, seat: Seat, **facts: object) -> None:
        """Replace facts of a player."""
        self.players[seat] = replace(self.players[seat], **facts)

    def pay(self, seat: Seat, tokens: int) -> None:
        """Take tokens from a player; a negative number gives them."""
        player = self.players[seat]
        self.players[seat] = replace(player, tokens=player.tokens - tokens)

    def station(self, side: Side, space: Space, number: int) -> None:
        """Set how many fleets of a side stand there from now on."""
        stacks = {**self.fleets.get(side, NOTHING), space: number}
        if not number:
            del stacks[space]
        self.fleets = {**self.fleets, side: stacks}

    def has(self, seat: Seat, special: Card) -> bool:
        """Whether the seat has this ability."""
        return special in self.players[seat].specials
