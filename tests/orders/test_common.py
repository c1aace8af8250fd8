"""What every game has: the envelope, the settings, the report document."""

import copy
from typing import Any

import jsonschema
import msgspec
import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.game_texts import read_yaml_file
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.yaml.reader import parse_yaml
from adjudicator.core.forms import order_form
from adjudicator.core.forms.fault_messages import format_finding
from adjudicator.desk.model.settings import Settings
from adjudicator.desk.requests.envelope import KEYS

LIBRARY = FolderLibrary()
NAMES = {"addressee": ("red", "blue", "green", "all")}

BLOCK = """\
game: ember
step: 12-jump
key: 0123-4567
after: 2
ready: no
press:
- {to: blue, text: "no: 12:30"}
absent: {from: 2026-12-24, until: 2026-12-31}
ask: [status, report 3]
jump:
- C4-D5 x3
"""


def test_the_block_is_parted_into_envelope_and_orders() -> None:
    envelope = LIBRARY.common("envelope")
    around, orders = order_form.split_text(parse_yaml(BLOCK), envelope.root.properties)
    assert orders.value == {"jump": ["C4-D5 x3"]}
    reading = order_form.read_form(envelope, around, NAMES)
    assert reading.findings == ()
    assert reading.orders == {
        "game": "ember",
        "step": "12-jump",
        "key": "0123-4567",
        "after": 2,
        "ready": False,
        "press": [{"to": ["blue"], "text": "no: 12:30"}],
        "absent": {"from": "2026-12-24", "until": "2026-12-31"},
        "ask": ["status", "report 3"],
    }


def test_faults_of_the_orders_keep_their_lines_after_the_parting() -> None:
    jump = LIBRARY.kind("jump-wars")
    _, orders = order_form.split_text(
        parse_yaml(BLOCK + "- C4\n"), LIBRARY.common("envelope").root.properties
    )
    (finding,) = jump.read("jump", orders, ("red", "blue")).findings
    assert format_finding(finding).startswith('line 12, jump[2]: "C4" is not a jump')


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("vote: win", 'line 1, vote: "win" is not "draw", "concede" or "none"'),
        ("press: [{text: x}]", "line 1, press[1]: this does not say to whom"),
        ("press: [{to: mars, text: x}]", 'press[1].to[1]: "mars" is not a player'),
        ("absent: {from: tomorrow, until: 2026-12-31}", 'absent.from: "tomorrow" is not a day'),
        ("ready: perhaps", 'line 1, ready: "perhaps" is not yes or no'),
    ],
)
def test_a_wish_that_cannot_be_read_is_told(written: str, told: str) -> None:
    reading = order_form.read_form(LIBRARY.common("envelope"), parse_yaml(written), NAMES)
    assert reading.orders == {}
    assert told in format_finding(reading.findings[0])


def test_the_desk_opens_all_of_the_block() -> None:
    # standing orders stand in the forms, where the game says which there are
    assert {*KEYS, "standing"} == set(LIBRARY.common("envelope").root.properties)


def test_the_settings_are_those_of_the_desk() -> None:
    form = LIBRARY.common("settings")
    told = order_form.fill_defaults(form, {})
    assert told == msgspec.json.decode(msgspec.json.encode(Settings()))
    assert list(told) == list(Settings.__struct_fields__)


REPORT: dict[str, Any] = {
    "report": "report/1",
    "game": {"id": "ember", "kind": "jump-wars", "title": "Jump Wars"},
    "seat": "red",
    "player": None,
    "number": 9,
    "step": "12-jump",
    "turn": "turn 4",
    "headline": "blue takes E5 from you",
    "due": {
        "step": "14-plan",
        "form": "plan",
        "what": "turn 5, plan orders",
        "deadline": "2026-11-05T20:00:00+01:00",
        "zone": "Europe/Berlin",
        "waiting": True,
    },
    "over": None,
    "orders": {
        "receipt": 3,
        "digest": "0" * 64,
        "entries": [{"n": 1, "text": "C4-D5 x3", "outcome": "done", "rule": None, "why": None}],
    },
    "events": [
        {
            "n": 1,
            "kind": "fight",
            "rule": "JW-50",
            "about": "you",
            "text": "Fight at E5.",
            "details": [],
            "data": {"anything": [1]},
        }
    ],
    "position": {"anything": {"goes": 1}},
    "sections": [{"title": "Map", "lines": ["A1"]}],
    "form": {
        "comments": [],
        "example": {},
        "envelope": {"game": "ember", "step": "14-plan", "key": None, "after": 0},
        "orders": None,
    },
    "press": [{"from": "blue", "to": "all", "text": "Hello"}],
}


def _faults(document: dict[str, Any]) -> list[str]:
    schema = read_yaml_file(find_data_folder("orders") / "common" / "report.yaml")
    validator = jsonschema.Draft202012Validator(schema)
    return [error.json_path for error in validator.iter_errors(document)]


def test_a_report_as_described_keeps_the_schema() -> None:
    assert _faults(REPORT) == []


@pytest.mark.parametrize(
    "break_it",
    [
        lambda r: r.pop("headline"),
        lambda r: r.update(extra=1),
        lambda r: r.update(headline="two\nlines"),
        lambda r: r["due"].update(deadline="Thursday"),
        lambda r: r["events"][0].pop("rule"),
        lambda r: r["events"][0].update(about="me"),
        lambda r: r["orders"]["entries"][0].update(outcome="fine"),
        lambda r: r["sections"].append({"title": "t", "columns": ["a"], "rows": [["x"]]}),
        lambda r: r["form"]["envelope"].update(key="0123-4567"),
    ],
)
def test_the_frame_of_a_report_is_strict(break_it: Any) -> None:
    document = copy.deepcopy(REPORT)
    break_it(document)
    assert _faults(document)
