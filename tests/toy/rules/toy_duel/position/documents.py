"""The state as a document, and back."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from adjudicator.core.dice import Dice
from adjudicator.core.document import Document, Impossible, to_plain
from adjudicator.core.tabletop import complete_deck, list_unseen
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
        "played": state.played,
        "scores": state.scores,
        "scorer": state.scorer,
        "standing": state.standing,
        "over": None if state.winners is None else {"winners": state.winners},
    }
    document: dict[str, Any] = to_plain(made)
    return document


def load(box: Box, document: Document, dice: Dice | None) -> State:
    """The state that the document describes; what it leaves out has its default."""
    given: dict[str, Any] = dict(document)
    over = given.pop("over", None)
    seats = tuple(given["seats"])
    hands = given.get("hands") or {}
    scores = given.get("scores") or {}
    given["hands"] = {s: box.in_order(_cards(box, hands.get(s, ()), f"hands.{s}")) for s in seats}
    given["scores"] = {s: scores.get(s, 0) for s in seats}
    given["winners"] = over and over["winners"]
    for key in ("played", "deck"):
        _cards(box, given.get(key) or (), key)
    seen = (*given["hands"].values(), given.get("played") or ())
    left = Counter(list_unseen(box.copies, seen))
    given["deck"] = complete_deck("deck", given.get("deck"), left, dice, "deck")
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
