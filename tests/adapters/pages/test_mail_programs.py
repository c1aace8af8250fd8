"""Letters use only what Gmail, Outlook and Apple Mail know; all else stays in the style block."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.printer import NO_SURROUNDINGS, Picture, Printer, Surroundings
from tests.adapters.pages.documents import ALL, ANSWER, NOTICE, PRESS, RECEIPT, REPORT
from tests.adapters.pages.mailcss import CELLS, ENHANCING, GMAIL_MOST, PROPERTIES
from tests.adapters.pages.reading import hidden, parsed, said
from tests.adapters.pages.test_pages import ALL_READERS, PLAYED
from tests.played import LIBRARY

AROUND = Surroundings(
    address="games@example.org",
    subject="[ember] turn 4",
    pictures=[Picture(name="map", source="cid:map@example.org", alt="The map", width=600)],
)
_VALUE = re.compile(
    r"-?\d+(\.\d+)?(px|%)?|#[0-9a-f]{6}|[a-z-]+|'[A-Za-z ]+'|[A-Z][A-Za-z]+", re.ASCII
)
_OUTLOOK_ONLY = re.compile(r"<!--\[if mso\]>.*?<!\[endif\]-->", re.DOTALL)


@pytest.fixture(scope="module")
def printer() -> Printer:
    return Printer([find_data_folder("templates")])


def _pages(printer: Printer) -> Iterator[str]:
    for name, document in ALL.values():
        yield printer.mail_page(f"{name}.html", document, "no_such_game", AROUND)
    for one in PLAYED[::8]:
        document = one.read(ALL_READERS)
        for around in (
            AROUND,
            NO_SURROUNDINGS,
        ):  # with its pictures, and what stands there without them
            game = LIBRARY.kind(document["game"]["kind"]).game
            yield printer.mail_page("report.html", document, game, around)


@pytest.fixture(scope="module")
def pages(printer: Printer) -> list[str]:
    return list(_pages(printer))


class Styled(NamedTuple):
    """A declaration and where it stands."""

    element: Element
    name: str
    value: str


def _styled(page: str) -> Iterator[Styled]:
    for element in parsed(page).iter():
        for declaration in element.get("style", "").split(";"):
            name, _, value = declaration.partition(":")
            if name.strip():
                yield Styled(element, name.strip(), value.strip())


def _styles(element: Element) -> dict[str, str]:
    pairs = (one.partition(":") for one in element.get("style", "").split(";") if one.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}


def test_only_properties_of_which_it_is_known_what_becomes_of_them(pages: list[str]) -> None:
    used = {one.name for page in pages for one in _styled(page)}
    assert used - set(PROPERTIES) == set()
    assert len(used) > 20


def test_the_table_holds_nothing_that_is_not_used(pages: list[str]) -> None:
    used = {one.name for page in pages for one in _styled(page)}
    assert set(PROPERTIES) - used == set()


def test_values_are_plain(pages: list[str]) -> None:
    """Pixels, per cent, colours by six digits, words: no calc, rem, var, url, rgb, !important."""
    odd = {
        f"{one.name}: {one.value}"
        for page in pages
        for one in _styled(page)
        for part in re.findall(r"'[^']*'|[^\s,]+", one.value)
        if not _VALUE.fullmatch(part)
    }
    assert odd == set()


def test_sizes_of_type_are_pixels(pages: list[str]) -> None:
    sizes = {one.value for page in pages for one in _styled(page) if one.name == "font-size"}
    assert all(re.fullmatch(r"\d+px", size) for size in sizes)


def test_what_hangs_out_to_the_left_has_a_margin_for_it(pages: list[str]) -> None:
    """Outlook knows no padding here and would print beyond the edge."""
    for page in pages:
        for one in _styled(page):
            if "-" not in re.sub(r"[a-z]-", "", one.value) or not re.search(r"-\d", one.value):
                continue
            assert one.name == "text-indent"
            margins = _styles(one.element)["margin"].split()
            assert int(margins[-1].removesuffix("px")) >= -int(one.value.removesuffix("px"))


def test_words_on_a_ground_of_their_own_stand_in_a_cell(pages: list[str]) -> None:
    """Where Outlook gives them room; a <pre> is dense in any case, the page has Outlook's frame."""
    for page in pages:
        for element in parsed(page).iter():
            style = _styles(element)
            if style.get("padding", "0") == "0" or "background-color" not in style:
                continue
            assert element.tag in ("td", "th", "pre") or element.get("class") == "page"


