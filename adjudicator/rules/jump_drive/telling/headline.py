"""The news of a round: the reader's own score and cards first, then the others'."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from adjudicator.core.document import Seat
from adjudicator.core.events import NEGATED, Event, fill_template
from adjudicator.core.headline import News, Rank, Ranks, make_headline, rank_events, tell_shortly
from adjudicator.rules.jump_drive.position.state import View
from adjudicator.rules.jump_drive.telling.sentences import Reader, tell

PARTIES: Final = ("seat", "origin", "to", "dealer", "winners")
"""The facts of an event that name who has part in it."""


def choose_headline(view: View, events: Sequence[Event], reader: Reader) -> str:
    """Choose what a report tells first."""
    return make_headline(_list_news(view, events, reader), _say_quiet(view))


def _say_quiet(view: View) -> str:
    """Say what there is to say where nothing is news."""
    if view.table.step == "opening":
        return f"the game begins, you are {view.seat}" if view.seat else "the game begins"
    return f"round {view.table.round} begins"


_PLACED: Final = ("settled-second", "settled", "developed")
_RANKS: Final[Ranks] = {
    "won": (Rank.END, Rank.END),
    "moved": (Rank.GAIN, Rank.OTHERS),
    NEGATED: (Rank.OWN, Rank.ROUTINE),
    **dict.fromkeys(_PLACED, (Rank.OWN, Rank.OTHERS)),
    "explored": (Rank.OWN, Rank.OTHERS),
    "discarded": (Rank.OWN, Rank.OTHERS),
    "passed": (Rank.OWN, Rank.OTHERS),
}
_SHORT: Final[Mapping[str, str]] = {
    **dict.fromkeys(_PLACED, "{seat:who} placed {card:name}"),
    "explored": "{seat:who} explored",
    "discarded": "{seat:who} discarded {number:card}",
}
"""The same in fewer words than in the list of events."""
_BOTH: Final = "{seat:who} placed {cards:names}"
_MANY: Final = "{seat:who} placed {number:card}"
_MOST_NAMED: Final = 2
"""More cards than these are only counted."""


def _list_news(view: View, events: Sequence[Event], reader: Reader) -> Iterator[News]:
    scored = [event for event in events if event.kind == "scored"]
    if scored:
        yield from _describe_race({one.data["seat"]: one.data for one in scored}, view.seat)
    shortly = partial(_tell_shortly, events, reader)
    yield from rank_events(events, _RANKS, view.seat, PARTIES, shortly)


def _tell_shortly(events: Sequence[Event], reader: Reader, event: Event) -> str:
    """Tell an event as a clause, all that a player has placed at once."""
    if event.kind in _PLACED:
        seat = event.data["seat"]
        placed = (one.data for one in events if one.kind in _PLACED)
        cards = [facts["card"] for facts in placed if facts["seat"] == seat]
        if len(cards) > 1:
            facts = {"seat": seat, "cards": cards, "number": len(cards)}
            return fill_template(_BOTH if len(cards) == _MOST_NAMED else _MANY, facts, reader)
    return tell_shortly(event, reader, _SHORT, tell)


def _describe_race(scored: Mapping[Seat, Mapping[str, int]], seat: Seat | None) -> Iterator[News]:
    """Say how the reader stands after a scoring, and who leads."""
    totals = {one: facts["total"] for one, facts in scored.items()}
    ranking = sorted(totals, key=lambda one: -totals[one])
    if seat not in totals:
        text = ", ".join(f"{one} {totals[one]}" for one in ranking)
        yield News(rank=Rank.CAPTURE, text=f"{text} VP after this round")
        return
    place = 1 + sum(total > totals[seat] for total in totals.values())
    lead = next((one for one in ranking if one != seat), seat)
    verb = "leads" if place > 1 else "follows"
    own = f"you gained {scored[seat]['gained']} VP and have {totals[seat]}"
    is_level = totals[lead] == totals[seat] and lead != seat
    text = f"{own}, level with {lead}" if is_level else f"{own}, {lead} {verb} with {totals[lead]}"
    yield News(rank=Rank.GAIN, text=text, weight=1)
