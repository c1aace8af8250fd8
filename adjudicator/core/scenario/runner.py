"""Run a scenario's step and compare the result with what was expected."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct

from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Document, Impossible, Orders, Seat, to_plain
from adjudicator.core.events import NEGATED, Event
from adjudicator.core.finding import Finding, Grade, Path, format_path
from adjudicator.core.forms.reading import FallenEntries, Reading, Text
from adjudicator.core.game import AnyRules, Due, Over
from adjudicator.core.scenario.comparison import (
    add_unnamed,
    find_missing_in_order,
    format_value,
    list_differences,
)
from adjudicator.core.scenario.parser import EXPECTED_KEYS, Scenario

_RECEIPT = frozenset({"unreadable", "refused"})


class ScenarioVerdict(StrEnum):
    """The verdict on a scenario."""

    OK = "ok"
    FAIL = "FAIL"
    ERROR = "ERROR"


class ScenarioOutcome(Struct, frozen=True, kw_only=True):
    """The result of running a scenario."""

    scenario: str
    verdict: ScenarioVerdict
    lines: tuple[str, ...] = ()
    """The differences, or why nothing could be run."""
    notes: tuple[str, ...] = ()
    """Findings about the orders, which help to find the reason."""


class ScenarioTools(Struct, frozen=True):
    """What a kind of game lends to its scenarios."""

    rules: AnyRules
    read: Callable[[str, Text, Sequence[Seat]], Reading]
    """The kind's reader of forms: form, text, seats."""
    options: Callable[[Document, Sequence[Seat]], Document]
    """The kind's options with defaults filled in; raises Impossible."""
    text: Callable[[str], Text | Sequence[Finding]]
    """Reads YAML text; what cannot be read comes back as findings."""
    fallen: Callable[[str, Document, Sequence[Path]], FallenEntries]
    """What falls with the entries that the check refused: form, orders, entries."""


class _ReceivedOrders(Struct, frozen=True):
    """One seat's orders as received."""

    orders: Document | None
    """None when nothing was put on file."""
    read: tuple[Finding, ...]
    checked: tuple[Finding, ...] = ()
    fallen: tuple[FallenEntries, ...] = ()
    readable: bool = True

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (*self.read, *self.checked)

    def refused(self) -> list[str]:
        """Return a rule number for each entry left out; several faults of one entry count once.

        The reader counts the entries that were written, the check those that the reader left. Of
        a form that falls whole, and of a list that was cut short, the first fault counts.
        """
        entries = [*_list_left_out(self.checked).items(), *_list_left_out(self.read).items()]
        if any(fallen.is_whole for fallen in self.fallen):
            return [rule for _, rule in entries[:1]]
        stopped = {key for fallen in self.fallen for key in fallen.stopped}
        told: list[tuple[Path, str]] = []
        for path, rule in entries:
            key = path[0] if path else ""
            if key not in stopped or key not in [place[0] for place, _ in told if place]:
                told.append((path, rule))
        return [rule for _, rule in told]


def _list_left_out(findings: Sequence[Finding]) -> dict[Path, str]:
    """List every refused entry, with the rule of its first fault."""
    left_out: dict[Path, str] = {}
    for finding in findings:
        if finding.grade is Grade.REFUSED:
            left_out.setdefault(finding.entry or finding.path, finding.rule)
    return left_out


def run_scenario(scenario: Scenario, tools: ScenarioTools) -> ScenarioOutcome:
    """Adjudicate the scenario's step and compare; a position that cannot be is an ERROR."""
    try:
        lines, notes = _play(scenario, tools)
    except Impossible as fault:
        return ScenarioOutcome(
            scenario=scenario.id, verdict=ScenarioVerdict.ERROR, lines=(str(fault),)
        )
    verdict = ScenarioVerdict.FAIL if lines else ScenarioVerdict.OK
    return ScenarioOutcome(
        scenario=scenario.id, verdict=verdict, lines=tuple(lines), notes=tuple(notes)
    )


def _play(scenario: Scenario, tools: ScenarioTools) -> tuple[list[str], list[str]]:
    state = _load_position(scenario, tools)
    if not scenario.expect:
        raise Impossible(
            "expect", f"expects nothing; name at least one of {', '.join(EXPECTED_KEYS)}"
        )
    due = _find_due(tools.rules, state)
    received = {
        seat: _receive(tools, state, seat, _find_form(due, seat), scenario)
        for seat in scenario.seats
        if seat in scenario.orders and scenario.orders[seat].value is not None
    }
    lines = _compare_receipts(scenario.expect, received)
    notes = [
        f"{seat}: {finding.rule} {format_path(finding.path)}: {finding.message} ({finding.grade})"
        for seat, one in received.items()
        for finding in one.findings
    ]
    if set(scenario.expect) <= _RECEIPT:
        return lines, notes
    orders = {seat: one.orders for seat, one in received.items() if one.orders is not None}
    after, events = _resolve(scenario, tools.rules, state, orders, phase=_find_phase(due))
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


