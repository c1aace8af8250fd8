"""The colours of the seats can be told apart, whatever colours the reader sees."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from adjudicator.adapters.games.data_folders import find_data_folder
from adjudicator.adapters.games.library import FolderLibrary
from adjudicator.adapters.render.printer import Printer
from tests.adapters.pictures.eyes import EYES, contrast, distance

COLOURS: Any = (
    Printer([find_data_folder("templates")])
    ._environment.get_template("common/colours.svg.j2")
    .module
)
FILLS: dict[str, str] = COLOURS.fills
FAR = 25
"""A dozen times what can just be told apart."""


def test_every_seat_of_every_game_has_a_colour() -> None:
    library = FolderLibrary()
    seats = {seat for kind in library.kinds() for seat in library.kind(kind).components()["seats"]}
    assert len(seats) >= 8
    assert seats <= set(FILLS)


@pytest.mark.parametrize("eye", EYES)
def test_any_two_colours_are_far_apart(eye: str) -> None:
    far = {
        pair: distance(FILLS[pair[0]], FILLS[pair[1]], eye)
        for pair in itertools.combinations(FILLS, 2)
    }
    assert len(far) == 36
    assert {pair: how for pair, how in far.items() if how < FAR} == {}


def test_the_measure_knows_what_such_eyes_mistake() -> None:
    assert distance("#ff0000", "#00b400", "usual") > 100
    assert distance("#a05000", "#5a7800", "deuteranopia") < 12
    assert distance("#000000", "#ffffff", "protanopia") == pytest.approx(100, abs=0.1)


def test_letters_on_a_colour_can_be_read() -> None:
    found = {seat: contrast(FILLS[seat], COLOURS.inks[seat]) for seat in FILLS}
    assert {seat: how for seat, how in found.items() if how < 4.5} == {}


def test_no_template_has_colours_of_its_own_for_seats() -> None:
    templates = Path(find_data_folder("templates"))
    others = [path for path in templates.glob("*/*.svg.j2") if path.parent.name != "common"]
    assert others
    assert [path.name for path in others if "common/colours.svg.j2" not in path.read_text()] == []
