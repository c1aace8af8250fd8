"""Every kind of event in words."""

from adjudicator.core.document import Seat
from adjudicator.core.events import NEGATED, Event

SENTENCES = {
    "played": "{seat} played {card} ({value})",
    "scored": "{seat} scored {points}",
    "tied": "the highest card was played twice: nobody scored",
    "took": "{seat} took a card from {from}",
    "card_taken": "the card taken is {card}",
    "drew": "{seat} drew {card}",
    "over": "the game is over",
    NEGATED: "{order} came to nothing: {why}",
}
"""By the kind of event; the facts of the event are put in."""


def describe(event: Event, reader: Seat | None) -> str:
    """The event in words for this reader."""
    data = dict(event.data)
    for key in ("seat", "from"):
        if key in data:
            data[key] = "you" if data[key] == reader else data[key]
    return SENTENCES[event.kind].format(**data)
