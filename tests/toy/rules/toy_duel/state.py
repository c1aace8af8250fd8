"""The position of Toy Duel, what a seat may know of it, and both as documents."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from adjudicator.core.document import Document, Impossible, Seat, to_plain

Card = str
Hands = Mapping[Seat, tuple[Card, ...]]


class Sort(Struct, frozen=True):
    """A sort of card."""

    value: int
    copies: int


class Box(Struct, frozen=True):
    """seeds/toy_duel/components.yaml; the cards stand there from the weakest on."""

    kind: str
    title: str
    hand: int
    cards: Mapping[Card, Sort]

    def in_order(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The cards from the weakest on."""
        return tuple(sorted(cards, key=list(self.cards).index))


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the GM chose."""

    rounds: int = 3


class State(Struct, frozen=True, kw_only=True):
    """The whole position."""

    options: Options
    seats: tuple[Seat, ...]
    round: int = 1
    step: str = "pick"
    """pick | prize, or draw: between two rounds."""
    hands: Hands
    deck: tuple[Card, ...] = ()
    scores: Mapping[Seat, int]
    scorer: Seat | None = None
    """Who may take a card (TD-6)."""
    standing: Mapping[Seat, Mapping[str, str]] = {}
    winners: tuple[Seat, ...] | None = None


class View(Struct, frozen=True, kw_only=True):
    """What a seat may know; without a seat: what everybody knows."""

    options: Options
    seats: tuple[Seat, ...]
    round: int
    step: str
    scores: Mapping[Seat, int]
    hand_sizes: Mapping[Seat, int]
    deck_size: int
    scorer: Seat | None
    winners: tuple[Seat, ...] | None
    seat: Seat | None
    hand: tuple[Card, ...] = ()
    standing: Mapping[str, str] = {}

    @property
    def victims(self) -> tuple[Seat, ...]:
        """The others who hold a card."""
        return tuple(s for s in self.seats if s != self.seat and self.hand_sizes[s])


def view(state: State, seat: Seat | None) -> View:
    """Built from nothing by what the seat may know."""
    return View(
        options=state.options,
        seats=state.seats,
        round=state.round,
        step=state.step,
        scores=state.scores,
        hand_sizes={s: len(state.hands[s]) for s in state.seats},
        deck_size=len(state.deck),
        scorer=state.scorer,
        winners=state.winners,
        seat=seat,
        hand=state.hands[seat] if seat else (),
        standing=state.standing.get(seat, {}) if seat else {},
    )


def dump(state: State) -> dict[str, Any]:
    """The state document."""
    made = {
        "options": state.options,
        "seats": state.seats,
        "round": state.round,
        "step": state.step,
        "hands": state.hands,
        "deck": state.deck,
        "scores": state.scores,
        "scorer": state.scorer,
        "standing": state.standing,
        "over": None if state.winners is None else {"winners": state.winners},
    }
    document: dict[str, Any] = to_plain(made)
    return document


def load(box: Box, document: Document, deck: tuple[Card, ...] | None) -> State:
    """The position that the document describes; what it leaves out has its default."""
    given = dict(document)
    over = given.pop("over", None)
    seats = tuple(given["seats"])
    hands = given.get("hands") or {}
    scores = given.get("scores") or {}
    if deck is not None:
        given.setdefault("deck", deck)
    elif "deck" not in given:
        raise Impossible("deck", "is missing; write the cards, top first")
    given["hands"] = {s: box.in_order(_cards(box, hands.get(s, ()), f"hands.{s}")) for s in seats}
    given["scores"] = {s: scores.get(s, 0) for s in seats}
    given["winners"] = over and over["winners"]
    _cards(box, given["deck"], "deck")
    try:
        return msgspec.convert(given, State)
    except msgspec.ValidationError as error:
        raise Impossible("", str(error)) from error


def _cards(box: Box, cards: Sequence[Card], path: str) -> Sequence[Card]:
    for at, card in enumerate(cards):
        if card not in box.cards:
            raise Impossible(
                f"{path}[{at + 1}]", f"{card} is no card; there are {', '.join(box.cards)}"
            )
    return cards
