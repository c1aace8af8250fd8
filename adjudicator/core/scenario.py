"""Scenarios: a position, orders, one step, and what must come out (tests/games, GMs' arguments)."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from adjudicator.core.canonical import plain
from adjudicator.core.compare import differences, missing_in_order, shown, with_unnamed
from adjudicator.core.dice import Dice, key_of, seed_from_number
from adjudicator.core.document import Document, Impossible, Orders, Seat
from adjudicator.core.event import NEGATED, Event
from adjudicator.core.falling import Fallen
from adjudicator.core.finding import Finding, Grade, Path, path_text
from adjudicator.core.game import AnyRules, Due, Over
from adjudicator.core.names import fold
from adjudicator.core.reading import Reading, Text

AFTER_STEP = "after-step"

_KEYS = (
    "scenario",
    "title",
    "rules",
    "game",
    "seed",
    "options",
    "seats",
    "stop",
    "given",
    "orders",
    "expect",
)
_EXPECTED = ("unreadable", "refused", "negated", "state", "events")
_RECEIPT = frozenset({"unreadable", "refused"})


class Verdict(StrEnum):
    """How a scenario came out."""

    OK = "ok"
    FAIL = "FAIL"
    ERROR = "ERROR"


class Outcome(Struct, frozen=True, kw_only=True):
    """What running a scenario told."""

    scenario: str
    verdict: Verdict
    lines: tuple[str, ...] = ()
    """What was expected and did not come, or why nothing could be run."""
    notes: tuple[str, ...] = ()
    """What was said about the orders on the way; for whoever looks for the reason."""


class Scenario(Struct, frozen=True, kw_only=True):
    """One scenario, its shape checked."""

    id: str
    title: str
    rules: tuple[str, ...]
    kind: str
    seed: int
    options: Document
    seats: tuple[Seat, ...]
    cut: bool
    given: Document
    orders: Mapping[Seat, Text]
    """By seat, scalars as text; a string is YAML text still to be read."""
    expect: Document


class Tools(Struct, frozen=True):
    """What a kind of game lends to its scenarios."""

    rules: AnyRules
    read: Callable[[str, Text, Sequence[Seat]], Reading]
    """The kind's reader of forms: form, text, seats."""
    options: Callable[[Document, Sequence[Seat]], Document]
    """The kind's options with defaults filled in; raises Impossible."""
    text: Callable[[str], Text | Sequence[Finding]]
    """Reads YAML text; what cannot be read comes back as findings."""
    fallen: Callable[[str, Document, Sequence[Path]], Fallen]
    """What falls with the entries that the check refused: form, orders, entries."""


class _Received(Struct, frozen=True):
    """What came of one seat's orders when they arrived."""

    orders: Document | None
    """None when nothing was put on file."""
    read: tuple[Finding, ...]
    checked: tuple[Finding, ...] = ()
    fallen: tuple[Fallen, ...] = ()
    readable: bool = True

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (*self.read, *self.checked)

    def refused(self) -> list[str]:
        """A rule number per entry left out; several faults of one entry count once.

        The reader counts the entries that were written, the check those that the reader left. Of
        a form that falls whole, and of a list that was cut short, the first fault counts.
        """
        entries = [*_left_out(self.checked).items(), *_left_out(self.read).items()]
        if any(fallen.whole for fallen in self.fallen):
            return [rule for _, rule in entries[:1]]
        stopped = {key for fallen in self.fallen for key in fallen.stopped}
        told: list[tuple[Path, str]] = []
        for path, rule in entries:
            key = path[0] if path else ""
            if key not in stopped or key not in [place[0] for place, _ in told if place]:
                told.append((path, rule))
        return [rule for _, rule in told]


def _left_out(findings: Sequence[Finding]) -> dict[Path, str]:
    """Every entry that is refused, with the rule of its first fault."""
    left_out: dict[Path, str] = {}
    for finding in findings:
        if finding.grade is Grade.REFUSED:
            left_out.setdefault(finding.entry or finding.path, finding.rule)
    return left_out


