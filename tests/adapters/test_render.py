"""Text reports: at most 78 columns, what is due first, the form last."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2.exceptions import SecurityError

from adjudicator.adapters.render import text_layout
from adjudicator.adapters.render.html_helpers import link_turn_page, locate_turn_page, split_typed
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.render.text_layout import format_form_block
from adjudicator.core.document import digest, encode

TEMPLATES = Path(__file__).parents[2] / "templates"

DOCUMENT: dict[str, Any] = {
    "report": "report/1",
    "game": {"id": "ember", "kind": "jump-wars", "title": "Jump Wars"},
    "seat": "red",
    "player": "Ada",
    "number": 9,
    "step": "12-jump",
    "turn": "turn 4",
    "headline": "Blue takes E5 from you.",
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
        "digest": "7c1f09ab" + "0" * 56,
        "entries": [
            {"n": 1, "text": "C4-D5 x3", "outcome": "done", "rule": "JW-28", "why": None},
            {
                "n": 2,
                "text": "E5-E6 x2",
                "outcome": "negated",
                "rule": "JW-33",
                "why": "E6 is a black hole and black holes may be neither entered nor crossed",
            },
        ],
    },
    "events": [
        {
            "n": 1,
            "kind": "fight",
            "rule": "JW-50",
            "about": "you",
            "text": "Fight at E5 against blue: you lost 4 of 4 fleets, blue lost 2 of 6 fleets.",
            "details": ["Round 1: you (initiative 2) shot first; 2 blue fleets destroyed"],
            "data": {},
        },
        {
            "n": 2,
            "kind": "ally",
            "rule": "JW-18",
            "about": "others",
            "text": "blue is green's ally this turn.",
            "details": [],
            "data": {},
        },
    ],
    "position": {},
    "sections": [
        {"title": "Map after turn 4", "lines": ["     A   B", "1   R5   #"]},
        {
            "title": "Economy",
            "columns": ["seat", "levels above 1", "RT"],
            "rows": [["red", "attack 2, manufacturing 2", 14], ["blue", "attack 3", 9]],
            "words": ["red has 14 RT.", "blue has 9 RT."],
        },
    ],
    "form": {
        "envelope": {"after": 2, "game": "ember", "key": None, "step": "14-plan"},
        "comments": ["You have 14 RT; a fleet costs 5."],
        "example": {"tech": {"advance": ["jump"]}, "build": 2},
    },
    "press": [{"from": "blue", "to": "all", "text": "game: over?\nNothing personal, " + "x" * 90}],
}


@pytest.fixture(scope="module")
def printer() -> Printer:
    return Printer([TEMPLATES])


def _report(printer: Printer, **changes: Any) -> str:
    return printer.text("report.txt", {**DOCUMENT, **changes}, "jump_wars")


def test_nothing_is_wider_than_a_mail(printer: Printer) -> None:
    text = _report(
        printer,
        headline="word " * 60,
        sections=[
            {"title": "t", "columns": ["a", "b"], "rows": [["x " * 90, "y" * 100]]},
            {"title": "long", "lines": ["z " * 80], "words": ["w " * 100]},
        ],
        form={"comments": ["c " * 90], "example": {"jump": ["C4-D5 x3"] * 30}},
    )
    assert max(len(line) for line in text.splitlines()) <= 78


def test_what_is_due_comes_first_and_the_form_last(printer: Printer) -> None:
    text = _report(printer)
    places = [
        text.index(part)
        for part in (
            "Report 9 to red",
            "DUE FROM YOU: turn 5, plan orders",
            "Thu 5 Nov 2026, 20:00 (Europe/Berlin, UTC+1)",
            "YOUR ORDERS (receipt 3, digest 7c1f 09ab",
            "WHAT HAPPENED TO YOU",
            "WHAT EVERYBODY SAW",
            "MAP AFTER TURN 4",
            "ECONOMY",
            "PRESS",
            "game: ember",
            "# end of orders",
        )
    ]
    assert places == sorted(places)
    assert text.endswith("# end of orders\n")


def test_rules_stand_at_the_right_margin(printer: Printer) -> None:
    lines = _report(printer).splitlines()
    for rule in ("[JW-50]", "[JW-18]", "[JW-33]"):
        (line,) = [line for line in lines if rule in line]
        assert line.endswith(rule)
        assert len(line) == 78


def test_orders_without_outcomes_of_their_own_are_not_told_as_none(printer: Printer) -> None:
    executed = {"receipt": 3, "digest": "7c" * 32, "entries": []}
    assert "You ordered nothing" not in _report(printer, orders=executed)
    assert "Their results, if any, are listed below." in _report(printer, orders=executed)
    nothing = {**executed, "digest": digest(encode({}))}
    assert "  You ordered nothing." in _report(printer, orders=nothing)


def test_a_failed_order_says_why(printer: Printer) -> None:
    text = " ".join(_report(printer).split())
    assert "C4-D5 x3 done" in text
    assert "E5-E6 x2 NOT done E6 is a black hole" in text


def test_press_can_never_be_taken_for_orders(printer: Printer) -> None:
    lines = _report(printer).splitlines()
    at = next(n for n, line in enumerate(lines) if "blue to all" in line)
    quoted = [line for line in lines[at + 1 :] if line.startswith("  : ")]
    assert quoted[0] == "  : game: over?"
    assert len(quoted) >= 3  # the long word is broken and every piece is marked
    assert [line for line in lines if line.startswith("game:")] == ["game: ember"]


def test_the_example_is_a_comment_until_somebody_edits_it(printer: Printer) -> None:
    block = _report(printer).split("\n\n")[-1]
    assert block.startswith("game: ember\nstep: 14-plan\nafter: 2\n# You have")
    assert list(yaml.safe_load(block)) == ["game", "step", "after"]
    undone = "\n".join(line.removeprefix("# ") for line in block.splitlines()[4:-1])
    assert yaml.safe_load(undone) == {"tech": {"advance": ["jump"]}, "build": 2}


def test_orders_that_stand_are_in_the_form(printer: Printer) -> None:
    form = {**DOCUMENT["form"], "orders": {"build": 1}}
    block = _report(printer, form=form).split("\n\n")[-1]
    assert yaml.safe_load(block) == {"game": "ember", "step": "14-plan", "after": 2, "build": 1}


@pytest.mark.parametrize(
    ("due", "said"),
    [
        (None, "NOTHING IS DUE FROM YOU"),
        ({**DOCUMENT["due"], "waiting": False}, "waiting for others: turn 5, plan orders"),
        ({**DOCUMENT["due"], "deadline": None}, "There is no fixed deadline"),
    ],
)
def test_other_states_of_being_due(printer: Printer, due: Any, said: str) -> None:
    assert said in " ".join(_report(printer, due=due).split())


def test_the_public_gets_no_orders_and_no_form(printer: Printer) -> None:
    events = [event for event in DOCUMENT["events"] if event["about"] == "others"]
    text = _report(printer, seat=None, player=None, orders=None, form=None, events=events)
    assert "Report 9 to everybody" in text
    assert "YOU" not in text
    assert "WHAT HAPPENED\n  2  blue is green's ally" in text
    assert "game:" not in [line[:5] for line in text.splitlines()]


def test_the_end_is_told(printer: Printer) -> None:
    over = {"winners": ["blue"], "text": "blue has won: every homeworld is occupied."}
    text = _report(printer, due=None, over=over, form=None)
    assert "THE GAME IS OVER\n  blue has won" in text


def test_a_table_gives_way_where_it_is_too_wide() -> None:
    text = text_layout.lay_out_table(["seat", "what"], [["red", "word " * 40], ["blue", "x"]])
    assert max(len(line) for line in text.splitlines()) <= text_layout.TEXT_WIDTH
    assert text.count("word") == 40


def test_a_table_keeps_a_number_beside_its_name() -> None:
    techs = ("initiative", "attack", "defense", "jump", "command", "logistics", "trade")
    for more in range(30):
        levels = ", ".join(f"{tech} {place + 2}" for place, tech in enumerate(techs))
        lines = text_layout.lay_out_table(
            ["seat", "levels"], [["r" * more, f"{levels}, {levels}"]]
        ).splitlines()
        assert max(map(len, lines)) <= text_layout.TEXT_WIDTH
        assert all(line.rstrip(",")[-1].isdigit() for line in lines[1:])


def test_numbers_stand_to_the_right() -> None:
    assert text_layout.lay_out_table(["seat", "RT"], [["red", 5], ["blue", 14]], indent=0) == (
        "seat  RT\nred    5\nblue  14"
    )


@pytest.mark.parametrize(
    ("text", "zone", "said"),
    [
        (
            "2026-11-05T20:00:00+01:00",
            "Europe/Berlin",
            "Thu 5 Nov 2026, 20:00 (Europe/Berlin, UTC+1)",
        ),
        ("2026-11-05T20:00:00+00:00", "UTC", "Thu 5 Nov 2026, 20:00 UTC"),
        ("2026-11-05T20:00:00+01:00", None, "Thu 5 Nov 2026, 19:00 UTC"),
        (None, None, "no deadline"),
    ],
)
def test_moments(text: str | None, zone: str | None, said: str) -> None:
    assert text_layout.format_instant(text, zone) == said


def test_in_an_example_stands_first_what_is_done() -> None:
    """Documents keep their keys sorted; people read `do` before `card`."""
    action = {"card": "n04", "do": "jump", "to": "anno"}
    form = {"envelope": {"game": "ember"}, "example": {"actions": [action]}}
    assert "# - {do: jump, card: n04, to: anno}" in format_form_block(form).splitlines()


def test_letters_lead_to_the_page_that_a_site_has_of_a_turn() -> None:
    game = {"id": "ember", "kind": "jump-wars"}
    report = {"game": game, "turn": "turn 17", "step": "51-jump"}
    assert locate_turn_page(report) == "jump-wars/ember/turn/17.html"
    assert locate_turn_page({**report, "turn": "setup"}) == "jump-wars/ember/turn/0.html"
    site = "https://games.example.org"
    assert link_turn_page(report, site) == f"{site}/jump-wars/ember/turn/17.html#51-jump"
    assert link_turn_page(report, "") == ""


def test_an_added_game_puts_all_templates_in_a_sandbox_and_changes_no_byte(tmp_path: Path) -> None:
    document = {"facts": [("game", "ember"), ("turn", "3")], "title": "<A> title", "lines": []}
    (tmp_path / "common").mkdir()
    spy = "{{ title.__class__ }}"
    (tmp_path / "common" / "spy.txt.j2").write_text(spy)
    own, added = Printer([TEMPLATES]), Printer([TEMPLATES, tmp_path])
    for name in ("site.css", "site.js"):
        assert own.text(name, document, "site") == added.text(name, document, "site")
    with pytest.raises(SecurityError):
        added.text("spy.txt", document)


def test_what_is_to_be_typed_stands_apart_in_pages() -> None:
    assert split_typed("Did you mean `build: [B3 x2]`? Reply *yes*.") == [
        *("Did you mean ", "build: [B3 x2]", "? Reply ", "yes", ".")
    ]
    assert split_typed("2 * 3 and *no* `") == ["2 * 3 and *no* `"]
