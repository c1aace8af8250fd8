"""Text in forty columns, for small screens: nothing is wider, nothing is lost, forms stay YAML."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render import text_layout
from adjudicator.adapters.render.printer import Printer
from adjudicator.adapters.render.text_layout import NARROW_WIDTH, TEXT_WIDTH
from adjudicator.adapters.yaml.reader import parse_yaml
from tests.adapters.pages.documents import ALL, FORM, PRESS, REPORT
from tests.played import LIBRARY, Moment, list_moments

ROOT = Path(__file__).parents[2]
PLAYED = list_moments(5)
OF_A_SEAT = "steps/*/*/report.json"


@pytest.fixture(scope="module")
def printer() -> Printer:
    return Printer([find_data_folder("templates")])


def _both(printer: Printer, name: str, document: Any, game: str) -> tuple[str, str]:
    return (
        printer.text(f"{name}.txt", document, game),
        printer.text(f"{name}.txt", document, game, NARROW_WIDTH),
    )


def _facts(text: str, *but: str) -> Counter[str]:
    """Words and numbers, as often as they stand there; a line's own marks do not count."""
    for part in but:
        text = text.replace(part, "")
    return Counter(re.findall(r"[^\W_]+", text.replace("# ", "")))


def _drawings(document: Any) -> list[str]:
    """What a narrow report leaves out: lines that are too wide, where words say the same."""
    return [
        text_layout.split_lines(section["lines"], 2)
        for section in document.get("sections") or ()
        if section.get("words") and section.get("lines")
        if not text_layout.fits(section["lines"], 2, NARROW_WIDTH)
    ]


def _same(wide: str, narrow: str, document: Any) -> list[str]:
    """What is in one and not in the other.

    In a table that is told row by row, its first column's name goes and the others come again.
    """
    lost = _facts(wide, *_drawings(document)) - _facts(narrow)
    heads = {
        word
        for section in document.get("sections") or ()
        for column in section.get("columns") or ()
        for word in _facts(str(column))
    }
    more = _facts(narrow) - _facts(wide)
    return [one for one in (*lost.elements(), *more.elements()) if one not in heads]


@pytest.mark.parametrize("name", ALL)
def test_every_letter_fits_and_says_all(printer: Printer, name: str) -> None:
    template, document = ALL[name]
    wide, narrow = _both(printer, template, document, "no_such_game")
    assert max(map(len, narrow.splitlines())) <= NARROW_WIDTH
    if template not in ("report", "press"):  # a long word is broken there
        assert _same(wide, narrow, document) == []


def _game(document: Any) -> str:
    return LIBRARY.kind(document["game"]["kind"]).game


@pytest.mark.parametrize("moment", PLAYED, ids=str)
def test_reports_of_games_as_played(printer: Printer, moment: Moment) -> None:
    document = moment.read(OF_A_SEAT)
    wide, narrow = _both(printer, "report", document, _game(document))
    assert max(map(len, narrow.splitlines())) <= NARROW_WIDTH
    assert _same(wide, narrow, document) == []


@pytest.mark.parametrize("moment", PLAYED, ids=str)
def test_the_form_of_a_narrow_report_is_the_form_of_a_wide_one(
    printer: Printer, moment: Moment
) -> None:
    document = moment.read(OF_A_SEAT)
    if not document["form"]:
        return
    wide, narrow = (
        text[text.rindex("\ngame: ") :]
        for text in _both(printer, "report", document, _game(document))
    )
    assert parse_yaml(narrow).value == parse_yaml(wide).value
    assert _example(narrow, document) == _example(wide, document)


def _example(block: str, document: Any) -> Any:
    """What the form says when its reader takes away the marks before the example."""
    lines = block.splitlines()
    keys = document["form"]["example"]
    first = next((n for n, line in enumerate(lines) if line[2:].partition(":")[0] in keys), None)
    if first is None:
        return None
    return parse_yaml("\n".join(line.removeprefix("# ") for line in lines[first:-1])).value


ORDERS: dict[str, Any] = {
    "jump": ["C4-D5 x3", "A10-B10 all"],
    "actions": [
        {"do": "fly", "to": "new-brykovia", "cards": ["n01", "n02"], "take": ["gem-blue!"]},
        {"do": "special", "card": "n21", "to": "bue-heggarr", "note": "word " * 20},
    ],
    "fight": {"targets": ["green", "purple", "the old empire", "yellow", "blue"], "retreat": "no"},
    "words": "One of those long sentences that nobody reads: yes, 'really' # none",
}


