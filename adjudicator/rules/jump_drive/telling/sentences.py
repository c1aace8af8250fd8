"""Every kind of event as sentences for its reader: one function per kind."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from adjudicator.core import events
from adjudicator.core.events import (
    NEGATED,
    Event,
    EventText,
    Facts,
    Teller,
    fill_template,
    format_count,
    format_list,
    tell_victory,
)
from adjudicator.rules.jump_drive.position.components import Components, Name


class Reader(events.Reader, frozen=True):
    """The reader, with the names of the cards."""

    components: Components

    def phrase(self, value: Any, how: str) -> str:
        """Phrase a fact, also a card or price: `{card:name}`, `{named:names}`, `{cost:price}`."""
        if how == "price":
            return describe_price(value)
        if how == "name":
            return self.name_card(value)
        return self.name_cards(value) if how == "names" else super().phrase(value, how)

    def name_card(self, name: Name) -> str:
        """Name the card as it is printed."""
        return self.components.cards[name].name

    def name_cards(self, names: Sequence[Name]) -> str:
        """Name cards as they are printed, equal ones counted."""
        return format_list([self.name_card(name) for name in names])


def tell(event: Event, reader: Reader) -> EventText:
    """Describe the event in words."""
    text = events.describe_event(event, reader, TELLERS)
    return replace(text, text=end_sentence(text.text))


def end_sentence(text: str) -> str:
    """Drop the second full stop if the sentence ends with a card's name that has its own."""
    return text.replace("..", ".")


def describe_price(cost: int) -> str:
    """Describe what was paid."""
    return f"for {format_count(cost, 'card')}" if cost else "for nothing"


def _tell_payment(facts: Facts, reader: Reader) -> str:
    """Describe the cards discarded for it, if the reader may know them."""
    discarded = "For both discarded" if facts.get("both") else "Discarded"
    return f" {discarded}: {reader.name_cards(facts['named'])}." if facts.get("named") else ""


def _tell_settled(facts: Facts, reader: Reader) -> str:
    start, card = reader.begin_with(facts["seat"]), reader.name_card(facts["card"])
    if facts["cost"] is None:
        conquered = f"{start} conquered {card} with strength {facts['strength']}"
        against = f"against defense {_find_defense(facts, reader)}"
        return f"{conquered} {against}.{_tell_payment(facts, reader)}"
    how = "" if _find_defense(facts, reader) is None else ", with a contact specialist"
    return (
        f"{start} placed {card} {describe_price(facts['cost'])}{how}.{_tell_payment(facts, reader)}"
    )


def _find_defense(facts: Facts, reader: Reader) -> int | None:
    return reader.components.cards[facts["card"]].defense


def _tell_settled_second(facts: Facts, reader: Reader) -> str:
    start, card = reader.begin_with(facts["seat"]), reader.name_card(facts["card"])
    by = f"as a second world by {reader.name_card(facts['by'])}"
    if facts["cost"] is None:
        against = f"against defense {_find_defense(facts, reader)}"
        remainder = f"with {facts['strength']} strength left {against}"
        return f"{start} conquered {card} {by}, {remainder}.{_tell_payment(facts, reader)}"
    price, payment = describe_price(facts["cost"]), _tell_payment(facts, reader)
    return f"{start} placed {card} {by}, {price}.{payment}"


_WHYS: Final = {
    "income": "of income",
    "world alone": "for a world alone",
    "opening": "of the first hand",
    "explore": "after exploring",
    "trim": "for the hand limit",
}
"""Why cards were drawn or discarded."""


def _tell_cards(verb: str) -> Teller[Reader]:
    """Count the cards, or name them if the reader may know them."""

    def tell_cards(facts: Facts, reader: Reader) -> str:
        cards = f"{{seat:Who}} {verb} {{number:card|no cards}} {_WHYS[facts['why']]}"
        return fill_template((cards, ": {named:names}", "."), facts, reader)

    return tell_cards


def _tell_ended(facts: Facts, reader: Reader) -> str:
    constants = reader.components.constants
    if facts["why"] == "goal":
        return f"The game ends: somebody has {constants.goal} VP or more."
    rounds = format_count(constants.idle, "round")
    return f"The game ends: {rounds} in a row brought nobody a card in an empire or a VP."


TELLERS: Mapping[str, Teller[Reader]] = {
    NEGATED: "{seat:Who}: {order} was not placed: {why:clause}.",
    "developed": ("{seat:Who} placed {card:name} {cost:price}.", " Discarded: {named:names}."),
    "settled": _tell_settled,
    "settled-second": _tell_settled_second,
    "convoy-left": "{seat:Whose} {card:name} left the empire.",
    "passed": "{seat:Who} placed no second world.",
    "explored": (
        "{seat:Who} explored, {markers:marker} in all, and drew {number:card|no cards}",
        ": {named:names}",
        ".",
    ),
    "drew": _tell_cards("drew"),
    "discarded": _tell_cards("discarded"),
    "moved": (
        "{card:name} went from {origin:who} to {to:who}: the highest strength is {strength}."
    ),
    "scored": "{seat:Who} gained {gained} VP and {seat:have} {total}.",
    "reshuffled": (
        "The deck was used up: the discard pile, {number:card}, was shuffled to be the new one."
    ),
    "ended": _tell_ended,
    "final-score": (
        "{seat:Whose} final score: {total} VP; {spare:card} in hand and to be drawn, for ties."
    ),
    "won": tell_victory,
    "round": "Round {round} begins; {dealer:who} {dealer:are} the dealer.",
}
