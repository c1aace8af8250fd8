"""Run a scenario's step and compare the result with what was expected."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Document, Impossible, Orders, Seat, to_plain
from adjudicator.core.events import NEGATED, Event
from adjudicator.core.finding import Finding, Grade, Path, format_path
from adjudicator.core.forms.reading import FallenEntries, Reading, Text
from adjudicator.core.game import AnyRules, Due, Over
from adjudicator.core.scenario.comparison import (
    add_unnamed,
    describe_change,
    find_missing_in_order,
    format_value,
    list_changed_parts,
    list_differences,
)
from adjudicator.core.scenario.parser import EXPECTED_KEYS, Scenario

_RECEIPT = frozenset({"unreadable", "refused"})


class ScenarioVerdict(StrEnum):
    """The verdict on a scenario."""

    OK = "ok"
    SHOWN = "shown"
    """Nothing was expected, so that there is nothing to compare."""
    FAIL = "FAIL"
    ERROR = "ERROR"
    LEFT_OUT = "left-out"
    """Another program cannot be asked about it."""


class ScenarioOutcome(Struct, frozen=True, kw_only=True):
    """The result of running a scenario."""

    scenario: str
    verdict: ScenarioVerdict
    lines: tuple[str, ...] = ()
    """The differences, or why nothing could be run."""
    notes: tuple[str, ...] = ()
    """Findings about the orders, which help to find the reason."""
    events: tuple[Document, ...] = ()
    """What happened, as a report to everybody would tell it; nothing is hidden from it."""
    changes: tuple[str, ...] = ()
    """What became of the position."""


class ScenarioAnswer(Struct, frozen=True, kw_only=True):
    """What comes of a scenario's step, as any adjudicator of the game can say it."""

    unreadable: tuple[Seat, ...] = ()
    """Seats whose orders cannot be read."""
    refused: Mapping[Seat, Sequence[str]] = {}
    """Of each seat, the rules by which orders were not put on file."""
    negated: Mapping[Seat, Sequence[str]] = {}
    """Of each seat, the rules by which orders on file came to nothing."""
    state: Document | None = None
    """The state document after the step; None: nothing was adjudicated."""
    events: Sequence[Document] = ()


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
        faults: list[tuple[Path, str]] = []
        for path, rule in entries:
            key = path[0] if path else ""
            if key not in stopped or key not in [place[0] for place, _ in faults if place]:
                faults.append((path, rule))
        return [rule for _, rule in faults]


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
        if scenario.expect is None:
            return _show(scenario, tools)
        lines, notes = _compare(scenario, tools)
    except Impossible as fault:
        return ScenarioOutcome(
            scenario=scenario.id, verdict=ScenarioVerdict.ERROR, lines=(str(fault),)
        )
    verdict = ScenarioVerdict.FAIL if lines else ScenarioVerdict.OK
    return ScenarioOutcome(
        scenario=scenario.id, verdict=verdict, lines=tuple(lines), notes=tuple(notes)
    )


def _show(scenario: Scenario, tools: ScenarioTools) -> ScenarioOutcome:
    """Say what happens, where nothing is expected."""
    rules, state = tools.rules, _load_position(scenario, tools)
    due = _find_due(rules, state)
    received = _receive_all(scenario, tools, state, due)
    after, events = _resolve(
        scenario, rules, state, _list_on_file(received), phase=_find_phase(due)
    )
    parts = list_changed_parts(to_plain(rules.dump(state)), to_plain(rules.dump(after)), whole=True)
    return ScenarioOutcome(
        scenario=scenario.id,
        verdict=ScenarioVerdict.SHOWN,
        notes=tuple(_describe_findings(received)),
        events=tuple(rules.report(rules.view(after, None), events)["events"]),
        changes=tuple(describe_change(*one) for one in parts),
    )


def _compare(scenario: Scenario, tools: ScenarioTools) -> tuple[list[str], list[str]]:
    answer, notes = answer_scenario(scenario, tools)
    if not scenario.expect:
        names = ", ".join(EXPECTED_KEYS)
        raise Impossible(
            "expect",
            f"expects nothing; name at least one of {names}, or leave it out to see what happens",
        )
    return list_answer_differences(scenario.expect, answer, tools.rules), notes