def parse(document: Any, texts: Mapping[Seat, Text]) -> Scenario:
    """The scenario that a document holds; raises Impossible.

    `texts` are the values under `orders` as they were written.
    """
    if not isinstance(document, Mapping):
        raise Impossible("", "a scenario is a mapping that begins with `scenario: <its name>`")
    _known(document, _KEYS, "")
    seats = _seats(document)
    expect = _part(document, "expect", Mapping, "a mapping of what must come out")
    _known(expect, _EXPECTED, "expect.")
    return Scenario(
        id=str(_part(document, "scenario", str, "the scenario's own name")),
        title=str(document.get("title", "")),
        rules=tuple(_cited(document.get("rules"))),
        kind=str(_part(document, "game", str, "the kind of game, as `adjudicator rules` lists it")),
        seed=_seed(document.get("seed") or 0),
        options=document.get("options") or {},
        seats=seats,
        cut=_cut(document.get("stop")),
        given=_given(document),
        orders=_by_seat(_sent(document, texts), seats, "orders"),
        expect=_expect(expect, seats),
    )


def run(scenario: Scenario, tools: Tools) -> Outcome:
    """Adjudicate the scenario's step and compare; a position that cannot be is an ERROR."""
    try:
        lines, notes = _play(scenario, tools)
    except Impossible as fault:
        return Outcome(scenario=scenario.id, verdict=Verdict.ERROR, lines=(str(fault),))
    verdict = Verdict.FAIL if lines else Verdict.OK
    return Outcome(scenario=scenario.id, verdict=verdict, lines=tuple(lines), notes=tuple(notes))


def _play(scenario: Scenario, tools: Tools) -> tuple[list[str], list[str]]:
    state = _position(scenario, tools)
    if not scenario.expect:
        raise Impossible("expect", f"expects nothing; name at least one of {', '.join(_EXPECTED)}")
    due = _due(tools.rules, state)
    received = {
        seat: _receive(tools, state, seat, _form(due, seat), scenario)
        for seat in scenario.seats
        if seat in scenario.orders and scenario.orders[seat].value is not None
    }
    lines = _compare_receipts(scenario.expect, received)
    notes = [
        f"{seat}: {finding.rule} {path_text(finding.path)}: {finding.message} ({finding.grade})"
        for seat, one in received.items()
        for finding in one.findings
    ]
    if set(scenario.expect) <= _RECEIPT:
        return lines, notes
    orders = {seat: one.orders for seat, one in received.items() if one.orders is not None}
    after, events = _resolve(scenario, tools.rules, state, orders, phase=_phase(due))
    lines += _compare_negated(scenario.expect, events)
    if "state" in scenario.expect:
        lines += _compare_state(scenario.expect["state"], tools.rules, after)
    lines += _compare_events(scenario.expect, events)
    notes += [
        f"{event.data['seat']}: {event.rule} {event.data['order']}: {event.data['why']} (negated)"
        for event in events
        if event.kind == NEGATED
    ]
    return lines, notes


def _position(scenario: Scenario, tools: Tools) -> Any:
    try:
        options = tools.options(scenario.options, scenario.seats)
    except Impossible as fault:
        raise Impossible(_below("options", fault.path), fault.message) from fault
    dice = Dice(key_of(seed_from_number(scenario.seed)), "given")
    document = {**scenario.given, "options": options, "seats": list(scenario.seats)}
    try:
        return tools.rules.load(document, dice)
    except Impossible as fault:
        raise Impossible(_below("given", fault.path), fault.message) from fault


def _below(top: str, path: str) -> str:
    """The path from the scenario's top; options and seats stand there themselves."""
    if re.match(rf"({top}|options|seats)\b", path):
        return path
    return f"{top}.{path}" if path else top


def _due(rules: AnyRules, state: Any) -> Mapping[Seat, Due]:
    due = rules.due(state)
    if isinstance(due, Over):
        raise Impossible(
            "given", "the game is over in this position, so no step can be adjudicated"
        )
    if not due:
        raise Impossible("given", "nobody owes orders in this position, so there is no step to run")
    return due


