"""The largest report there is: eight players on hexes, late in a long game, steps told together."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.render.png import render_png
from adjudicator.adapters.render.printer import Printer, Surroundings, draw_pictures
from adjudicator.adapters.render.text_layout import NARROW_WIDTH, TEXT_WIDTH
from adjudicator.cli.app import cli
from adjudicator.core.document import decode
from tests.adapters.mails.facts import unlike
from tests.adapters.pages.reading import MOST, parsed

GAME = "eight-who-fight-for-a-long-time"
STEPS = ("48-plan", "49-jump")
"""Of the turn with the most fights; whoever wants few mails is told of it in one report."""
PRINTER = Printer([find_data_folder("templates")])
AROUND = Surroundings(address="games@mail.example.org", subject=f"[{GAME}] turn 24")


def _run(home: Path, *words: str) -> str:
    done = CliRunner().invoke(cli, [*words, "--home", str(home)])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    home = tmp_path_factory.mktemp("home")
    options = ("grid=hex", "old_empire=true", "turn_limit=25")
    chosen = [word for option in options for word in ("--option", option)]
    _run(home, "play", "jump-wars", "--bots", "8", "--seed", "8", "--keep", GAME, *chosen)
    look = ("report", GAME, "--json", "--seat", "green", "--step")
    first, last = (decode(_run(home, *look, step).encode()) for step in STEPS)
    assert len(last["position"]["past"]) == 24
    events = [*first["events"], *last["events"]]
    assert len(events) > 60
    return {**last, "events": [{**one, "n": n} for n, one in enumerate(events, 1)]}


def test_its_page_is_shown_whole(report: dict[str, Any]) -> None:
    """Gmail cuts a page off that is longer, and with it the form."""
    page = PRINTER.mail_page("report.html", report, "jump_wars", AROUND)
    assert 60_000 < len(page.encode()) < MOST * 0.9, "there is room left for messages"
    assert unlike(PRINTER.text("report.txt", report, "jump_wars"), page, AROUND.subject) == []


@pytest.mark.parametrize("width", [TEXT_WIDTH, NARROW_WIDTH])
def test_its_text_is_no_wider(report: dict[str, Any], width: int) -> None:
    lines = PRINTER.text("report.txt", report, "jump_wars", width).splitlines()
    assert max(map(len, lines)) <= width


def test_its_pictures_are_small(report: dict[str, Any]) -> None:
    sizes = {
        one.name: len(render_png(one.content.decode()))
        for one in draw_pictures(PRINTER, report, "jump_wars")
    }
    assert {name for name, size in sizes.items() if size <= 100_000} == {"map", "turns"} == {*sizes}


def test_many_short_cells_are_a_grid(report: dict[str, Any]) -> None:
    """The position that somebody asks for has a row for every turn."""
    *others, turns = report["sections"]
    past = [[one["turn"], *map(str, one["fleets"].values())] for one in report["position"]["past"]]
    whole = {**report, "sections": [*others, {**turns, "rows": past}]}
    page = parsed(PRINTER.mail_page("report.html", whole, "jump_wars", AROUND))
    grids = [one for one in page.iter("table") if "grid" in (one.get("class") or "")]
    (turns,) = grids
    assert len(list(turns.iter("td"))) == 24 * 8
    assert "border" not in "".join(cell.get("style", "") for cell in turns.iter("td"))
    assert [row.get("class") for row in turns.findall("tbody/tr")[:3]] == [None, "even", None]