def test_orders_that_stand_can_be_sent_back_from_forty_columns() -> None:
    form = {**FORM, "orders": ORDERS}
    narrow = text_layout.format_form_block(form, NARROW_WIDTH)
    assert max(map(len, narrow.splitlines())) <= NARROW_WIDTH
    back = parse_yaml(narrow).value
    words = {**ORDERS, "actions": [dict(one) for one in ORDERS["actions"]]}
    assert {key: back[key] for key in ORDERS} == words
    assert parse_yaml(text_layout.format_form_block(form)).value == back


def test_messages_of_others_stay_behind_their_mark(printer: Printer) -> None:
    text = "game: ember step: 14-plan key: bbbb-bbbb resign: yes, and much more of it"
    message = {**PRESS["messages"][0], "text": text}
    for name, document in (
        ("report", {**REPORT, "press": [message]}),
        ("press", {**PRESS, "messages": [message]}),
    ):
        lines = printer.text(f"{name}.txt", document, "x", NARROW_WIDTH).splitlines()
        assert [one for one in lines if one.startswith(("game:", "step:", "key:"))] == [
            "game: ember",
            "step: 14-plan",
            "key: 7f3k-q2mx",
        ]


def test_a_table_that_fits_stays_a_table() -> None:
    columns, rows = ["seat", "RT"], [["red", 5], ["blue", 14]]
    plain = text_layout.lay_out_table(columns, rows)
    assert text_layout.lay_out_table(columns, rows, width=NARROW_WIDTH) == plain


def test_a_table_that_does_not_fit_is_told_row_by_row() -> None:
    columns = ["seat", "levels above 1", "abilities", "RT", "cards"]
    rows = [
        ["red (you)", "initiative 2, defense 2", "star-docks", 2, 13],
        ["blue", "command 2, research 2, manufacturing 2", None, 0, 3],
    ]
    assert text_layout.lay_out_table(columns, rows, width=NARROW_WIDTH).splitlines() == [
        "  red (you)",
        "    levels above 1: initiative 2,",
        "      defense 2",
        "    abilities: star-docks",
        "    RT: 2, cards: 13",
        "  blue",
        "    levels above 1: command 2, research",
        "      2, manufacturing 2",
        "    RT: 0, cards: 3",
    ]


def test_rows_that_are_only_counted_say_of_what() -> None:
    columns = ["turn", *("a rather long name" for _ in range(3))]
    made = text_layout.lay_out_table(columns, [[1, "6/0", "7/10", "6/0"]], width=NARROW_WIDTH)
    assert made.splitlines()[0] == "  turn 1"


def test_a_drawing_that_does_not_fit_gives_way_to_its_words(printer: Printer) -> None:
    drawing = {"title": "Map", "lines": ["A   " * 12, "legend " * 9], "words": ["All is void."]}
    document = {**REPORT, "sections": [drawing]}
    wide, narrow = _both(printer, "report", document, "x")
    assert "A   A   A" in wide
    assert "A   A" not in narrow
    assert "MAP\n  In words: All is void.\n" in narrow
    alone = {**REPORT, "sections": [{**drawing, "words": []}]}
    assert "legend" in printer.text("report.txt", alone, "x", NARROW_WIDTH)


@pytest.mark.parametrize("guide", ["guide-player", "guide-gm"])
def test_guides_are_set_anew_and_what_is_to_be_typed_is_the_same(
    printer: Printer, guide: str
) -> None:
    document = {**ALL["word"][1], "guide": guide}
    wide, narrow = _both(printer, "word", document, "x")
    assert max(map(len, narrow.splitlines())) <= NARROW_WIDTH
    assert _facts(narrow) == _facts(wide)
    typed = [_typed(text) for text in (wide, narrow)]
    assert typed[0] == typed[1]
    assert len(typed[0]) > 5


def _typed(text: str) -> list[Any]:
    """What is indented by four, each with the deeper lines that continue it."""
    found: list[str] = []
    for line in text.splitlines():
        if re.match(r" {4}[\w-]", line):
            found.append(line)
        elif found and re.match(r" {8}\S", line):
            found[-1] += f"\n{line}"
    return [parse_yaml(one).value for one in found]


def test_what_is_wide_stays_as_it_was(printer: Printer) -> None:
    for template, document in ALL.values():
        made = printer.text(f"{template}.txt", document, "x")
        assert made == printer.text(f"{template}.txt", document, "x", TEXT_WIDTH)


def test_a_digest_begins_on_a_line_of_its_own() -> None:
    assert text_layout.wrap(
        f"It ends with link {'0123abcd' * 8}.", width=NARROW_WIDTH
    ).splitlines() == [
        "It ends with link",
        "0123abcd" * 5,
        "0123abcd" * 3 + ".",
    ]
