"""Every kind of event as sentences for its reader: one function per kind."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from adjudicator.core import events
from adjudicator.core.events import (
    NEGATED,
    Event,
    EventText,
    Facts,
    Teller,
    describe_victory,
    format_count,
    format_list,
)
from adjudicator.rules.jump_drive.position.components import Components, Name


class Reader(events.Reader, frozen=True):
    """For whom it is told, with the names of the cards."""

    components: Components

    def card(self, name: Name) -> str:
        """The card as it is printed."""
        return self.components.cards[name].name

    def cards(self, names: Sequence[Name]) -> str:
        """Cards as they are printed, equal ones counted."""
        return format_list([self.card(name) for name in names])


def tell(event: Event, reader: Reader) -> EventText:
    """The event in words."""
    told = events.describe_event(event, reader, _TELLERS)
    return replace(told, text=end_sentence(told.text))


def end_sentence(text: str) -> str:
    """One full stop where a card's name that has one of its own ends the sentence."""
    return text.replace("..", ".")


def event_kinds() -> frozenset[str]:
    """The kinds of events that have words of their own."""
    return frozenset(_TELLERS)


def describe_price(cost: int) -> str:
    """What was paid."""
    return f"for {format_count(cost, 'card')}" if cost else "for nothing"


def _tell_negated(facts: Facts, reader: Reader) -> str:
    why = facts["why"].rstrip(".")
    return f"{reader.begin(facts['seat'])}: {facts['order']} was not placed: {why}."


def _paid(facts: Facts, reader: Reader) -> str:
    """The cards discarded for it, where the reader may know them."""
    discarded = "For both discarded" if facts.get("both") else "Discarded"
    return f" {discarded}: {reader.cards(facts['named'])}." if facts.get("named") else ""


def _name_cards(facts: Facts, reader: Reader) -> str:
    """The cards by name, where the reader may know them."""
    return f": {reader.cards(facts['named'])}" if facts.get("named") else ""


def _tell_developed(facts: Facts, reader: Reader) -> str:
    placed = f"{reader.begin(facts['seat'])} placed {reader.card(facts['card'])}"
    return f"{placed} {describe_price(facts['cost'])}.{_paid(facts, reader)}"


def _tell_settled(facts: Facts, reader: Reader) -> str:
    begin, card = reader.begin(facts["seat"]), reader.card(facts["card"])
    if facts["cost"] is None:
        conquered = f"{begin} conquered {card} with strength {facts['strength']}"
        return f"{conquered} against defense {_defense(facts, reader)}.{_paid(facts, reader)}"
    how = "" if _defense(facts, reader) is None else ", with a contact specialist"
    return f"{begin} placed {card} {describe_price(facts['cost'])}{how}.{_paid(facts, reader)}"


def _defense(facts: Facts, reader: Reader) -> int | None:
    return reader.components.cards[facts["card"]].defense


def _tell_settled_second(facts: Facts, reader: Reader) -> str:
    begin, card = reader.begin(facts["seat"]), reader.card(facts["card"])
    by = f"as a second world by {reader.card(facts['by'])}"
    if facts["cost"] is None:
        left = f"with {facts['strength']} strength left against defense {_defense(facts, reader)}"
        return f"{begin} conquered {card} {by}, {left}.{_paid(facts, reader)}"
    return f"{begin} placed {card} {by}, {describe_price(facts['cost'])}.{_paid(facts, reader)}"


def _tell_convoy_left(facts: Facts, reader: Reader) -> str:
    return f"{reader.begin_whose(facts['seat'])} {reader.card(facts['card'])} left the empire."


def _tell_passed(facts: Facts, reader: Reader) -> str:
    return f"{reader.begin(facts['seat'])} placed no second world."


def _tell_explored(facts: Facts, reader: Reader) -> str:
    markers, cards = facts["markers"], _number(facts["number"])
    explored = f"{reader.begin(facts['seat'])} explored, {format_count(markers, 'marker')} in all,"
    return f"{explored} and drew {cards}{_name_cards(facts, reader)}."


def _tell_drew(facts: Facts, reader: Reader) -> str:
    begin, cards = reader.begin(facts["seat"]), _number(facts["number"])
    why = "of income" if facts["why"] == "income" else "for a world alone"
    return f"{begin} drew {cards} {why}{_name_cards(facts, reader)}."


def _number(number: int) -> str:
    return format_count(number, "card") if number else "no cards"


_DISCARDED: Final = {
    "opening": "of the first hand",
    "explore": "after exploring",
    "trim": "for the hand limit",
}


def _tell_discarded(facts: Facts, reader: Reader) -> str:
    begin, cards = reader.begin(facts["seat"]), _number(facts["number"])
    return f"{begin} discarded {cards} {_DISCARDED[facts['why']]}{_name_cards(facts, reader)}."


def _tell_moved(facts: Facts, reader: Reader) -> str:
    way = f"from {reader.who(facts['origin'])} to {reader.who(facts['to'])}"
    strength = f"the highest strength is {facts['strength']}"
    return f"{reader.card(facts['card'])} went {way}: {strength}."


def _tell_scored(facts: Facts, reader: Reader) -> str:
    have = "have" if facts["seat"] == reader.seat else "has"
    begin = reader.begin(facts["seat"])
    return f"{begin} gained {facts['gained']} VP and {have} {facts['total']}."


def _tell_reshuffled(facts: Facts, _: Reader) -> str:
    pile = f"the discard pile, {format_count(facts['number'], 'card')},"
    return f"The deck was used up: {pile} was shuffled to be the new one."


def _tell_ended(facts: Facts, reader: Reader) -> str:
    constants = reader.components.constants
    if facts["why"] == "goal":
        return f"The game ends: somebody has {constants.goal} VP or more."
    rounds = format_count(constants.idle, "round")
    return f"The game ends: {rounds} in a row brought nobody a card in an empire or a VP."


def _tell_final_score(facts: Facts, reader: Reader) -> str:
    begin = reader.begin_whose(facts["seat"])
    spare = f"{format_count(facts['spare'], 'card')} in hand and to be drawn, for ties"
    return f"{begin} final score: {facts['total']} VP; {spare}."


def _tell_won(facts: Facts, reader: Reader) -> str:
    return describe_victory(facts["winners"], reader)


def _tell_round(facts: Facts, reader: Reader) -> str:
    dealer = facts["dealer"]
    are = "are" if dealer == reader.seat else "is"
    return f"Round {facts['round']} begins; {reader.who(dealer)} {are} the dealer."


_TELLERS: Mapping[str, Teller[Reader]] = {
    NEGATED: _tell_negated,
    "developed": _tell_developed,
    "settled": _tell_settled,
    "settled-second": _tell_settled_second,
    "convoy-left": _tell_convoy_left,
    "passed": _tell_passed,
    "explored": _tell_explored,
    "drew": _tell_drew,
    "discarded": _tell_discarded,
    "moved": _tell_moved,
    "scored": _tell_scored,
    "reshuffled": _tell_reshuffled,
    "ended": _tell_ended,
    "final-score": _tell_final_score,
    "won": _tell_won,
    "round": _tell_round,
}