def test_outlook_gets_a_column_of_its_own_around_the_page(pages: list[str]) -> None:
    assert PROPERTIES["max-width"].outlook != PROPERTIES["padding"].outlook == CELLS
    for page in pages:
        before, after = _OUTLOOK_ONLY.findall(page)
        assert 'width="720" align="center"' in before
        assert "padding: 20px 16px 28px 16px" in before
        assert (before + after).count("<td") == (before + after).count("</td>") == 1
        assert page.index(before) < page.index('class="page"') < page.index(after)


def test_pictures_say_how_wide_they_are_without_styles(pages: list[str]) -> None:
    shown = [one for page in pages for one in parsed(page).iter("img")]
    assert shown
    assert {one.get("width") for one in shown} == {"600"}


def test_the_style_block_only_adds_to_what_the_elements_say(pages: list[str]) -> None:
    for page in pages:
        (block,) = parsed(page).iter("style")
        sheet = block.text or ""
        assert len(sheet.encode()) <= GMAIL_MOST
        outside = re.sub(r"@media [^{]+\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", sheet)
        assert "@" not in outside
        told = {name.strip() for name in re.findall(r"[{;]([^{};:]+):", outside)}
        assert told <= ENHANCING
        medias = set(re.findall(r"@media ([^{]+?)\s*\{", sheet))
        assert medias == {"(prefers-color-scheme: dark)", "(max-width: 480px)"}


def test_programs_are_told_that_light_and_dark_are_seen_to(pages: list[str]) -> None:
    for page in pages:
        told = {one.get("name"): one.get("content") for one in parsed(page).iter("meta")}
        assert told["color-scheme"] == told["supported-color-schemes"] == "light dark"
        assert ":root { color-scheme: light dark;" in page


# ---- the line that a list of mails shows


def _preheader(page: str) -> Element:
    found = parsed(page).find("body")
    assert found is not None
    first = next(one for one in found if isinstance(one.tag, str))
    assert first.get("class") == "preheader"
    return first


def test_the_first_line_is_hidden_from_all(pages: list[str]) -> None:
    for page in pages:
        line = _preheader(page)
        assert hidden(line)
        assert _styles(line) | {"display": "none", "mso-hide": "all"} == _styles(line)


@pytest.mark.parametrize(
    ("name", "document", "told"),
    [
        (
            "report",
            REPORT,
            (
                "Due from you: turn 5, plan orders, by Thu 5 Nov 2026, 20:00 "
                "(Europe/Berlin, UTC+1). Blue takes E5 from you."
            ),
        ),
        (
            "report",
            {**REPORT, "due": {**REPORT["due"], "deadline": None}},
            "Due from you: turn 5, plan orders. Blue takes E5 from you.",
        ),
        ("report", {**REPORT, "due": None, "headline": ""}, "Nothing is due from you."),
        (
            "report",
            {**REPORT, "due": None, "over": {"winners": ["blue"], "text": "blue has won."}},
            "The game is over. Blue takes E5 from you.",
        ),
        (
            "receipt",
            RECEIPT,
            (
                "YOU ARE IN: receipt 2 is on file. Deadline Sat 7 Nov 2026, 20:00 (Europe/Berlin, "
                "UTC+1). You may send new orders until then; the last ones count. The step "
                "closes early once all orders are in; `ready: no` prevents that."
            ),
        ),
        ("notice", NOTICE, "They are due Sat 7 Nov 2026, 20:00 (Europe/Berlin, UTC+1)."),
        ("press", PRESS, "blue to red: Hello. Peace?"),
        ("answer", ANSWER, "WHY 7. PLAYERS. HELP"),
    ],
)
def test_a_list_of_mails_shows_until_when_and_what_happened(
    printer: Printer, name: str, document: dict[str, object], told: str
) -> None:
    line = _preheader(printer.mail_page(f"{name}.html", document, "no_such_game", AROUND))
    assert " ".join((line.text or "").split()) == told


def test_what_is_hidden_is_not_read_twice(printer: Printer) -> None:
    page = parsed(printer.mail_page("report.html", REPORT, "no_such_game", AROUND))
    assert "Due from you: turn 5, plan orders, by" not in said(page)