def answer_scenario(scenario: Scenario, tools: ScenarioTools) -> tuple[ScenarioAnswer, list[str]]:
    """Say what comes of the scenario, with notes on its orders; raises Impossible.

    If only receipts are expected, nothing is adjudicated.
    """
    state = _load_position(scenario, tools)
    due = _find_due(tools.rules, state)
    received = _receive_all(scenario, tools, state, due)
    receipts = ScenarioAnswer(
        unreadable=tuple(seat for seat, one in received.items() if not one.readable),
        refused={seat: one.refused() for seat, one in received.items()},
    )
    notes = _describe_findings(received)
    if scenario.expect and set(scenario.expect) <= _RECEIPT:
        return receipts, notes
    after, events = _resolve(
        scenario, tools.rules, state, _list_on_file(received), phase=_find_phase(due)
    )
    negations = [event for event in events if event.kind == NEGATED]
    notes += [
        f"{event.data['seat']}: {event.rule} {event.data['order']}: {event.data['why']} (negated)"
        for event in negations
    ]
    negated: dict[Seat, list[str]] = {}
    for event in negations:
        negated.setdefault(event.data["seat"], []).append(event.rule)
    answer = replace(
        receipts,
        negated=negated,
        state=to_plain(tools.rules.dump(after)),
        events=[to_plain(event) for event in events],
    )
    return answer, notes


def _receive_all(
    scenario: Scenario, tools: ScenarioTools, state: Any, due: Mapping[Seat, Due]
) -> Mapping[Seat, _ReceivedOrders]:
    return {
        seat: _receive(tools, state, seat, _find_form(due, seat), scenario)
        for seat in scenario.seats
        if seat in scenario.orders and scenario.orders[seat].value is not None
    }


def _list_on_file(received: Mapping[Seat, _ReceivedOrders]) -> dict[Seat, Document]:
    return {seat: one.orders for seat, one in received.items() if one.orders is not None}


def _describe_findings(received: Mapping[Seat, _ReceivedOrders]) -> list[str]:
    return [
        ": ".join(part for part in (seat, _name_place(finding), finding.message) if part)
        + f" ({finding.grade})"
        for seat, one in received.items()
        for finding in one.findings
    ]


def _name_place(finding: Finding) -> str:
    return f"{finding.rule} {format_path(finding.path)}".strip()


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
    refused_paths = tuple(_list_left_out(more))
    fallen = tools.fallen(form, orders, refused_paths)
    rest = None if fallen.is_whole else _remove_entries(orders, (*refused_paths, *fallen.paths))
    return _ReceivedOrders(rest, reading.findings, more, (reading.fallen, fallen))


def _remove_entries(orders: Document, entries: Sequence[Path]) -> Document:
    """Remove the entries that the check refused; the last of a list goes first."""
    rest: Any = to_plain(orders)
    for entry in sorted(set(entries), key=lambda path: [str(p).zfill(6) for p in path])[::-1]:
        place = rest
        for part in entry[:-1]:
            place = place[part]
        del place[entry[-1]]
    return dict(rest)


def _resolve(
    scenario: Scenario, rules: AnyRules, state: Any, orders: Orders, *, phase: str
) -> tuple[Any, Sequence[Event]]:
    dice = Dice(derive_dice_key(seed_from_number(scenario.seed)), phase)
    return rules.resolve(state, orders, dice, cut=scenario.cut)


def list_answer_differences(expect: Document, answer: ScenarioAnswer, rules: AnyRules) -> list[str]:
    """List where an answer differs from what is expected, a sentence each."""
    lines: list[str] = []
    if "unreadable" in expect:
        lines += list_differences(
            expect["unreadable"], list(answer.unreadable), ("unreadable",), unordered=True
        )
    for part, rules_by_seat in (("refused", answer.refused), ("negated", answer.negated)):
        for seat, numbers in (expect.get(part) or {}).items():
            there = list(rules_by_seat.get(seat, ()))
            lines += list_differences(numbers, there, (part, seat), unordered=True)
    if "state" in expect:
        unnamed = getattr(rules, "unnamed", {})
        actual = add_unnamed(answer.state or {}, expect["state"], unnamed)
        lines += list_differences(expect["state"], actual, ("state",))
    return [*lines, *_compare_events(expect, answer.events)]


def _compare_events(expect: Document, events: Sequence[Document]) -> list[str]:
    expected = expect.get("events") or []
    index = find_missing_in_order(expected, events)
    if index is None:
        return []
    kinds = Counter(event["kind"] for event in events)
    there = format_value(dict(sorted(kinds.items())))
    missing = format_value(expected[index])
    return [f"events[{index + 1}]: {missing} did not occur in this place; there were {there}"]
