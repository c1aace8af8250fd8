"""A step's working copy of the position, which the parts of a round change one after another."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from adjudicator.core.dice import Dice
from adjudicator.core.document import Seat
from adjudicator.core.events import EventLog
from adjudicator.core.tabletop import list_seats_after
from adjudicator.rules.jump_drive.phases.costs import Holdings
from adjudicator.rules.jump_drive.phases.valuation import choose_cards
from adjudicator.rules.jump_drive.position.components import Components, Name
from adjudicator.rules.jump_drive.position.state import Placed, State, Table


class Work(EventLog):
    """The position while it changes; `table` stays as it was when the step began."""

    def __init__(self, state: State, components: Components, dice: Dice) -> None:
        super().__init__()
        table = state.table
        self.table = table
        self.components = components
        self.order = list_seats_after(table.seats, table.dealer)
        self.hands = {seat: list(hand) for seat, hand in state.hands.items()}
        self.empires = {seat: list(empire) for seat, empire in table.empires.items()}
        self.surveyed = list(table.surveyed)
        self.vp = dict(table.vp)
        self.explores = dict(table.explores)
        self.placed: dict[Seat, Placed] = dict(table.placed)
        self.trims = dict(state.trims)
        self.drawn = dict(state.drawn)
        self._deck = list(state.deck)
        self._discard = list(state.discard)
        self._open_discards = table.open_discards
        self._dice = dice
        self._shuffles = 0

    def make_state(self, **table: Any) -> State:
        """Make the position that came out; what else is new of the table is named."""
        return State(
            table=replace(self._make_table(), **table),
            hands={seat: tuple(sorted(hand)) for seat, hand in self.hands.items()},
            deck=tuple(self._deck),
            discard=tuple(sorted(self._discard)),
            trims=self.trims,
            drawn=self.drawn,
        )

    def _make_table(self) -> Table:
        seats = self.table.seats
        return replace(
            self.table,
            empires={seat: tuple(empire) for seat, empire in self.empires.items()},
            surveyed=tuple(seat for seat in seats if seat in self.surveyed),
            vp=self.vp,
            explores=self.explores,
            open_discards=self._open_discards,
            placed={seat: self.placed[seat] for seat in seats if seat in self.placed},
        )

    def list_holdings(self, seat: Seat) -> Holdings:
        """List what the seat can place from now."""
        return Holdings(
            hand=tuple(self.hands[seat]),
            empire=tuple(self.empires[seat]),
            surveyed=seat in self.surveyed,
        )

    def take(self, seat: Seat, cards: Iterable[Name]) -> None:
        """Take cards out of a hand, to be placed."""
        for card in cards:
            self.hands[seat].remove(card)

    def spend(self, seat: Seat, cards: Sequence[Name]) -> None:
        """Put cards of a hand face-down onto the discard pile."""
        self.take(seat, cards)
        self._discard += cards

    def leave(self, seat: Seat, card: Name) -> None:
        """Put a card of an empire onto the discard pile (JD-22)."""
        self.empires[seat].remove(card)
        self._discard.append(card)
        if self._open_discards is not None:
            self._open_discards = (*self._open_discards, card)

    def draw(self, seat: Seat, number: int) -> tuple[Name, ...]:
        """Draw cards; an empty deck is replaced by the shuffled discard pile (JD-14)."""
        cards: list[Name] = []
        while len(cards) < number and (self._deck or self._reshuffle()):
            cards.append(self._deck.pop(0))
        self.hands[seat] += cards
        return tuple(cards)

    def _reshuffle(self) -> bool:
        if not self._discard:
            return False
        self._shuffles += 1
        self._deck = list(
            self._dice.draw("deck", str(self._shuffles)).shuffled(sorted(self._discard))
        )
        self._discard = []
        if self._open_discards:
            self._open_discards = ()
        self.tell("reshuffled", "JD-14", number=len(self._deck))
        return True

    def tell_drawn(self, seat: Seat, rule: str, cards: tuple[Name, ...], why: str) -> None:
        """Record a draw: its number for everybody, the cards for the seat that drew them."""
        self.tell("drew", rule, seat=seat, number=len(cards), why=why)
        if cards:
            self.tell("drew-cards", rule, seat, seat=seat, cards=sorted(cards))

    def discard(
        self, seat: Seat, preference: Sequence[Name], number: int, rule: str, why: str
    ) -> None:
        """Discard this many cards face-down: those preferred, then the program's choice.

        Only the seat that discards them knows them.
        """
        hand, empire = self.hands[seat], self.empires[seat]
        cards = choose_cards(hand, preference, number, empire, self.components)
        self.spend(seat, cards)
        self.tell("discarded", rule, seat=seat, number=len(cards), why=why)
        if cards:
            self.tell("discarded-cards", rule, seat, seat=seat, cards=list(cards))


Forms = Mapping[Seat, Mapping[str, Any]]


def find_listed_discards(forms: Forms, seat: Seat) -> Sequence[Name]:
    """Find the cards that the seat's form names for discarding."""
    return forms.get(seat, {}).get("discard") or ()
