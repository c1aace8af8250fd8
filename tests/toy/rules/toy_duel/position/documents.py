"""The state as a document, and back."""

from collections.abc import Sequence
from typing import Any

import msgspec

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, to_plain
from adjudicator.rules.toy_duel.position.components import Box, Card
from adjudicator.rules.toy_duel.position.state import State


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


def load(box: Box, document: Document, dice: Dice | None) -> State:
    """The state that the document describes; what it leaves out has its default."""
    given = dict(document)
    over = given.pop("over", None)
    seats = tuple(given["seats"])
    hands = given.get("hands") or {}
    scores = given.get("scores") or {}
    if dice is not None:
        given.setdefault("deck", box.shuffled(dice))
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
