"""The headline of a report: what matters most to its reader, in clauses that also fit a subject."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import partial
from operator import attrgetter
from typing import Final, TypeVar

from msgspec import Struct

from adjudicator.core.document import Seat
from adjudicator.core.events import (
    Event,
    EventText,
    Reader,
    fill_template,
    format_list,
    has_part,
)

_R = TypeVar("_R", bound=Reader)


class Rank(IntEnum):
    """How much a piece of news concerns its reader; the highest rank comes first."""

    END = 0
    """The game is over."""
    GAIN = 1
    """The reader gained or lost something of weight."""
    FOUGHT = 2
    """The reader fought."""
    OWN = 3
    """Anything else that the reader did, or that was done to the reader."""
    CAPTURE = 4
    """Others gained or lost something of weight."""
    OTHERS = 5
    """Anything else that others did."""
    ROUTINE = 6
    """What happens in every turn."""


class News(Struct, frozen=True, kw_only=True):
    """One piece of news."""

    rank: Rank
    text: str | Callable[[], str]
    """A clause, as short as it can be: "you took A1"; or what makes it, since few are told."""
    weight: int = 0
    """Among equal ranks the heaviest is told first."""
    at: int = 0
    """When it happened: what a headline tells stands in this order."""


Ranks = Mapping[str, tuple[Rank, Rank]]
"""By kind of event, its rank for who has part in it, and for others; the first are told first."""


def rank_events(
    events: Iterable[Event],
    ranks: Ranks,
    seat: Seat | None,
    parties: Sequence[str],
    tell: Callable[[Event], str],
) -> Iterator[News]:
    """Rank the events that are news; `parties`: the facts that name who has part in one."""
    order = list(ranks)
    for at, event in enumerate(events):
        if event.kind in ranks:
            own, others = ranks[event.kind]
            rank = own if has_part(event, seat, parties) else others
            yield News(rank=rank, text=partial(tell, event), weight=-order.index(event.kind), at=at)


def tell_shortly(
    event: Event, reader: _R, short: Mapping[str, str], tell: Callable[[Event, _R], EventText]
) -> str:
    """Tell an event as a clause: in few words where there are some, else by its sentence."""
    if event.kind == "won":
        return tell_winners(event.data["winners"], reader)
    if event.kind in short:
        return fill_template(short[event.kind], event.data, reader)
    text = tell(event, reader).text.rstrip(".")
    return f"{text[0].lower()}{text[1:]}" if text.startswith(("You", "The ")) else text


_CLAUSES: Final = 2
_PAUSE: Final = re.compile("[;,:] | (?:at|to|from|for|after|by) ")


def make_headline(news: Iterable[News], otherwise: str) -> str:
    """Make the headline: the first piece of news, and the next if both are the reader's own.

    Both stand in the order in which they happened; `otherwise` is said if there is none.
    """
    by_weight = sorted(news, key=attrgetter("weight"), reverse=True)
    clauses, first = dict[str, int](), Rank.ROUTINE
    for one in sorted(by_weight, key=attrgetter("rank")):
        first = first if clauses else one.rank
        if not clauses or (first is not Rank.END and one.rank < Rank.CAPTURE):
            clauses.setdefault(one.text if isinstance(one.text, str) else one.text(), one.at)
        if len(clauses) == _CLAUSES:
            break
    return _make_sentence("; ".join(sorted(clauses, key=clauses.__getitem__) or (otherwise,)))


def tell_winners(winners: Sequence[Seat], reader: Reader) -> str:
    """Say in a clause who has won."""
    names = [reader.name_side(seat) for seat in winners]
    if len(names) > 1:
        return f"{format_list(names)} share the victory"
    is_reader = reader.seat in winners
    return f"{names[0]} {'win' if is_reader else 'wins'}" if names else "the game is drawn"


_UNNAMED: Final = ("you", "your", "the", "nobody", "no", "all", "turn", "round", "now")
"""Words that begin with a capital at the beginning of a sentence; names stay as they are."""


def _make_sentence(text: str) -> str:
    first, space, rest = text.rstrip(".").partition(" ")
    word = first.capitalize() if first in _UNNAMED else first
    return f"{word}{space}{rest}."


def shorten_headline(headline: str, room: int) -> str:
    """Shorten a headline to fit a subject line: what follows a pause goes first, then words."""
    first, space, rest = headline.rstrip(".").partition(" ")
    text = (first.lower() if first.lower() in _UNNAMED else first) + space + rest
    while len(text) > room and (pauses := list(_PAUSE.finditer(text))):
        text = text[: pauses[-1].start()]
    if len(text) <= room:
        return text
    words = text[: max(room - 2, 0)].rpartition(" ")[0] or text[: max(room - 2, 0)]
    return f"{words.rstrip(' ,;:')} …" if room > 2 else ""
