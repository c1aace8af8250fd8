"""Letters as HTML: written without a fault, to be read by everybody, saying what the text says."""

from typing import Any

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.printer import Picture, Printer, Surroundings
from tests.adapters.pages.colours import ENOUGH, shown
from tests.adapters.pages.documents import ALL, PRESS, REPORT, WORD
from tests.adapters.pages.reading import body, faults, parsed, said, same_facts
from tests.played import LIBRARY, Moment, list_moments
from tests.samples import sampled

AROUND = Surroundings(address="games@example.org", subject="[ember] turn 4: a fight")
PLAYED = list_moments(9)
ALL_READERS = "steps/*/**/report.json"
"""Of the games as played that everybody has: the documents as they lie on the disk."""


@pytest.fixture(scope="module")
def printer() -> Printer:
    return Printer([find_data_folder("templates")])


@pytest.fixture(params=ALL)
def letter(request: pytest.FixtureRequest) -> tuple[str, Any]:
    return ALL[request.param]


def test_every_letter_is_written_without_a_fault(printer: Printer, letter: tuple[str, Any]) -> None:
    name, document = letter
    assert faults(printer.mail_page(f"{name}.html", document, "no_such_game", AROUND)) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_all_words_stand_out_from_their_ground(
    printer: Printer, letter: tuple[str, Any], dark: bool
) -> None:
    name, document = letter
    page = printer.mail_page(f"{name}.html", document, "no_such_game", AROUND)
    assert [one for one in shown(page, dark=dark) if one.contrast < ENOUGH] == []


def test_text_and_page_say_the_same(printer: Printer, letter: tuple[str, Any]) -> None:
    name, document = letter
    text = printer.text(f"{name}.txt", document, "no_such_game")
    page = printer.mail_page(f"{name}.html", document, "no_such_game", AROUND)
    subject = document["headline"] if name in ("receipt", "answer", "press") else ""
    assert same_facts(text, page, subject) == []


@pytest.mark.parametrize("moment", sampled(PLAYED, 4, str))
def test_reports_of_games_as_played(printer: Printer, moment: Moment) -> None:
    document = moment.read(ALL_READERS)
    game = LIBRARY.kind(document["game"]["kind"]).game
    assert faults(printer.page("report.html", document, game)) == []
    page = printer.mail_page("report.html", document, game)
    assert faults(page) == []
    assert same_facts(printer.text("report.txt", document, game), page) == []
    for dark in (False, True):
        assert [one for one in shown(page, dark=dark) if one.contrast < ENOUGH] == []


def test_a_game_without_a_template_of_its_own_has_all_of_its_report(printer: Printer) -> None:
    page = parsed(printer.mail_page("report.html", REPORT, "no_such_game"))
    heads = [said(one) for one in page.iter() if one.tag in ("h1", "h2")]
    assert heads == [
        "EMBER, turn 4, jump",
        "Your orders (receipt 3, digest 7c1f 09ab)",
        "What happened to you",
        "What everybody saw",
        "Map after turn 4",
        "Economy",
        "Press",
        "To reply",
    ]
    drawing = next(one for one in page.iter("pre") if one.get("class") == "drawing")
    assert drawing.text == "     A   B\n1   R5   #\n"
    table = next(one for one in page.iter("table") if one.get("class") == "data ruled")
    rows = [[said(cell) for cell in row] for row in table.iter("tr")]
    assert rows == [
        ["seat", "levels above 1", "RT"],
        ["red", "attack 2, manufacturing 2", "14"],
        ["blue", "attack 3", "9"],
    ]


def test_what_is_due_stands_above_what_happened(printer: Printer) -> None:
    text = body(printer.mail_page("report.html", REPORT))
    due = text.index("Due from you: turn 5, plan orders")
    assert due < text.index("Thu 5 Nov 2026, 20:00 (Europe/Berlin, UTC+1)") < text.index("Fight at")


def test_a_list_of_mails_shows_what_is_due_first(printer: Printer) -> None:
    page = parsed(printer.mail_page("report.html", REPORT))
    hidden = next(one for one in page.iter("div") if one.get("class") == "preheader")
    assert (hidden.text or "").split(": ")[0] == "Due from you"


def test_every_element_has_its_own_style(printer: Printer) -> None:
    """Many mail programs throw style sheets away."""
    root = parsed(printer.mail_page("report.html", REPORT))
    bare = {
        one.tag
        for one in root.iter()
        if one.get("class") and not one.get("style") and one.get("class") != "wide"
    }
    assert bare == set()