def _load_position(scenario: Scenario, tools: ScenarioTools) -> Any:
    try:
        options = tools.options(scenario.options, scenario.seats)
    except Impossible as fault:
        raise Impossible(_prefix_path("options", fault.path), fault.message) from fault
    dice = Dice(derive_dice_key(seed_from_number(scenario.seed)), "given")
    document = {**scenario.given, "options": options, "seats": list(scenario.seats)}
    try:
        return tools.rules.load(document, dice)
    except Impossible as fault:
        raise Impossible(_prefix_path("given", fault.path), fault.message) from fault


def _prefix_path(top: str, path: str) -> str:
    """Extend the path to the scenario's top; options and seats stand there themselves."""
    if re.match(rf"({top}|options|seats)\b", path):
        return path
    return f"{top}.{path}" if path else top


def _find_due(rules: AnyRules, state: Any) -> Mapping[Seat, Due]:
    due = rules.due(state)
    if isinstance(due, Over):
        raise Impossible(
            "given", "the game is over in this position, so no step can be adjudicated"
        )
    if not due:
        raise Impossible("given", "nobody owes orders in this position, so there is no step to run")
    return due


def _find_phase(due: Mapping[Seat, Due]) -> str:
    return next(iter(due.values())).form


def _find_form(due: Mapping[Seat, Due], seat: Seat) -> str:
    """Find the form for this seat's orders; a seat that owes nothing writes what others owe."""
    return due[seat].form if seat in due else _find_phase(due)


def _receive(
    tools: ScenarioTools, state: Any, seat: Seat, form: str, scenario: Scenario
) -> _ReceivedOrders:
    text = scenario.orders[seat]
    if isinstance(text.value, str):
        understood = tools.text(text.value)
        if not isinstance(understood, Text):
            return _ReceivedOrders(None, tuple(understood), readable=False)
        text = understood
        if text.value is None:
            return _ReceivedOrders({}, ())
    reading = tools.read(form, text, scenario.seats)
    if reading.orders is None or any(f.grade is Grade.UNREADABLE for f in reading.findings):
        return _ReceivedOrders(None, reading.findings, readable=False)
    if reading.fallen.is_whole:
        return _ReceivedOrders(None, reading.findings, fallen=(reading.fallen,))
    rules = tools.rules
    # a list that is now empty was still sent: that differs from no orders
    cut: Document = {key: [] for key in reading.fallen.stopped}
    orders = _remove_entries({**cut, **reading.orders}, reading.fallen.paths)
    more = tuple(rules.check(rules.view(state, seat), seat, orders))
    refused = tuple(_list_left_out(more))
    fallen = tools.fallen(form, orders, refused)
    left = None if fallen.is_whole else _remove_entries(orders, (*refused, *fallen.paths))
    return _ReceivedOrders(left, reading.findings, more, (reading.fallen, fallen))


def _remove_entries(orders: Document, entries: Sequence[Path]) -> Document:
    """Remove the entries that the check refused; the last of a list goes first."""
    kept: Any = to_plain(orders)
    for entry in sorted(set(entries), key=lambda path: [str(p).zfill(6) for p in path])[::-1]:
        place = kept
        for part in entry[:-1]:
            place = place[part]
        del place[entry[-1]]
    return dict(kept)


def _resolve(
    scenario: Scenario, rules: AnyRules, state: Any, orders: Orders, *, phase: str
) -> tuple[Any, Sequence[Event]]:
    dice = Dice(derive_dice_key(seed_from_number(scenario.seed)), phase)
    return rules.resolve(state, orders, dice, cut=scenario.cut)


def _compare_receipts(expect: Document, received: Mapping[Seat, _ReceivedOrders]) -> list[str]:
    lines: list[str] = []
    if "unreadable" in expect:
        unreadable = [seat for seat, one in received.items() if not one.readable]
        lines += list_differences(expect["unreadable"], unreadable, ("unreadable",), unordered=True)
    for seat, rules in (expect.get("refused") or {}).items():
        refused = received[seat].refused() if seat in received else []
        lines += list_differences(rules, refused, ("refused", seat), unordered=True)
    return lines


def _compare_negated(expect: Document, events: Sequence[Event]) -> list[str]:
    lines: list[str] = []
    for seat, rules in (expect.get("negated") or {}).items():
        negated = [e.rule for e in events if e.kind == NEGATED and e.data["seat"] == seat]
        lines += list_differences(rules, negated, ("negated", seat), unordered=True)
    return lines


def _compare_state(expected: Any, rules: AnyRules, state: Any) -> list[str]:
    unnamed = getattr(rules, "unnamed", {})
    actual = add_unnamed(to_plain(rules.dump(state)), expected, unnamed)
    return list_differences(expected, actual, ("state",))


def _compare_events(expect: Document, events: Sequence[Event]) -> list[str]:
    expected = expect.get("events") or []
    index = find_missing_in_order(expected, [to_plain(event) for event in events])
    if index is None:
        return []
    kinds = Counter(event.kind for event in events)
    there = format_value(dict(sorted(kinds.items())))
    wanted = format_value(expected[index])
    return [f"events[{index + 1}]: {wanted} did not occur in this place; there were {there}"]
