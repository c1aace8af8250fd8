"""The news of a turn: what its reader won and lost, what the reader did, then the others."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from adjudicator.core.events import NEGATED, Event, Reader
from adjudicator.core.headline import Rank, Ranks, make_headline, rank_events, tell_shortly
from adjudicator.rules.jump_gate.position.state import View
from adjudicator.rules.jump_gate.telling.sentences import tell

PARTIES: Final = ("seat", "player", "seats", "winners")
"""The facts of an event that name who has part in it."""


def choose_headline(view: View, events: Sequence[Event]) -> str:
    """Choose what a report tells first."""
    shortly = partial(tell_shortly, reader=Reader(view.seat), short=_SHORT, tell=tell)
    news = rank_events(_join_deeds(events), _RANKS, view.seat, PARTIES, shortly)
    return make_headline(news, _say_quiet(view, events))


def _join_deeds(events: Sequence[Event]) -> Iterator[Event]:
    """Leave out a scan where a mark is told as well, since both are one deed."""
    planets = {event.data["at"] for event in events if event.kind == "marked"}
    for event in events:
        if event.kind != "scanned" or event.data["at"] not in planets:
            yield event


def _say_quiet(view: View, events: Sequence[Event]) -> str:
    """Say what there is to say where nothing is news."""
    table = view.table
    if table.turn > 1 or events:
        return f"nothing happened in turn {table.turn}"
    owner = "you have" if view.seat == table.active else f"{table.active} has"
    you = f", you are {view.seat}" if view.seat else ""
    return f"the game begins{you}, {owner} the first turn"


_RANKS: Final[Ranks] = {
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


_SHORT: Final[Mapping[str, str]] = {
    "collected": "{seat:who} took {resource} at {at}",
    "landed": "{seat:who} landed on {at}",
    "marked": "{seat:who} scanned {at} and marked {resource}",
    "scanned": "{seat:who} scanned {at}",
    "jumped": "{seat:who} jumped to {to}",
    "flew": "{seat:who} flew to {to}",
    "special": "{seat:who} played {special}",
    "warped": "{seat:who} went through a wormhole to {to}",
    "researched": "{seat:who} did research",
    "swapped": "{seat:who} and {player:who} swapped places",
    NEGATED: "{seat:whose} action {order} failed",
}
"""The same in fewer words than in the list of events."""
