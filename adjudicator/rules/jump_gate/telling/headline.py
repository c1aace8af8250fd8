"""The news of a turn: what its reader won and lost, what the reader did, then the others."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from adjudicator.core.events import NEGATED, Event, Reader, fill_template, has_part
from adjudicator.core.news import News, Rank, make_headline, tell_winners
from adjudicator.rules.jump_gate.position.state import View
from adjudicator.rules.jump_gate.telling.sentences import tell

PARTIES: Final = ("seat", "player", "seats", "winners")
"""The facts of an event that name who has part in it."""


def choose_headline(view: View, events: Sequence[Event]) -> str:
    """Choose what a report tells first."""
    return make_headline(_list_news(view, events), _say_quiet(view, events))


def _say_quiet(view: View, events: Sequence[Event]) -> str:
    """Say what there is to say where nothing is news."""
    table = view.table
    if table.turn > 1 or events:
        return f"nothing happened in turn {table.turn}"
    whose = "you have" if view.seat == table.active else f"{table.active} has"
    you = f", you are {view.seat}" if view.seat else ""
    return f"the game begins{you}, {whose} the first turn"


_RANKS: Final[Mapping[str, tuple[Rank, Rank]]] = {
    "won": (Rank.END, Rank.END),
    "asked": (Rank.GAIN, Rank.ROUTINE),
    "claimed": (Rank.GAIN, Rank.CAPTURE),
    "records-lost": (Rank.GAIN, Rank.OTHERS),
    "swapped": (Rank.GAIN, Rank.OTHERS),
    "lost": (Rank.GAIN, Rank.OTHERS),
    "hidden-lost": (Rank.GAIN, Rank.OTHERS),
    "collected": (Rank.GAIN, Rank.OTHERS),
    "landed": (Rank.OWN, Rank.CAPTURE),
    "final-turns": (Rank.CAPTURE, Rank.CAPTURE),
    NEGATED: (Rank.OWN, Rank.ROUTINE),
    "marked": (Rank.OWN, Rank.OTHERS),
    "scanned": (Rank.OWN, Rank.OTHERS),
    "warped": (Rank.OWN, Rank.OTHERS),
    "jumped": (Rank.OWN, Rank.OTHERS),
    "flew": (Rank.OWN, Rank.OTHERS),
    "special": (Rank.OWN, Rank.OTHERS),
    "returned": (Rank.OWN, Rank.OTHERS),
    "researched": (Rank.OWN, Rank.OTHERS),
    "turn-ended": (Rank.ROUTINE, Rank.ROUTINE),
}
"""The rank of an event for who has part in it, and for others; the first are told first."""


def _list_news(view: View, events: Sequence[Event]) -> Iterator[News]:
    reader, order = Reader(view.seat), list(_RANKS)
    for event in events:
        if event.kind in _RANKS:
            own, others = _RANKS[event.kind]
            rank = own if has_part(event, view.seat, PARTIES) else others
            text = partial(_tell, event, reader)
            yield News(rank=rank, text=text, weight=-order.index(event.kind))


_SHORT: Final[Mapping[str, str]] = {
    "collected": "{seat:who} took {resource} at {at}",
    "landed": "{seat:who} landed on {at}",
    "marked": "{seat:who} marked {resource} at {at}",
    "scanned": "{seat:who} scanned {at}",
    "jumped": "{seat:who} jumped to {to}",
    "flew": "{seat:who} flew to {to}",
    "special": "{seat:who} played {special}",
    "researched": "{seat:who} did research",
    "swapped": "{seat:who} and {player:who} swapped places",
    NEGATED: "{seat:whose} action {order} failed",
}
"""The same in fewer words than in the list of events."""


def _tell(event: Event, reader: Reader) -> str:
    if event.kind == "won":
        return tell_winners(event.data["winners"], reader)
    if event.kind in _SHORT:
        return fill_template(_SHORT[event.kind], event.data, reader)
    text = tell(event, reader).text.rstrip(".")
    return f"{text[0].lower()}{text[1:]}" if text.startswith(("You", "The ")) else text