def _phase(due: Mapping[Seat, Due]) -> str:
    return next(iter(due.values())).form


def _form(due: Mapping[Seat, Due], seat: Seat) -> str:
    """The form in which this seat's orders are read; who owes nothing writes what others owe."""
    return due[seat].form if seat in due else _phase(due)


def _receive(tools: Tools, state: Any, seat: Seat, form: str, scenario: Scenario) -> _Received:
    text = scenario.orders[seat]
    if isinstance(text.value, str):
        understood = tools.text(text.value)
        if not isinstance(understood, Text):
            return _Received(None, tuple(understood), readable=False)
        text = understood
        if text.value is None:
            return _Received({}, ())
    reading = tools.read(form, text, scenario.seats)
    if reading.orders is None or any(f.grade is Grade.UNREADABLE for f in reading.findings):
        return _Received(None, reading.findings, readable=False)
    if reading.fallen.whole:
        return _Received(None, reading.findings, fallen=(reading.fallen,))
    rules = tools.rules
    # a list of which nothing is left was sent all the same: it is not as if nothing had come
    cut: Document = {key: [] for key in reading.fallen.stopped}
    orders = _without({**cut, **reading.orders}, reading.fallen.paths)
    more = tuple(rules.check(rules.view(state, seat), seat, orders))
    refused = tuple(_left_out(more))
    fallen = tools.fallen(form, orders, refused)
    left = None if fallen.whole else _without(orders, (*refused, *fallen.paths))
    return _Received(left, reading.findings, more, (reading.fallen, fallen))


def _without(orders: Document, entries: Sequence[Path]) -> Document:
    """The form without the entries that the check refused; the last of a list goes first."""
    kept: Any = plain(orders)
    for entry in sorted(set(entries), key=lambda path: [str(p).zfill(6) for p in path])[::-1]:
        place = kept
        for part in entry[:-1]:
            place = place[part]
        del place[entry[-1]]
    return dict(kept)


def _resolve(
    scenario: Scenario, rules: AnyRules, state: Any, orders: Orders, *, phase: str
) -> tuple[Any, Sequence[Event]]:
    dice = Dice(key_of(seed_from_number(scenario.seed)), phase)
    return rules.resolve(state, orders, dice, cut=scenario.cut)


def _compare_receipts(expect: Document, received: Mapping[Seat, _Received]) -> list[str]:
    lines: list[str] = []
    if "unreadable" in expect:
        unreadable = [seat for seat, one in received.items() if not one.readable]
        lines += differences(expect["unreadable"], unreadable, ("unreadable",), unordered=True)
    for seat, rules in (expect.get("refused") or {}).items():
        refused = received[seat].refused() if seat in received else []
        lines += differences(rules, refused, ("refused", seat), unordered=True)
    return lines


def _compare_negated(expect: Document, events: Sequence[Event]) -> list[str]:
    lines: list[str] = []
    for seat, rules in (expect.get("negated") or {}).items():
        negated = [e.rule for e in events if e.kind == NEGATED and e.data["seat"] == seat]
        lines += differences(rules, negated, ("negated", seat), unordered=True)
    return lines


def _compare_state(expected: Any, rules: AnyRules, state: Any) -> list[str]:
    unnamed = getattr(rules, "unnamed", {})
    actual = with_unnamed(plain(rules.dump(state)), expected, unnamed)
    return differences(expected, actual, ("state",))


def _compare_events(expect: Document, events: Sequence[Event]) -> list[str]:
    expected = expect.get("events") or []
    index = missing_in_order(expected, [plain(event) for event in events])
    if index is None:
        return []
    kinds = Counter(event.kind for event in events)
    there = shown(dict(sorted(kinds.items())))
    wanted = shown(expected[index])
    return [f"events[{index + 1}]: {wanted} did not occur in this place; there were {there}"]


