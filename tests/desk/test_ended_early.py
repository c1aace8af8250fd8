"""Every kind of game can end by votes or by its GM before its rules end it, and is told so."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.core.document import decode
from adjudicator.desk.acts.end import end_game
from tests.desk.conftest import GAME
from tests.desk.mailing import words
from tests.desk.twins import World

SEATS = ("red", "blue", "green")


@pytest.fixture(params=["jump-wars", "jump-gate", "jump-gate-2010", "jump-drive"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    with ExitStack() as ends:
        made = World(tmp_path / "adjudicator.db", FolderLibrary(), ends)
        made.new(request.param, 3, SEATS, settings={"pace": "72h"})
        yield made


def told(world: World) -> list[str]:
    """How the last reports, everybody's among them, say that it is over."""
    papers = world.desk.see(lambda books: books.papers(GAME))
    last = max(paper.step for paper in papers)
    return [decode(paper.document)["over"]["text"] for paper in papers if paper.step == last]


def test_a_draw_by_votes_has_no_winner_and_no_points(world: World) -> None:
    for seat in SEATS:
        world.say(seat, "vote: draw")
    assert world.over()
    assert told(world) == ["The game is drawn."] * 4
    world.mail.deliver()
    reports = [
        one for one in world.mail.inbox["ada@example.org"] if ".report." in one["Message-ID"]
    ]
    assert "THE GAME IS OVER\n  The game is drawn." in words(reports[-1])


def test_who_is_named_the_winner_is_not_said_to_have_points(world: World) -> None:
    world.desk.act(end_game, winners=["red"], reason="the others conceded")
    assert world.over()
    assert {text.partition(" in turn")[0].rstrip(".") for text in told(world)} == {
        "red has won the game"
    }