def test_a_picture_is_shown_with_its_words(printer: Printer) -> None:
    around = Surroundings(
        pictures=[
            Picture(name="", source="cid:map.png.1@example.org", alt='The map: "A1"', width=600)
        ]
    )
    page = printer.mail_page("report.html", REPORT, around=around)
    assert faults(page) == []
    (picture,) = parsed(page).iter("img")
    assert (picture.get("src"), picture.get("alt"), picture.get("width")) == (
        "cid:map.png.1@example.org",
        'The map: "A1"',
        "600",
    )


def test_the_same_document_is_the_same_page(printer: Printer) -> None:
    again = Printer([find_data_folder("templates")])
    assert again.mail_page("report.html", REPORT) == printer.mail_page("report.html", REPORT)


def test_guides_are_read_as_pages_are(printer: Printer) -> None:
    page = parsed(printer.mail_page("word.html", WORD))
    heads = [said(one) for one in page.iter("h2")]
    assert {"A GM's guide", "By letter"} <= set(heads)
    typed = [said(one) for one in page.iter("pre")]
    assert "gm: [extend 24h, remind]" in typed
    assert {"gm: [close]", "gm: - submit: {blue: {ORDERS: as in the form}}"} <= set(typed)
    told = [said(one) for one in page.iter("p")]
    assert any(one.startswith("Give a seat to the bot.") for one in told), (
        "what tells about a line stands below it"
    )
    assert not any("  " in said(one) for one in page.iter("p"))


# ---- nothing that somebody writes is taken for a page's own

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><a href='https://example.com'>prize</a>",
    "</pre></div></body><h1>over</h1>",
    "</style><style>*{display:none}",
    "<!-- ]]> --><![CDATA[ x",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt; & &amp;",
    "game: ember",
]


def _with(value: Any, words: str) -> Any:
    """The document with somebody's words in all its free texts."""
    if isinstance(value, dict):
        return {key: one if key in _FIXED else _with(one, words) for key, one in value.items()}
    if isinstance(value, list):
        return [_with(one, words) for one in value]
    return f"{value} {words}" if isinstance(value, str) else value


_FIXED = frozenset(
    ("outcome", "mark", "about", "deadline", "at", "digest", "guide", "kind", "key", "step", "zone")
)


@pytest.mark.parametrize("words", HOSTILE)
def test_words_stay_words(printer: Printer, letter: tuple[str, Any], words: str) -> None:
    name, document = letter
    plain = printer.mail_page(f"{name}.html", _with(document, "words"), "x", AROUND)
    page = printer.mail_page(f"{name}.html", _with(document, words), "x", AROUND)
    assert faults(page) == []
    assert words in " ".join(body(page).split())
    tags = [one.tag for one in parsed(page).iter() if isinstance(one.tag, str)]
    expected = [one.tag for one in parsed(plain).iter() if isinstance(one.tag, str)]
    assert [tag for tag in tags if tag != "a"] == [tag for tag in expected if tag != "a"]


def test_signs_that_no_page_may_hold_are_replaced(printer: Printer) -> None:
    text = "a\x00b\x0bc\x1bd\x7fe\x85f\ufffeg"
    page = printer.mail_page("press.html", _press(text))
    assert faults(page) == []
    assert "g" in body(page)


def _press(text: str) -> dict[str, Any]:
    return {**PRESS, "messages": [{**PRESS["messages"][0], "text": text}]}


def test_press_stands_behind_its_mark_line_by_line(printer: Printer) -> None:
    page = parsed(printer.mail_page("press.html", _press("game: ember\nstep: 1\n\nkey: x")))
    box = next(one for one in page.iter("div") if one.get("class") == "press")
    told = [said(line) for line in box.iter("div") if line is not box]
    assert told == [": game: ember", ": step: 1", ":", ": key: x"]


def test_an_empty_cell_is_empty_in_a_table_of_many_columns(printer: Printer) -> None:
    columns, row = list("abcdefghi"), ["red", None, "1/2", None, 3, 4, 5, 6, 7]
    table = {"title": "Scores", "columns": columns, "rows": [row] * 12}
    document = {**REPORT, "sections": [table]}
    page = printer.mail_page("report.html", document, "no_such_game", AROUND)
    assert "1/<wbr>2" in page
    assert "None" not in page
    assert same_facts(printer.text("report.txt", document, "no_such_game"), page) == []