def _seats(document: Document) -> tuple[Seat, ...]:
    seats = tuple(
        str(seat) for seat in _part(document, "seats", list, "the list of seats, in seat order")
    )
    if not seats:
        raise Impossible("seats", "names no seat; list the seats in seat order")
    twice = [seat for seat, count in Counter(fold(seat) for seat in seats).items() if count > 1]
    if twice:
        raise Impossible("seats", f"{twice[0]} stands there twice")
    return seats


def _sent(document: Document, texts: Mapping[Seat, Text]) -> dict[Seat, Text]:
    """The orders of the seats that sent something; `null` is nothing, however it is written."""
    values = document.get("orders") or {}
    return {seat: text for seat, text in texts.items() if values.get(seat, text) is not None}


def _expect(expect: Document, seats: Sequence[Seat]) -> Document:
    """What is expected, with the seats of the receipts in the scenario's own spelling."""
    made = dict(expect)
    if "unreadable" in expect:
        made["unreadable"] = [
            _seat(name, seats, "expect.unreadable") for name in _names(expect, "unreadable")
        ]
    for part in ("refused", "negated"):
        if part in expect:
            by_seat = _part(expect, part, Mapping, "rule numbers by seat", above="expect.")
            made[part] = {
                seat: _rules(rules, f"expect.{part}.{seat}")
                for seat, rules in _by_seat(by_seat, seats, f"expect.{part}").items()
            }
    if not isinstance(expect.get("state") or {}, Mapping):
        raise Impossible("expect.state", "must be a mapping, a part of the state document")
    if not isinstance(expect.get("events") or [], list):
        raise Impossible("expect.events", "must be a list of events, each a mapping")
    return made


def _names(expect: Document, key: str) -> list[str]:
    names = expect[key] or []
    if not isinstance(names, list):
        raise Impossible(f"expect.{key}", "must be a list of seats")
    return [str(name) for name in names]


def _rules(rules: Any, path: str) -> list[str]:
    if not isinstance(rules or [], list):
        raise Impossible(path, "must be a list of rule numbers, [] for none")
    return [str(rule) for rule in rules or []]


def _cited(rules: Any) -> list[str]:
    """The rules that it shows; one alone may stand without brackets."""
    return [rules] if isinstance(rules, str) and rules else _rules(rules, "rules")


def _by_seat(values: Mapping[Any, Any], seats: Sequence[Seat], path: str) -> dict[Seat, Any]:
    return {_seat(str(name), seats, path): value for name, value in values.items()}


def _seat(name: str, seats: Sequence[Seat], path: str) -> Seat:
    for seat in seats:
        if fold(seat) == fold(name):
            return seat
    raise Impossible(f"{path}.{name}", f"is no seat of this scenario; it has {', '.join(seats)}")


def _given(document: Document) -> Document:
    given: Document = _part(document, "given", Mapping, "the game's state document")
    for key in ("options", "seats"):
        if key in given:
            raise Impossible(f"given.{key}", f"write `{key}` at the top of the scenario")
    return given


def _seed(seed: Any) -> int:
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise Impossible("seed", f"must be a whole number, got {shown(seed)}")
    return seed


def _cut(stop: Any) -> bool:
    if stop is None:
        return False
    if isinstance(stop, str) and fold(stop) == fold(AFTER_STEP):
        return True
    raise Impossible(
        "stop", f"can only be `{AFTER_STEP}`, got {shown(stop)}; leave it out otherwise"
    )


def _part(document: Document, key: str, shape: type, what: str, *, above: str = "") -> Any:
    value = document.get(key)
    if value is None:
        raise Impossible(f"{above}{key}", f"is missing; write {what}")
    if not isinstance(value, shape):
        raise Impossible(f"{above}{key}", f"must be {what}, got {shown(value)}")
    return value


def _known(document: Mapping[Any, Any], keys: Sequence[str], above: str) -> None:
    for key in document:
        if key not in keys:
            raise Impossible(
                f"{above}{key}", f"is no key of a scenario; there are {', '.join(keys)}"
            )
