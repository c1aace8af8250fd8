"""The check that text and page say the same finds it when they do not."""

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.printer import Printer, Surroundings
from adjudicator.adapters.render.text_layout import NARROW_WIDTH, TEXT_WIDTH
from tests.adapters.mails.facts import unlike
from tests.adapters.pages.documents import ALL, REPORT

AROUND = Surroundings(address="games@example.org", subject="[ember] turn 4: a fight")


@pytest.fixture(scope="module")
def printer() -> Printer:
    return Printer([find_data_folder("templates")])


@pytest.mark.parametrize("width", [TEXT_WIDTH, NARROW_WIDTH])
@pytest.mark.parametrize("name", ALL)
def test_letters_of_every_kind_say_the_same(printer: Printer, name: str, width: int) -> None:
    template, document = ALL[name]
    text = printer.text(f"{template}.txt", document, "x", width)
    page = printer.mail_page(f"{template}.html", document, "x", AROUND)
    assert unlike(text, page, f"[ember] {document['headline']}") == []


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("4 of 4 fleets", "3 of 4 fleets", "what happened to you"),
        ("5 Nov 2026, 20:00", "5 Nov 2026, 21:00", "at the top"),
        ("attack 2, manufacturing 2", "attack 2", "economy"),
        ("blue is green's ally this turn.", "", "what everybody saw"),
        ("Nothing personal.", "Nothing.", "press"),
        ("key: 7f3k-q2mx", "key: 7f3k-q2my", "to reply"),
        ("ECONOMY", "WEALTH", "economy: no such heading"),
    ],
)
def test_what_differs_is_found_where_it_stands(
    printer: Printer, old: str, new: str, where: str
) -> None:
    text = printer.text("report.txt", REPORT, "x")
    page = printer.mail_page("report.html", REPORT, "x", AROUND)
    assert old in text
    assert any(fault.startswith(where) for fault in unlike(text.replace(old, new), page, ""))
