"""Events of an adjudication, and how they become sentences for a reader."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from string import Formatter, ascii_lowercase
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.document import Document, Seat
from adjudicator.core.finding import format_path

NEGATED = "negated"
"""The kind of event for an order on file that came to nothing."""
STRUCK = "not-tried"
"""The kind of event for an order that was not tried, as the list had stopped before it."""
CHOICE_FIRST = "asked"
"""Why it was not tried, if that was for a choice that somebody had to make first."""


class Event(Struct, frozen=True, kw_only=True):
    """One event of an adjudication."""

    kind: str
    rule: str
    seen_by: tuple[Seat, ...] | None
    """The seats that may know of it; None is everybody, observers too."""
    data: Mapping[str, Any] = {}


def make_event(kind: str, rule: str, /, *seen_by: Seat, **data: Any) -> Event:
    """Make an event of this kind; without names everybody sees it."""
    return Event(kind=kind, rule=rule, seen_by=seen_by or None, data=data)


def make_negation(
    seat: Seat,
    rule: str,
    order: str,
    why: str,
    *,
    seen_by: tuple[Seat, ...] | None,
    path: tuple[str | int, ...] = (),
) -> Event:
    """Make the event that says that an order of this seat came to nothing."""
    data = {"seat": seat, "order": order, "why": why, "path": list(path)}
    return Event(kind=NEGATED, rule=rule, seen_by=seen_by, data=data)


class EventLog:
    """The events of a step while it is adjudicated: the base of a game's working copy."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def tell(self, kind: str, rule: str, /, *seen_by: Seat, **data: Any) -> None:
        """Record an event; without names everybody sees it."""
        self.events.append(make_event(kind, rule, *seen_by, **data))

    def negate(
        self, seat: Seat, rule: str, order: str, why: str, path: tuple[str | int, ...]
    ) -> None:
        """Record that an order came to nothing; only its writer sees it."""
        self.events.append(make_negation(seat, rule, order, why, seen_by=(seat,), path=path))


