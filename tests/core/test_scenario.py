"""The scenario runner, tried on a game so small that every answer can be seen at a glance.

In the game of Count, a seat adds or takes numbers; `roll` adds a number of the dice.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Document, Impossible, Orders, Seat
from adjudicator.core.events import Event, make_negation
from adjudicator.core.finding import Finding, Grade, Path
from adjudicator.core.forms.reading import FallenEntries, Reading, Text
from adjudicator.core.game import Due, Over
from adjudicator.core.scenario.parser import parse_scenario
from adjudicator.core.scenario.runner import (
    ScenarioOutcome,
    ScenarioTools,
    ScenarioVerdict,
    run_scenario,
)


class Count:
    """Rules of Count; the state is its own document."""

    kind = "count"
    title = "Count"
    names: Mapping[str, Sequence[str]] = {}

    def load(self, document: Document, dice: Dice | None = None) -> dict[str, Any]:
        assert dice is not None
        for seat in document.get("sums", {}):
            if seat not in document["seats"]:
                raise Impossible(f"sums.{seat}", "is no seat")
        if "over" in document:
            return {"over": document["over"]}
        return {
            "sums": {seat: document.get("sums", {}).get(seat, 0) for seat in document["seats"]},
            "hands": document.get("hands", {}),
            "row": [],
            "limit": document["options"]["limit"],
            "turn": 1,
            "chance": dice.draw("start").below(1000),
            "idle": document.get("idle", False),
        }

    def due(self, state: dict[str, Any]) -> Mapping[Seat, Due] | Over:
        if "over" in state:
            return Over(winners=("red",))
        return {} if state["idle"] else {seat: Due("add") for seat in state["sums"]}

    def check(self, view: Any, seat: Seat, orders: Document) -> list[Finding]:
        """Refuses thirteens, the first of them by two faults of one entry."""
        return [
            Finding(grade=grade, rule=rule, message="unlucky", path=("add", n), entry=("add", n))
            for n, number in enumerate(orders.get("add", []))
            if number == 13
            for grade, rule in ((Grade.REFUSED, "C-13"), (Grade.REFUSED, "C-99"))
        ] + [Finding(grade=Grade.DOUBTFUL, rule="C-5", message="who knows")]

    def view(self, state: dict[str, Any], seat: Seat | None) -> Any:
        return state["sums"]

    def resolve(
        self, state: dict[str, Any], orders: Orders, dice: Dice, *, cut: bool = False
    ) -> tuple[dict[str, Any], list[Event]]:
        sums, events = dict(state["sums"]), []
        for seat, form in orders.items():
            for place, number in enumerate(form.get("add", [])):
                if number < 0:
                    why = "below zero"
                    events.append(make_negation(seat, "C-2", str(number), why, seen_by=(seat,)))
                    continue
                sums[seat] += number
                data = {"seat": seat, "number": number, "place": place}
                events.append(Event(kind="added", rule="C-1", seen_by=None, data=data))
            if form.get("roll"):
                sums[seat] += dice.draw("roll", seat).below(1000)
        after = {**state, "sums": sums, "row": list(sums.values())}
        return {**after, "turn": 1 if cut else 2}, events

    def dump(self, state: dict[str, Any]) -> Document:
        return state

    def report(self, view: Any, events: Sequence[Event]) -> Document:
        return {"events": [{"text": one.data["seat"], "rule": one.rule} for one in events]}


def _read(form: str, text: Text, seats: Sequence[Seat]) -> Reading:
    assert form == "add"
    if not isinstance(text.value, Mapping):
        fault = Finding(grade=Grade.UNREADABLE, rule="C-0", message="no form")
        return Reading(orders=None, findings=(fault,))
    numbers, findings = [], []
    for place, number in enumerate(text.value.get("add", [])):
        if number.lstrip("-").isdigit():
            numbers.append(int(number))
        else:
            entry = ("add", place)
            findings += [
                Finding(grade=Grade.REFUSED, rule="C-0", message=m, path=entry, entry=entry)
                for m in ("no number", "no digit")
            ]
    orders: dict[str, Any] = {"add": numbers}
    if text.value.get("roll") == "yes":
        orders["roll"] = True
    return Reading(orders=orders, findings=tuple(findings))


def _options(given: Document, seats: Sequence[Seat]) -> Document:
    if not isinstance(given.get("limit", 0), int):
        raise Impossible("limit", "must be a number")
    return {"limit": 10, **given}


def _text(text: str) -> Text | Sequence[Finding]:
    if text.startswith("add: "):
        return Text(value={"add": text.removeprefix("add: ").split()})
    if not text:
        return Text(value=None)
    return [Finding(grade=Grade.UNREADABLE, rule="", message="no YAML")]


def _fallen(_: str, __: Mapping[str, Any], refused: Sequence[Path]) -> FallenEntries:
    """The list of this game is not done in order: each entry falls alone, the whole form whole."""
    return FallenEntries(((),)) if () in refused else FallenEntries()


TOOLS = ScenarioTools(Count(), _read, _options, _text, _fallen)  # type: ignore[arg-type]  # Count does not set up games


def _scenario(
    expect: Any, orders: Mapping[str, Any] | None = None, **more: Any
) -> tuple[dict[str, Any], dict[str, Text]]:
    document = {
        "scenario": "c-1-something",
        "title": "Something",
        "rules": ["C-1"],
        "game": "count",
        "seats": ["red", "blue"],
        "given": {},
        "expect": expect,
        **more,
    }
    return document, {seat: Text(value=value) for seat, value in (orders or {}).items()}


def _ran(expect: Any, orders: Mapping[str, Any] | None = None, **more: Any) -> ScenarioOutcome:
    return run_scenario(parse_scenario(*_scenario(expect, orders, **more)), TOOLS)


def _error(document: Mapping[str, Any], **orders: Any) -> str:
    with pytest.raises(Impossible) as fault:
        parse_scenario(document, {seat: Text(value=value) for seat, value in orders.items()})
    return str(fault.value)


def _added(*numbers: int) -> dict[str, Any]:
    return {"add": [str(number) for number in numbers]}


def test_what_comes_out_as_expected_is_ok() -> None:
    outcome = _ran(
        {"state": {"sums": {"red": 3, "blue": 4}, "turn": 2}},
        {"red": _added(1, 2), "blue": _added(4)},
    )
    assert outcome == ScenarioOutcome(
        scenario="c-1-something",
        verdict=ScenarioVerdict.OK,
        notes=("red: C-5: who knows (doubtful)", "blue: C-5: who knows (doubtful)"),
    )


def test_a_difference_fails_and_says_where() -> None:
    outcome = _ran(
        {"state": {"sums": {"red": 4, "blue": None}}}, {"red": _added(3), "blue": _added(1)}
    )
    assert outcome.verdict is ScenarioVerdict.FAIL
    assert outcome.lines == (
        "state.sums.red: expected 4, got 3",
        "state.sums.blue: expected nothing, got 1",
    )


def test_stop_after_step_stops_before_the_next_turn() -> None:
    assert _ran({"state": {"turn": 1}}, stop="after-step").verdict is ScenarioVerdict.OK
    assert _ran({"state": {"turn": 1}}).lines == ("state.turn: expected 1, got 2",)


def test_a_scenario_without_expectations_shows_what_happens() -> None:
    given = {"hands": {"red": ["owl", "fox"]}}
    document, texts = _scenario(None, {"red": _added(3), "blue": _added(13, -4)}, given=given)
    for left_out in (document, {key: one for key, one in document.items() if key != "expect"}):
        outcome = run_scenario(parse_scenario(left_out, texts), TOOLS)
        assert (outcome.verdict, outcome.lines) == (ScenarioVerdict.SHOWN, ())
        assert "blue: C-13 add[1]: unlucky (refused)" in outcome.notes
        assert outcome.events == ({"text": "red", "rule": "C-1"}, {"text": "blue", "rule": "C-2"})
        assert outcome.changes == (
            "row gained 3, 0",
            "sums.red was 0 and is 3",
            "turn was 1 and is 2",
        )


def test_a_scenario_without_expectations_still_needs_a_position_that_can_be() -> None:
    outcome = _ran(None, given={"sums": {"pink": 1}})
    assert outcome.verdict is ScenarioVerdict.ERROR
    assert outcome.lines == ("given.sums.pink: is no seat",)


def test_a_seat_left_out_or_null_sends_nothing() -> None:
    expect = {"unreadable": [], "state": {"sums": {"red": None, "blue": None}}}
    assert _ran(expect, {"red": None}).verdict is ScenarioVerdict.OK


def test_a_scenario_that_expects_nothing_is_an_error_once_its_position_is_sound() -> None:
    assert _ran({}).lines[0].startswith("expect: expects nothing; name at least one of unreadable")
    assert _ran({}, given={"sums": {"pink": 1}}).lines[0].startswith("given.")


def test_orders_as_a_string_are_read_as_text() -> None:
    assert _ran({"state": {"sums": {"red": 3}}}, {"red": "add: 1 2"}).verdict is ScenarioVerdict.OK
    assert _ran({"state": {"sums": {"red": None}}}, {"red": ""}).verdict is ScenarioVerdict.OK


def test_an_unreadable_seat_sends_nothing_and_the_others_play_on() -> None:
    expect = {"unreadable": ["Blue"], "state": {"sums": {"red": 3, "blue": 0}}}
    assert _ran(expect, {"red": _added(3), "blue": "[broken"}).verdict is ScenarioVerdict.OK
    assert _ran(expect, {"red": _added(3), "blue": ["add"]}).verdict is ScenarioVerdict.OK


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        ([], "unreadable: [blue] was not expected"),
        (["red"], "unreadable: [red] is missing and [blue] was not expected"),
    ],
)
def test_unreadable_is_compared_whole(expected: list[str], line: str) -> None:
    outcome = _ran({"unreadable": expected}, {"red": _added(1), "blue": "[broken"})
    assert outcome.lines == (line,)


def test_refused_counts_entries_not_faults() -> None:
    orders = {"red": {"add": ["one", "13", "2", "two"]}}
    expect = {"refused": {"red": ["C-0", "C-13", "C-0"]}, "state": {"sums": {"red": 2}}}
    assert _ran(expect, orders).verdict is ScenarioVerdict.OK
    fewer = _ran({"refused": {"red": ["C-0", "C-13"]}}, orders)
    assert fewer.lines == ("refused.red: [C-0] was not expected",)


def test_refused_of_a_seat_that_is_not_named_does_not_matter() -> None:
    assert _ran({"refused": {"blue": []}}, {"red": {"add": ["one"]}}).verdict is ScenarioVerdict.OK


def test_refused_expected_of_a_seat_without_orders_is_missing() -> None:
    assert _ran({"refused": {"blue": ["C-0"]}}).lines == ("refused.blue: [C-0] is missing",)


def test_negated_is_a_multiset_of_rules() -> None:
    orders = {"red": _added(-1, 5, -2)}
    assert (
        _ran({"negated": {"red": ["C-2", "C-2"], "blue": []}}, orders).verdict is ScenarioVerdict.OK
    )
    once = _ran({"negated": {"red": ["C-2"]}}, orders)
    assert once.lines == ("negated.red: [C-2] was not expected",)
    assert "red: C-2 -1: below zero (negated)" in once.notes
    other = _ran({"negated": {"red": ["C-2", "C-3"]}}, orders)
    assert other.lines == ("negated.red: [C-3] is missing and [C-2] was not expected",)
    assert _ran({"negated": {"blue": None}}, orders).verdict is ScenarioVerdict.OK


def test_a_list_of_which_nothing_is_left_was_sent_all_the_same() -> None:
    executed: list[Orders] = []

    class Kept(Count):
        def resolve(self, state: Any, orders: Orders, dice: Dice, *, cut: bool = False) -> Any:
            executed.append(orders)
            return super().resolve(state, orders, dice, cut=cut)

    def read(form: str, text: Text, seats: Sequence[Seat]) -> Reading:
        reading = _read(form, text, seats)
        return Reading({}, reading.findings, fallen=FallenEntries((), ("add",)))

    tools = ScenarioTools(Kept(), read, _options, _text, _fallen)  # type: ignore[arg-type]  # as above
    outcome = run_scenario(
        parse_scenario(*_scenario({"state": {"turn": 2}}, {"red": {"add": ["x"]}})), tools
    )
    assert outcome.verdict is ScenarioVerdict.OK
    assert executed == [{"red": {"add": []}}]


def test_only_receipts_expected_adjudicates_nothing() -> None:
    class Stubborn(Count):
        def resolve(self, *args: Any, **more: Any) -> Any:
            raise AssertionError("nothing is to be adjudicated")

    scenario = parse_scenario(
        *_scenario({"refused": {"red": []}, "unreadable": []}, {"red": _added(1)})
    )
    tools = ScenarioTools(Stubborn(), _read, _options, _text, _fallen)  # type: ignore[arg-type]  # as TOOLS
    assert run_scenario(scenario, tools).verdict is ScenarioVerdict.OK


def test_events_occur_in_order_as_subsets() -> None:
    orders = {"red": _added(1, 2, 1)}
    one, two = ({"kind": "added", "data": {"number": n}} for n in (1, 2))
    assert _ran({"events": [one, two, one]}, orders).verdict is ScenarioVerdict.OK
    assert _ran({"events": [two, one]}, orders).verdict is ScenarioVerdict.OK
    late = _ran({"events": [two, two]}, orders)
    assert late.verdict is ScenarioVerdict.FAIL
    assert late.lines[0].startswith("events[2]: {kind: added, data: {number: 2}} did not occur")


def test_chance_follows_from_the_seed_and_the_phase() -> None:
    rolled = Dice(derive_dice_key(seed_from_number(7)), "add").draw("roll", "red").below(1000)
    orders = {"red": {"roll": "yes"}}
    assert _ran({"state": {"sums": {"red": rolled}}}, orders, seed=7).verdict is ScenarioVerdict.OK
    assert _ran({"state": {"sums": {"red": rolled}}}, orders).verdict is ScenarioVerdict.FAIL
    first = Dice(derive_dice_key(seed_from_number(0)), "add").draw("roll", "red").below(1000)
    assert _ran({"state": {"sums": {"red": first}}}, orders).verdict is ScenarioVerdict.OK


def test_seats_and_options_reach_the_rules() -> None:
    expect = {"state": {"limit": 4}}
    assert _ran(expect, options={"limit": 4}).verdict is ScenarioVerdict.OK
    assert _ran(expect).lines == ("state.limit: expected 4, got 10",)


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"given": {"sums": {"pink": 3}}}, "given.sums.pink: is no seat"),
        ({"options": {"limit": "high"}}, "options.limit: must be a number"),
        ({"given": {"over": True}}, "given: the game is over in this position, so no step"),
        ({"given": {"idle": True}}, "given: nobody owes orders in this position"),
    ],
)
def test_a_position_that_cannot_be_is_an_error_with_its_path(
    more: dict[str, Any], line: str
) -> None:
    outcome = _ran({"state": {}}, **more)
    assert outcome.verdict is ScenarioVerdict.ERROR
    assert len(outcome.lines) == 1
    assert outcome.lines[0].startswith(line)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"scenario": None}, "scenario: is missing"),
        ({"game": None}, "game: is missing; write the kind of game"),
        ({"seats": None}, "seats: is missing; write the list of seats"),
        ({"seats": []}, "seats: names no seat"),
        ({"seats": ["red", "Red"]}, "seats: red appears twice"),
        ({"seats": {"red": 1}}, "seats: must be the list of seats, in seat order, got {red: 1}"),
        ({"given": None}, "given: is missing"),
        ({"given": {"seats": ["red"]}}, "given.seats: write `seats` at the top"),
        ({"expect": []}, "expect: must be a mapping of what must come out"),
        ({"expect": {"stats": {}}}, "expect.stats: is no key of a scenario; there are unreadable"),
        ({"expected": {}}, "expected: is no key of a scenario; there are scenario, title"),
        ({"rules": 7}, "rules: must be a list of rule numbers"),
        ({"seed": "seven"}, "seed: must be a whole number, got seven"),
        ({"seed": True}, "seed: must be a whole number, got true"),
        ({"stop": "now"}, "stop: can only be `after-step`, got now"),
        ({"expect": {"negated": {"pink": []}}}, "expect.negated.pink: is no seat of this scenario"),
        ({"expect": {"refused": ["red"]}}, "expect.refused: must be rule numbers by seat"),
        ({"expect": {"refused": {"red": "C-1"}}}, "expect.refused.red: must be a list of rule"),
        ({"expect": {"unreadable": ["pink"]}}, "expect.unreadable.pink: is no seat"),
        ({"expect": {"unreadable": "red"}}, "expect.unreadable: must be a list of seats"),
        ({"expect": {"state": [1]}}, "expect.state: must be a mapping"),
        ({"expect": {"events": {"kind": "added"}}}, "expect.events: must be a list"),
    ],
)
def test_a_scenario_of_the_wrong_shape_says_what_to_do(change: dict[str, Any], said: str) -> None:
    document, _ = _scenario({"state": {}})
    assert _error({**document, **change}).startswith(said)


def test_a_file_that_is_no_mapping_is_no_scenario() -> None:
    assert _error(["scenario"]).startswith("a scenario is a mapping")  # type: ignore[arg-type]  # wrong on purpose


def test_orders_of_a_stranger_are_an_error() -> None:
    document, _ = _scenario({"state": {}})
    said = _error(document, pink=_added(1))
    assert said == "orders.pink: is no seat of this scenario; it has red, blue"


def test_seats_may_be_spelled_in_any_case() -> None:
    expect = {"negated": {"RED": ["c2"]}, "state": {"sums": {"Red": 3}}}
    assert _ran(expect, {"Red": _added(3, -1)}).verdict is ScenarioVerdict.OK


def test_one_rule_may_stand_without_brackets() -> None:
    document, _ = _scenario({"state": {}})
    assert parse_scenario({**document, "rules": "C-1"}, {}).rules == ("C-1",)
    assert parse_scenario({**document, "rules": ["C-1", "C-2"]}, {}).rules == ("C-1", "C-2")
    assert parse_scenario({**document, "rules": None}, {}).rules == ()
