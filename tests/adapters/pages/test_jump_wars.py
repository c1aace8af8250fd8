"""The board on a page of Jump Wars is the map of the text, sign by sign."""

from typing import Any

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.html_helpers import draw_signs
from adjudicator.adapters.render.printer import Printer
from adjudicator.core.document import decode
from tests.adapters.pages.reading import parsed, said
from tests.played import unpack_game


@pytest.fixture(scope="module")
def printer() -> Printer:
    return Printer([find_data_folder("templates")])


@pytest.fixture(params=["three-square", "eight-hex"])
def report(request: pytest.FixtureRequest) -> Any:
    """One of the middle of a game, where fleets are about."""
    papers = sorted(unpack_game(request.param).glob("steps/*/red/report.json"))
    return decode(papers[len(papers) // 2].read_bytes())


def _board(printer: Printer, report: Any) -> Any:
    page = parsed(printer.page("report.html", report, "jump_wars"))
    return next(one for one in page.iter("table") if one.get("class") == "board")


def test_every_space_has_its_signs(printer: Printer, report: Any) -> None:
    (lines,) = (one["lines"] for one in report["sections"] if one["title"] == "Map")
    drawn = [line.split() for line in lines[lines.index("") + 1 :]]
    rows = [
        [said(cell).replace(" ", "") for cell in row if cell.get("class") != "half"]
        for row in _board(printer, report).iter("tr")
    ]
    assert len(rows) == 11
    assert rows == drawn


def test_rows_of_hexes_are_moved_and_as_wide_as_the_others(printer: Printer, report: Any) -> None:
    rows = list(_board(printer, report).iter("tr"))[1:]
    moved = [row[1].get("class") == "half" for row in rows]
    widths = {sum(int(cell.get("colspan", "1")) for cell in row) for row in rows}
    hexes = report["position"]["grid"] == "hex"
    assert moved == [hexes and number % 2 == 0 for number in range(1, 11)]
    assert widths == {22 if hexes else 11}


def test_spaces_with_fleets_of_the_reader_have_a_frame(printer: Printer, report: Any) -> None:
    framed = set()
    for number, row in enumerate(_board(printer, report).iter("tr")):
        cells = [cell for cell in row if cell.get("class") not in ("half", "edge")]
        for column, cell in zip("ABCDEFGHIJ", cells, strict=number > 0):
            if "mine" in (cell.get("class") or "").split():
                framed.add(f"{column}{number}")
    assert framed == set(report["position"]["fleets"]["red"])


def test_a_map_that_is_drawn_otherwise_is_shown_as_it_is(printer: Printer, report: Any) -> None:
    sections = [{"title": "Map", "lines": ["A   B", "1   2"], "words": ["Two spaces."]}]
    page = parsed(printer.page("report.html", {**report, "sections": sections}, "jump_wars"))
    (drawing,) = (one for one in page.iter("pre") if "drawing" in str(one.get("class")).split())
    assert drawing.text == "A   B\n1   2\n"


@pytest.mark.parametrize(
    ("cell", "lines"),
    [
        ("Rr12", ["Rr12"]),
        ("+b3r2", ["+b3", "r2"]),
        ("+b10r2", ["+b10", "r2"]),
        ("Rb101", ["R", "b101"]),
        ("Kk10*", ["Kk10", "*"]),
        ("K**", ["K**"]),
    ],
)
def test_no_line_of_a_space_is_wider_than_the_space_on_a_phone(cell: str, lines: list[str]) -> None:
    assert draw_signs(cell) == lines
    assert max(map(len, lines)) <= 4
