"""What the description of reports says is so: every key described, nothing described in vain."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from adjudicator.adapters.archive.reports import find_report_faults
from adjudicator.adapters.games.library import FolderKind, FolderLibrary
from adjudicator.adapters.games.scenarios import (
    find_scenario_files,
    make_scenario_tools,
    read_scenario_file,
)
from adjudicator.adapters.render.explanations import format_fields
from adjudicator.core.dice import Dice, derive_dice_key, seed_from_number
from adjudicator.core.document import Document, decode, encode
from adjudicator.core.events import Event, list_visible
from adjudicator.core.game import Over
from adjudicator.core.report import build_report_schema, list_event_kinds, list_fields
from adjudicator.core.scenario.runner import run_scenario
from adjudicator.desk.outbox.report import complete_report
from adjudicator.library.conform.reports import DescribedPlaces
from tests.played import list_reports

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = FolderLibrary()
KINDS = LIBRARY.kinds()
GAMES = sorted({LIBRARY.kind(kind).game for kind in KINDS})
FRAME = LIBRARY.common("report").schema

OPTIONS: Mapping[str, Sequence[Document]] = {
    "jump-wars": (
        {"grid": "hex", "old_empire": True, "turn_limit": 5},
        {"homeworlds": "choose", "turn_limit": 4},
    ),
    "jump-gate": ({"interrupts": "ask"}, {}),
    "jump-gate-2010": (
        {"interrupts": "ask", "sun_dial": True, "explorers_club": True, "orbital_burn": True},
        {},
    ),
    "jump-drive": ({"first_game": True}, {}),
}
STEPS = 80


def _random(kind: FolderKind) -> Iterator[tuple[Any, Sequence[Event]]]:
    """State and events after each step of games that are played at random, and by bots."""
    for number, given in enumerate(OPTIONS[kind.kind]):
        rules, player = kind.rules, (kind.rules.legal, kind.rules.bot)[number]
        seats = kind.seats[: kind.smallest + number + 1]
        key = derive_dice_key(seed_from_number(number))
        state, events = rules.setup(kind.options(given, seats), seats, Dice(key, "0-setup")), ()
        for step in range(1, STEPS):
            yield state, events
            due = rules.due(state)
            if isinstance(due, Over):
                break
            dice = Dice(key, f"{step}-step")
            orders = {seat: player(rules.view(state, seat), seat, dice) for seat in due}
            state, events = rules.resolve(state, orders, dice)


class _Recorded:
    """A game's rules, and what they were seen to adjudicate."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self.seen: list[tuple[Any, Sequence[Event]]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def resolve(self, *given: Any, **more: Any) -> tuple[Any, Sequence[Event]]:
        self.seen.append(self._rules.resolve(*given, **more))
        return self.seen[-1]


def _shown(kind: FolderKind) -> Iterator[tuple[Any, Sequence[Event]]]:
    """State and events of every scenario, each a rule shown by an example."""
    tools = make_scenario_tools(kind)
    recorded = _Recorded(kind.rules)
    for path in find_scenario_files([ROOT / "tests" / "games" / kind.game / "scenarios"]):
        scenario = read_scenario_file(path)
        if scenario.kind == kind.kind:
            run_scenario(scenario, replace(tools, rules=recorded))
    return iter(recorded.seen)


def _known(kind: str, seat: str | None) -> Document:
    """What the desk adds to a game's part."""
    due = {"step": "2-x", "form": "x", "deadline": None, "zone": "UTC", "waiting": True}
    envelope = {"game": "ember", "step": "2-x", "key": None, "after": 0}
    return {
        "report": "report/1",
        "game": {"id": "ember", "kind": kind, "title": kind},
        "seat": seat,
        "player": None,
        "number": 1,
        "step": "1-x",
        "due": due,
        "orders": {"receipt": None, "digest": None} if seat else None,
        "form": {"envelope": envelope, "orders": None} if seat else None,
        "press": [],
    }


@cache
def _reports(kind: str) -> tuple[Document, ...]:
    """The public's and one seat's report of each step."""
    found = LIBRARY.kind(kind)
    made = []
    for number, (state, events) in enumerate(chain(_random(found), _shown(found))):
        seats = found.rules.dump(state)["seats"]
        for seat in (None, seats[number % len(seats)]):
            part = found.rules.report(found.rules.view(state, seat), list_visible(events, seat))
            made.append(decode(encode(complete_report(part, _known(kind, seat)))))
    return tuple(made)