def list_visible(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """List the events that this seat may know; None is somebody without a seat."""
    return tuple([e for e in events if e.seen_by is None or seat in e.seen_by])


def fold_companions(
    events: Iterable[Event], companions: Mapping[str, Sequence[str]]
) -> Sequence[Event]:
    """Fold each private event that only names cards into the public one before it.

    `companions` names the private kinds, and the public kinds whose cards each of them names.
    """
    merged: list[Event] = []
    for event in events:
        if merged and merged[-1].kind in companions.get(event.kind, ()):
            cards = event.data.get("cards") or [event.data["card"]]
            merged[-1] = replace(merged[-1], data={**merged[-1].data, "named": list(cards)})
        else:
            merged.append(event)
    return merged


def split_by_writer(
    events: Iterable[Event], seat: Seat | None, find_writer: Callable[[Event], Seat | None]
) -> tuple[Sequence[tuple[int, Event]], Sequence[tuple[int, Event]]]:
    """Split off the outcomes of the seat's own orders, and number the rest from 1 in order."""
    own: list[tuple[int, Event]] = []
    rest: list[tuple[int, Event]] = []
    for number, event in enumerate(events, start=1):
        is_own = seat is not None and find_writer(event) == seat
        (own if is_own else rest).append((number, event))
    return own, rest


Facts = Mapping[str, Any]


class EventText(Struct, frozen=True):
    """An event in words."""

    text: str
    details: tuple[str, ...] = ()


_AGREEING = {"are": "is", "have": "has", "win": "wins", "share": "shares", "your": "its"}
"""A word that is said to the reader, and the same of somebody else."""


class Reader(Struct, frozen=True):
    """The reader; without a seat, everybody."""

    seat: Seat | None

    def phrase(self, value: Any, how: str) -> str:
        """Phrase a fact for a template: `{seat:Who}`, `{fleets:fleet}`, `{cards:and|nothing}`.

        Who, who, Whose, whose name a side; are, have, win, share, your agree with one; `and` lists
        things, `sides` sides; `clause` is a sentence inside another; `if` says nothing, but decides
        whether its part is included; every other word is a noun that is counted. Behind a bar
        stands what is said if there is nothing.
        """
        if not how:
            return str(value)
        if how in _NAMED:
            return _NAMED[how](self, value)
        if how in _AGREEING:
            return how if value == self.seat else _AGREEING[how]
        if how == "and":
            return format_list(value)
        if how == "sides":
            return format_list([self.name_side(side) for side in value])
        if how == "clause":
            return str(value).rstrip(".")
        if how == "if":
            return ""
        return format_count(value, how)

    def name_side(self, side: str) -> str:
        """Name the side inside a sentence."""
        return "you" if side == self.seat else side

    def begin_with(self, side: str) -> str:
        """Name the side as the first word of a sentence."""
        name = self.name_side(side)
        return name[0].upper() + name[1:] if name != side else name

    def begin_with_owner(self, side: str) -> str:
        """Name the side as an owner, as the first word of a sentence."""
        return "Your" if side == self.seat else f"{self.begin_with(side)}'s"

    def name_owner(self, side: str) -> str:
        """Name the side as an owner."""
        return "your" if side == self.seat else f"{self.name_side(side)}'s"


_NAMED: Mapping[str, Callable[[Reader, str], str]] = {
    "Who": lambda reader, side: reader.begin_with(side),
    "who": lambda reader, side: reader.name_side(side),
    "Whose": lambda reader, side: reader.begin_with_owner(side),
    "whose": lambda reader, side: reader.name_owner(side),
}

_R = TypeVar("_R", bound=Reader)

Template = str | tuple[str, ...]
"""A sentence with its facts in braces, or its parts, of which the first is always told and every
other one where there is something in all the facts that it names."""

Teller = Template | Callable[[Facts, _R], str | EventText]
"""The words for one kind of event."""


@lru_cache(maxsize=1024)
def _parse(part: str) -> tuple[tuple[str, str | None, str, str | None], ...]:
    """Split a template into words, each with the fact after it: key, manner, and words for none."""
    words = []
    for literal, key, spec, _ in Formatter().parse(part):
        how, bar, nothing = (spec or "").partition("|")
        words.append((literal, key, how, nothing if bar else None))
    return tuple(words)


def _fill(part: str, facts: Facts, reader: Reader) -> str:
    words: list[str] = []
    for literal, key, how, nothing in _parse(part):
        words.append(literal)
        if key is not None:
            fact = facts.get(key)
            is_said = fact or nothing is None
            words.append(reader.phrase(fact, how) if is_said else nothing or "")
    return "".join(words)


def fill_template(template: Template, facts: Facts, reader: Reader) -> str:
    """Fill in the sentence with its facts, as the reader may know them."""
    if isinstance(template, str):
        return _fill(template, facts, reader)
    first, *others = template
    sentence = _fill(first, facts, reader)
    for part in others:
        if all(facts.get(one[1]) for one in _parse(part) if one[1]):
            sentence += _fill(part, facts, reader)
    return sentence


def tell_by(
    key: str, cases: Mapping[Any, Template], otherwise: Template = ""
) -> Callable[[Facts, Reader], str]:
    """Make a teller that chooses its words by the value of a fact."""
    return lambda facts, reader: fill_template(cases.get(facts[key], otherwise), facts, reader)


def describe_event(event: Event, reader: _R, tellers: Mapping[str, Teller[_R]]) -> EventText:
    """Describe the event in words; a kind without words of its own is described by its facts."""
    teller = tellers.get(event.kind)
    if teller is None:
        facts = ", ".join(f"{key} {value}" for key, value in sorted(event.data.items()))
        return EventText(f"{event.kind}: {facts}" if facts else event.kind)
    return _say(teller, event.data, reader)


def _say(teller: Teller[_R], facts: Facts, reader: _R) -> EventText:
    text = teller(facts, reader) if callable(teller) else fill_template(teller, facts, reader)
    return EventText(text) if isinstance(text, str) else text


def report_event(number: int, event: Event, text: EventText, *, concerns: bool) -> Document:
    """Report an event; `concerns`: whether the reader has part in it."""
    return {
        "n": number,
        "kind": event.kind,
        "rule": event.rule,
        "about": "you" if concerns else "others",
        "text": text.text,
        "details": list(text.details),
        "data": event.data,
    }


def has_part(event: Event, seat: Seat | None, parties: Sequence[str]) -> bool:
    """Whether one of these facts of the event names the seat, alone or among others."""
    members = map(event.data.get, parties)
    return seat is not None and any(
        seat in one if isinstance(one, list | tuple) else seat == one for one in members
    )


def report_negation(number: int, event: Event, outcome: str = "negated") -> Document:
    """Report an order that came to nothing, among the reader's orders."""
    facts = event.data
    return {
        "n": number,
        "rule": event.rule,
        "text": facts["order"],
        "outcome": outcome,
        "why": facts["why"],
        "path": format_path(tuple(facts["path"])),
    }


def report_done(number: int, event: Event, teller: Teller[_R], reader: _R) -> Document:
    """Report an order that was carried out, among the reader's orders."""
    text = _say(teller, event.data, reader).text
    return {"n": number, "rule": event.rule, "text": text, "outcome": "done", "why": None}


def report_nothing(rule: str, order: str, why: str) -> Document:
    """Report an order that was fine and came to nothing, of which no event tells."""
    return {"rule": rule, "text": order, "outcome": "nothing", "why": why}


def describe_victory(winners: Sequence[Seat], reader: Reader) -> str:
    """Say who has won."""
    if not winners:
        return "The game is drawn."
    first, *others = winners
    if others:
        sides = [reader.begin_with(first), *map(reader.name_side, others)]
        return f"{format_list(sides)} share the victory."
    verb = "have" if first == reader.seat else "has"
    return f"{reader.begin_with(first)} {verb} won the game."


def tell_victory(facts: Facts, reader: Reader) -> str:
    """Say who has won, for an event that names the winners."""
    return describe_victory(facts["winners"], reader)


def report_scores(
    winners: Sequence[Seat], scores: Mapping[Seat, int], addition_template: str, ties: str
) -> Document:
    """Report the end of the game with the best score: `with {best:point}`, and what broke a tie."""
    best = max(scores.values(), default=0)  # 0 where a game ends before its rules end it
    if not best:
        return report_end(winners)
    addition = fill_template(addition_template, {"best": best}, Reader(None))
    level = [seat for seat, score in scores.items() if score == best and seat not in winners]
    if level:
        verb = "has" if len(level) == 1 else "have"
        addition += f"; {format_list(level)} {verb} as many, and ties go by {ties}"
    return report_end(winners, addition)


def report_end(winners: Sequence[Seat], addition: str = "") -> Document:
    """Report the end of the game: who has won, and how."""
    text = describe_victory(winners, Reader(None))
    if winners and addition:
        text = f"{text[:-1]} {addition}."
    return {"winners": list(winners), "text": text}


def label_seat(seat: Seat, reader: Seat | None) -> str:
    """Label a seat in a table: `red (you)` for its reader."""
    return f"{seat} (you)" if seat == reader else seat


def format_count(number: int, thing: str, things: str = "") -> str:
    """Count a thing: `1 fleet`, `2 fleets`; with a plural of its own `2 addresses`."""
    return f"{number} {thing if number == 1 else things or f'{thing}s'}"


def format_list(things: Sequence[str]) -> str:
    """List things as a sentence does: `a`, `a and b`, `a, b and c`; equal things are counted."""
    if len(things) < 2:
        return "".join(things)
    items = [
        name if (number := things.count(name)) == 1 else f"{name} x{number}"
        for name in dict.fromkeys(things)
    ]
    if len(items) == 1:
        return items[0]
    return f"{', '.join(items[:-1])} and {items[-1]}"


def format_steps(labels: Sequence[str]) -> str:
    """List steps by turns: `turn 7 and turn 8`, `turn 7, plan and jump; turn 8, plan`."""
    turns: dict[str, list[str]] = {}
    for label in dict.fromkeys(labels):
        turn, _, phase = label.partition(", ")
        turns.setdefault(turn, []).extend([phase] if phase else ())
    parts = [f"{turn}, {format_list(own)}" if own else turn for turn, own in turns.items()]
    return "; ".join(parts) if any(turns.values()) else format_list(parts)


def format_rank(values: Mapping[Seat, int], seat: Seat) -> str:
    """Rank a seat by its number among all, the highest first: `2nd of 3`, `shared 1st of 4`."""
    order = sorted(values.values(), reverse=True)
    rank = 1 + order.index(values[seat])
    ending = {1: "st", 2: "nd", 3: "rd"}.get(rank, "th")  # a game has far fewer than 11 seats
    shared = "shared " if order.count(values[seat]) > 1 else ""
    return f"{shared}{rank}{ending} of {len(values)}"


_LETTERS = {"black": "k"}
"""The letter for each seat: blue is b."""


@lru_cache(maxsize=64)
def find_initials(sides: tuple[str, ...]) -> Mapping[str, str]:
    """Find a letter for each side, its first one where that is free."""
    initials: dict[str, str] = {}
    for side in sides:
        letters = f"{_LETTERS.get(side, '')}{side}{ascii_lowercase}"
        others = initials.values()
        initials[side] = next(one for one in letters if one.isalpha() and one not in others)
    return initials
