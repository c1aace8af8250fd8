"""Toy Duel: the fifth game of the tests (seeds/toy_duel/rulebook.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, Orders, Seat
from adjudicator.core.events import Event
from adjudicator.core.finding import Finding, Grade
from adjudicator.core.game import AnyRules, Due, Over
from adjudicator.rules.toy_duel import rounds, state, told
from adjudicator.rules.toy_duel.state import Box, Card, Options, State, View


class Duel:
    """The ten functions, bound to a box of cards."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self.kind = box.kind
        self.title = box.title
        self.names: Mapping[str, Sequence[str]] = {"card": tuple(box.cards)}

    def setup(self, options: Document, seats: Sequence[Seat], dice: Dice) -> State:
        """Deal (TD-1)."""
        if not 2 <= len(seats) <= 4:
            raise Impossible("seats", f"2 to 4 players can play, not {len(seats)}")
        deck = list(self._shuffled(dice))
        size = self._box.hand
        hands = {
            seat: self._box.in_order(deck[n * size : (n + 1) * size])
            for n, seat in enumerate(seats)
        }
        return State(
            options=msgspec.convert(options, Options),
            seats=tuple(seats),
            hands=hands,
            deck=tuple(deck[len(seats) * size :]),
            scores=dict.fromkeys(seats, 0),
        )

    def _shuffled(self, dice: Dice) -> tuple[Card, ...]:
        cards = [name for name, sort in self._box.cards.items() for _ in range(sort.copies)]
        return dice.draw("deck").shuffled(cards)

    def due(self, state: State) -> Mapping[Seat, Due] | Over:
        """TD-2, TD-6."""
        return rounds.due(state)

    def check(self, view: View, seat: Seat, orders: Document) -> Sequence[Finding]:
        """What the seat can see to fail (TD-4, TD-6)."""
        card, victim = orders.get("play"), orders.get("from")
        if card is not None and card not in view.hand:
            return [_doomed("TD-4", f"you have no {card}", "play")]
        if victim is not None and victim not in view.victims:
            return [_doomed("TD-6", f"{victim} is nobody from whom you can take", "from")]
        return []

    def foretell(self, view: View, seat: Seat, orders: Document) -> Sequence[str]:
        """What the card is worth."""
        card = orders.get("play")
        names = list(self._box.cards)
        return [f"The {card} beats {names.index(card)} of the others."] if card else []

    def resolve(
        self, state: State, orders: Orders, dice: Dice, *, cut: bool = False
    ) -> tuple[State, Sequence[Event]]:
        """One step of a round."""
        return rounds.resolve(self._box, state, orders, dice, cut=cut)

    def view(self, position: State, seat: Seat | None) -> View:
        """What a seat may know."""
        return state.view(position, seat)

    def report(self, view: View, events: Sequence[Event]) -> Document:
        """The game's part of report/1."""
        return told.report(view, events)

    def score(self, state: State) -> Mapping[Seat, int]:
        """The points."""
        return state.scores

    def dump(self, position: State) -> Document:
        """The state document."""
        return state.dump(position)

    def load(self, document: Document, dice: Dice | None = None) -> State:
        """The position that a document describes."""
        return state.load(self._box, document, self._shuffled(dice) if dice else None)

    def legal(self, view: View, seat: Seat, dice: Dice) -> Document:
        """A random card, or a random victim or none."""
        draw = dice.draw("legal", seat)
        if view.step == "prize":
            victim = draw.choice((*view.victims, None))
            return {} if victim is None else {"from": victim}
        return {"play": draw.choice(view.hand)}

    def bot(self, view: View, seat: Seat, dice: Dice) -> Document:
        """The best card; then a card of whoever holds most."""
        if view.step == "prize":
            return {"from": max(view.victims, key=lambda s: view.hand_sizes[s])}
        return {"play": view.hand[-1]}


def _doomed(rule: str, message: str, key: str) -> Finding:
    return Finding(grade=Grade.DOOMED, rule=rule, message=message, path=(key,), entry=(key,))


def make(components: Document) -> AnyRules:
    """The game with these components."""
    return Duel(msgspec.convert(dict(components), Box))


GAMES: dict[str, Any] = {"toy-duel": make}