@cache
def _checks(kind: str) -> Callable[[Document], Iterator[Any]]:
    return find_report_faults(FRAME, LIBRARY.kind(kind).reported())


def _faults(reports: Sequence[Document]) -> list[str]:
    return [
        f"{error.json_path}: {error.message}"
        for report in reports
        for error in _checks(report["game"]["kind"])(report)
    ]


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", KINDS)
def test_reports_are_as_described(kind: str, every: int) -> None:
    Draft202012Validator.check_schema(build_report_schema(FRAME, LIBRARY.kind(kind).reported()))
    assert _faults(_reports(kind)[::every])[:5] == []


def _spoiled(value: Any) -> Iterator[Any]:
    """The value with one thing wrong in it, here or somewhere below."""
    yield {"strange": True}
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {name: one for name, one in value.items() if name != key}
            yield from ({**value, key: wrong} for wrong in _spoiled(inner))
    elif isinstance(value, list):
        for number, inner in enumerate(value[:2]):
            yield from ([*value[:number], wrong, *value[number + 1 :]] for wrong in _spoiled(inner))


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_good_in_another_report_hides_no_fault(kind: str) -> None:
    good, *_ = (one for one in _reports(kind) if len(one["events"]) > 1)
    assert _faults([good, good]) == []
    plain = Draft202012Validator(build_report_schema(FRAME, LIBRARY.kind(kind).reported()))
    spoiled = [*_spoiled(good)][:: len(KINDS) * 5]
    told = [[(error.json_path, error.message) for error in _checks(kind)(one)] for one in spoiled]
    assert sum(map(bool, told)) > 10
    for one, faults in zip(spoiled, told, strict=True):
        assert sorted(faults) == sorted((e.json_path, e.message) for e in plain.iter_errors(one))


@pytest.mark.parametrize("every", [14, pytest.param(1, marks=pytest.mark.soak)])
def test_reports_of_the_shipped_games_are_as_described(every: int) -> None:
    shipped = [*list_reports("steps/**/report.json")][::every]
    assert {report["game"]["kind"] for report in shipped} == set(KINDS)
    assert _faults(shipped)[:5] == []


NEVER: Mapping[str, Mapping[str, str]] = {
    "jump_wars": {
        "gained.cost.<technology>": "no ability of the shipped box costs levels; a GM's may",
    },
}
"""What neither the scenarios nor a few games come to, and why it is described all the same."""


@cache
def _walked(game: str) -> DescribedPlaces:
    mine = [kind for kind in KINDS if LIBRARY.kind(kind).game == game]
    own = LIBRARY.kind(mine[0]).reported()
    places = DescribedPlaces(own)
    for report in (one for kind in mine for one in _reports(kind)):
        places.see_report(report)
    return places


def _described(own: Document) -> set[str]:
    """List every place and every kind of event that a game's report.yaml describes."""
    described = {field.path for field in list_fields(own)}
    for kind in list_event_kinds(own):
        described |= {kind.name, *(f"{kind.name}.{field.path}" for field in kind.fields)}
    return described


@pytest.mark.parametrize("game", GAMES)
def test_every_key_that_comes_is_described(game: str) -> None:
    assert _walked(game).strange == set()


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_is_described_comes_at_some_time(game: str) -> None:
    (own, *_) = (one.reported() for one in map(LIBRARY.kind, KINDS) if one.game == game)
    assert _described(own) - _walked(game).came == set(NEVER.get(game, {}))


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_says_what_it_is(kind: str) -> None:
    own = LIBRARY.kind(kind).reported()
    told = [
        *list_fields(FRAME),
        *list_fields(own),
        *(one for event in list_event_kinds(own) for one in event.fields),
    ]
    assert [one.path for one in told if not one.what.endswith(".")] == []
    assert [event.name for event in list_event_kinds(own) if not event.what.endswith(".")] == []
    assert [one.path for one in told if one.takes == "anything"] == []
    text = format_fields(FRAME, own)
    assert max(map(len, text.splitlines())) <= 78
    assert all(f"{one.path} (" in text for one in told)
